/** Parts that several pages have. */

import { type Html, html } from '../http/html.ts';

/**
 * A bar of the budget used: what is above it is hatched, and an upright line is where the budget of
 * the days so far ends. The figures are beside it.
 */
export function budgetBar(actualMinor: number, dueMinor: number, budgetedMinor: number): Html {
  const whole = Math.max(budgetedMinor, actualMinor, 1);
  const at = (minor: number) => round((100 * Math.max(0, minor)) / whole);
  const [used, budgeted] = [at(Math.min(actualMinor, budgetedMinor)), at(budgetedMinor)];
  const beyond = round(at(actualMinor) - budgeted);
  const place = html`x="${budgeted}" y="1" width="${beyond}" height="10"`;
  return html`<svg class="used" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
<rect class="whole" fill="#ddd" y="1" width="${budgeted}" height="10"/>
<rect class="part" fill="#555" y="1" width="${used}" height="10"/>
${
  beyond > 0 && html`<rect class="beyond" fill="url(#hatch)" stroke="#000" ${place}/>\n`
}<path class="due" stroke="#000" d="M${at(dueMinor)} -2V14"/>
</svg>`;
}

/** The hatch of everything beyond a budget, once on a page. */
export const HATCH = html`<svg class="hidden" width="0" height="0" aria-hidden="true"><defs>
<pattern id="hatch" class="hatch" width="5" height="5" patternUnits="userSpaceOnUse">
<path stroke="#000" d="M-1 6 6-1M-1 1 1-1M4 6 6 4"/></pattern></defs></svg>`;

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
