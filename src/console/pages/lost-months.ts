/** A look at the amounts that saving a project would lose: other days, or no months any more. */

import { createHash } from 'node:crypto';
import { count } from '../../core/counts.ts';
import { type Html, html } from '../../http/html.ts';
import { typed } from '../components/elements.ts';
import type { Faults } from '../components/forms.ts';
import { nameLine } from '../components/line-fields.ts';
import type { Reader } from '../session/reader.ts';
import type { LostMonths, ReadPlan } from './project-drafts.ts';

/** Lines and months that are named one by one. */
const NAMED_LINES = 50;
const NAMED_MONTHS = 4;

/** What agrees to losing these amounts, and no others. */
export function digestOfLost(lost: readonly LostMonths[]): string {
  const said = lost.map(({ line, months }) => [line.id, ...months]);
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url');
}

/** What saving would lose, at the field that asks for it. */
export function faultsOfLost({ input, lost }: Pick<ReadPlan, 'input' | 'lost'>): Faults {
  const lines = count(lost.length, 'line');
  if (input.budgetMode === 'total') {
    return { mode: `The months of ${lines} would be lost. Look at them below before you save.` };
  }
  const isBefore = lost.some(({ months }) => months.some(([month]) => month < input.startDate));
  const field = isBefore ? 'startDate' : 'endDate';
  return { [field]: `Amounts of ${lines} are outside these days. Look at them below.` };
}

/** What saving would do to the months of each line, and the button that agrees to it. */
export function lostPart(lost: readonly LostMonths[], reader: Reader): Html {
  const money = (minor: number) => reader.money(minor);
  const isRemoval = lost.every(({ months }) => months.every(([, , to]) => to === 0));
  const say = ({ months }: LostMonths) => {
    if (isRemoval) {
      const sum = months.reduce((minor, [, from]) => minor + from, 0);
      return `${money(sum)} in ${reader.months(months.map(([month]) => month))}`;
    }
    const named = months.slice(0, NAMED_MONTHS).map(([month, from, to]) => {
      return `${reader.months([month])} ${money(from)} → ${money(to)}`;
    });
    const more = months.length - named.length;
    return `${named.join('; ')}${more > 0 ? `; and ${reader.count(more, 'more month')}` : ''}`;
  };
  const rest = lost.length - NAMED_LINES;
  const [title, button] = isRemoval
    ? ['Amounts that would be removed', 'Save, and remove these amounts']
    : ['Months that would change', 'Save, and change these months'];
  return html`<section class="lost" aria-labelledby="lost"><h2 id="lost">${title}</h2>
<ul class="effects">
${lost
  .slice(0, NAMED_LINES)
  .map((each) => html`<li><b>${typed(nameLine(each.line))}</b>: ${say(each)}</li>\n`)}${
  rest > 0 && html`<li>and ${reader.count(rest, 'more line')}</li>\n`
}</ul>
<p>Nothing is saved yet. To keep them, change the field back.</p>
<p class="actions"><button class="button" name="agree" value="${digestOfLost(
    lost,
  )}">${button}</button></p></section>
`;
}
