/** Pictures of budgets, as SVG. Their figures are in the tables beside them. */

import { type Period, shareUntil } from '../../core/calendar.ts';
import { toMajor } from '../../core/money.ts';
import type { Cell } from '../../core/report.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reader } from '../session/reader.ts';

interface ChartFacts {
  readonly periods: readonly Period[];
  /** The expenses, and the income of a project that has some. */
  readonly cells: readonly Cell[];
  readonly income?: readonly Cell[] | undefined;
  readonly every: 'month' | 'quarter';
  /** `YYYY-MM-DD`: how far the actual goes. */
  readonly today: string;
  readonly reader: Reader;
}

const [WIDTH, HEIGHT] = [620, 240];
const [LEFT, TOP, BOTTOM] = [48, 22, 214];
const STEPS = 4;

/**
 * A bar of the budget used: what is above it is hatched, and an upright line is where the budget of
 * the days so far ends. That share is there in words too; the other figures are beside it.
 */
export function budgetBar(actualMinor: number, dueMinor: number, budgetedMinor: number): Html {
  const whole = Math.max(budgetedMinor, actualMinor, 1);
  const at = (minor: number) => round((100 * Math.max(0, minor)) / whole);
  const [used, budgeted] = [at(Math.min(actualMinor, budgetedMinor)), at(budgetedMinor)];
  const beyond = round(at(actualMinor) - budgeted);
  const due = Math.round((100 * dueMinor) / budgetedMinor);
  const place = html`x="${budgeted}" y="1" width="${beyond}" height="10"`;
  return html`<svg class="used" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
<rect class="whole" fill="#ddd" y="1" width="${budgeted}" height="10"/>
<rect class="part" fill="#555" y="1" width="${used}" height="10"/>
${
  beyond > 0 && html`<rect class="beyond" fill="url(#hatch)" stroke="#000" ${place}/>\n`
}<path class="due" stroke="#000" d="M${at(dueMinor)} -2V14"/>
</svg>${budgetedMinor > 0 && html` <span class="hidden">${due}% budgeted to today</span>`}`;
}

/** Both charts of a report, each with what its marks mean. */
export function chartPair(facts: ChartFacts): Html {
  const added =
    facts.income === undefined ? 'dashed: budget, solid: actual' : 'dashed: budget of the expenses';
  return html`<figure><figcaption>${
    facts.every === 'quarter' ? 'Quarter by quarter' : 'Month by month'
  } <span class="soft">outline: budget, filled: actual,
hatched: over</span></figcaption>${periodChart(facts)}</figure>
<figure><figcaption>Added up <span class="soft">${added}</span></figcaption>
${runningChart(facts)}</figure>`;
}

/**
 * Budget as an outline and actual as a bar for each period, hatched where it is over. Income is
 * above the line, and expenses are then below it.
 */
function periodChart(facts: ChartFacts): Html {
  const { periods, cells, income, today, reader } = facts;
  const right = WIDTH - 8;
  const sign = income === undefined ? 1 : -1;
  const valuesOf = (all: readonly Cell[], way: number) =>
    all.flatMap(({ budgeted, actual }) => [way * budgeted, way * actual]);
  const scale = scaleOf([...valuesOf(cells, sign), ...valuesOf(income ?? [], 1)], facts);
  const wide = (right - LEFT) / Math.max(1, periods.length);
  const bars = cells.map((cell, at) => {
    const place = { left: LEFT + at * wide, wide, scale };
    const other = income?.[at];
    return html`${other && barsOf(other, place, 'came')}${barsOf(cell, place, 'done', sign)}\n`;
  });
  const over = periods.flatMap((period, at) => {
    const { budgeted = 0, actual = 0 } = cells[at] ?? {};
    const isOver = period.startDate <= today && actual > budgeted && actual > 0;
    return isOver ? [reader.period(period)] : [];
  });
  const finding = over.length === 0 ? 'Never over budget.' : `Over budget in ${over.join(', ')}.`;
  const both = 'Income above the line, expenses below it, with their budgets';
  const figures = income === undefined ? 'Budget and actual' : both;
  const what = `${figures}, of each ${facts.every}, in ${reader.currency.code}`;
  const ends = html`<text class="strong" x="${right}" y="${TOP}" text-anchor="end">Income</text>
<text class="strong" x="${right}" y="${BOTTOM - 4}" text-anchor="end">Expenses</text>\n`;
  return chart('bars', what, `${finding} The figures are in the table.`, [
    ...gridOf(scale, right),
    ...axisOf(facts, (at) => LEFT + (at + 0.5) * wide),
    ...bars,
    income !== undefined && ends,
  ]);
}

/** The bars of one cell, above the line, or with the sign -1 below it. */
function barsOf(
  { budgeted, actual }: Cell,
  { left, wide, scale }: { readonly left: number; readonly wide: number; readonly scale: Scale },
  look: 'came' | 'done',
  sign = 1,
): Html {
  const rect = (from: number, to: number, share: number) => {
    const ends = [scale.y(sign * from), scale.y(sign * to)];
    const [top, low] = [Math.min(...ends), Math.max(...ends)];
    const width = wide * share;
    return html`x="${round(left + (wide - width) / 2)}" y="${round(top)}" width="${round(
      width,
    )}" height="${round(low - top)}"`;
  };
  const over = look === 'done' && actual > Math.max(0, budgeted);
  const middle = left + wide / 2;
  const tip = scale.y(sign * actual) + (sign > 0 ? -4 : 12);
  return html`<rect class="plan" fill="none" stroke="#777" ${rect(0, budgeted, 0.72)}/><rect
class="${look}" fill="#555" ${rect(0, over ? Math.max(0, budgeted) : actual, 0.48)}/>${
    over &&
    html`<rect class="beyond" fill="url(#hatch)" ${rect(Math.max(0, budgeted), actual, 0.48)}/><path
class="mark" d="M${round(middle - 5)} ${round(tip)}h10l-5 -8z"/>`
  }`;
}

/** Budget and actual added up from the first period on. */
function runningChart(facts: ChartFacts): Html {
  const { periods, cells, income, today, reader } = facts;
  const right = WIDTH - 92;
  const budget = runningSums(cells.map(({ budgeted }) => budgeted));
  const actual = runningSums(cells.map((cell) => cell.actual));
  const received = runningSums((income ?? []).map((cell) => cell.actual));
  const scale = scaleOf([...budget, ...actual, ...received], facts);
  const wide = (right - LEFT) / Math.max(1, periods.length);
  const x = (at: number) => LEFT + at * wide;
  const passed = periods.map((period) => shareUntil(today, period));
  const until = passed.reduce((sum, share) => sum + share, 0);
  // The actual of the present period is drawn to today.
  const pointsOf = (sums: readonly number[]) =>
    sums.flatMap((minor, at) => {
      if (at === 0) return [[x(0), minor] as const];
      const share = passed[at - 1] ?? 0;
      return share === 0 ? [] : [[x(at - 1 + share), minor] as const];
    });
  const points = pointsOf(actual);
  const [endX, endMinor] = points.at(-1) ?? [x(0), 0];
  const path = (all: readonly (readonly [number, number])[]) =>
    `M${all.map(([at, minor]) => `${round(at)} ${round(scale.y(minor))}`).join('L')}`;
  const whole = budget.at(-1) ?? 0;
  const say = (minor: number) => reader.whole(minor);
  const came = income && pointsOf(received);
  const [, cameMinor] = came?.at(-1) ?? [x(0), 0];
  const finding =
    income === undefined
      ? `The actual adds up to ${say(endMinor)}, the budget to ${say(whole)}.`
      : `${say(cameMinor)} is received and ${say(endMinor)} spent, of a budget of ${say(whole)}.`;
  const name = `${income === undefined ? 'Actual' : 'Spent'} ${short(endMinor, facts)}`;
  const budgetY = round(scale.y(whole) + 4);
  const place = placeOfLabel(name, [endX, scale.y(endMinor)], budgetY);
  const isOpen = until > 0 && until < periods.length;
  return chart('running', `Budget and actual, added up, in ${reader.currency.code}`, finding, [
    ...gridOf(scale, right),
    ...axisOf(facts, (at) => x(at + 0.5)),
    isOpen &&
      html`<path class="today" stroke="#777" d="M${round(x(until))} ${TOP - 8}V${BOTTOM}"/>\n`,
    html`<path class="plan-line" fill="none" stroke="#777" d="${path(
      budget.map((minor, at) => [x(at), minor] as const),
    )}"/>\n`,
    came !== undefined && [
      html`<path class="came-line" fill="none" stroke="#555" d="${path(came)}"/>\n`,
      cameLabel(`Received ${short(cameMinor, facts)}`, endX, scale.y(cameMinor)),
    ],
    html`<path class="done-line" fill="none" stroke="#000" d="${path(points)}"/>\n`,
    html`<circle class="done" cx="${round(endX)}" cy="${round(scale.y(endMinor))}" r="4"/>\n`,
    html`<text x="${right + 6}" y="${budgetY}">Budget</text>\n`,
    html`<text class="strong" ${place}>${name}</text>\n`,
  ]);
}

function runningSums(minors: readonly number[]): number[] {
  const sums = [0];
  for (const minor of minors) sums.push((sums.at(-1) ?? 0) + minor);
  return sums;
}

/** Before the end of its line and above it, as far as there is room. */
function cameLabel(name: string, x: number, y: number): Html {
  const end = Math.max(x - 8, LEFT + name.length * LETTER_WIDE);
  return html`<text class="strong" x="${round(end)}" y="${round(Math.max(y - 8, TOP))}"
text-anchor="end">${name}</text>\n`;
}

/** The size of the letters on a phone, and how wide one is at most. */
const [LETTER, LETTER_WIDE] = [20, 12];

/** Behind the end of the line; where that has no room, below it, clear of `Budget`. */
function placeOfLabel(name: string, [x, y]: readonly [number, number], budgetY: number): Html {
  const last = WIDTH - name.length * LETTER_WIDE;
  if (x + 8 <= last) return html`x="${round(x + 8)}" y="${round(y + 16)}"`;
  // The line is lower where the name begins.
  const below = y + 10 + LETTER;
  const clear = Math.abs(below - budgetY) < LETTER + 2 ? budgetY + LETTER + 2 : below;
  const at = clear < BOTTOM ? clear : Math.min(y, budgetY) - LETTER;
  return html`x="${last}" y="${round(at)}"`;
}

function chart(id: string, title: string, finding: string, parts: readonly HtmlValue[]): Html {
  return html`<svg class="chart" width="${WIDTH}" height="${HEIGHT}"
viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-finding">
<title id="${id}-title">${title}</title>
<desc id="${id}-finding">${finding}</desc>
${parts}</svg>`;
}

/** Where amounts are, and the amounts at the lines of the grid. */
interface Scale {
  readonly y: (minor: number) => number;
  readonly lines: readonly { readonly minor: number; readonly text: string }[];
}

function scaleOf(values: readonly number[], facts: ChartFacts): Scale {
  const highest = Math.max(0, ...values);
  const lowest = Math.min(0, ...values);
  const step = niceStep((highest - lowest) / STEPS);
  const [from, to] = [Math.floor(lowest / step) * step, Math.ceil(highest / step) * step];
  const span = Math.max(to - from, step);
  const count = Math.round(span / step) + 1;
  const lines = Array.from({ length: count }, (_, at) => {
    const minor = from + at * step;
    // Expenses are below the line, and not negative.
    return { minor, text: short(facts.income === undefined ? minor : Math.abs(minor), facts) };
  });
  return { y: (minor) => BOTTOM - ((minor - from) / span) * (BOTTOM - TOP), lines };
}

/** 1, 1.5, 2, 2.5 or 5 times a power of ten, and at least 1. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const factor = [1, 1.5, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10;
  return Math.max(1, Math.round(factor * power));
}

/** An amount in few characters: `150k`, `2.02m`. */
function short(minor: number, { reader }: ChartFacts): string {
  const major = toMajor(minor, reader.currency.places);
  const size = Math.abs(major);
  const [unit, mark] = size >= 1e9 ? [1e9, 'bn'] : size >= 1e6 ? [1e6, 'm'] : [1e3, 'k'];
  return size < 1000 ? reader.short(major) : `${reader.short(major / unit)}${mark}`;
}

function gridOf({ lines, y }: Scale, right: number): Html[] {
  return lines.map(({ minor, text }) => {
    const at = round(y(minor));
    return html`<path class="${minor === 0 ? 'axis' : 'grid'}" stroke="#ccc" d="M${LEFT} ${at}H${
      right
    }"/><text x="${LEFT - 6}" y="${round(at + 4)}" text-anchor="end">${text}</text>\n`;
  });
}

/** The names of the periods, with the year where there are several: as many as have room. */
function axisOf(facts: ChartFacts, x: (at: number) => number): Html[] {
  const { periods, reader } = facts;
  const hasYears = new Set(periods.map(({ startDate }) => startDate.slice(0, 4))).size > 1;
  const every = Math.ceil(periods.length / (hasYears ? 8 : 12));
  return periods.flatMap((period, at) => {
    if (at % every !== 0) return [];
    // A phone has room for every second one.
    const fine = (at / every) % 2 === 1 && html` class="fine"`;
    return [
      html`<text${fine} x="${round(x(at))}" y="${HEIGHT - 8}" text-anchor="middle">${reader.period(
        period,
      )}${hasYears && ` ${period.startDate.slice(2, 4)}`}</text>\n`,
    ];
  });
}

/** A place in a picture, to a tenth. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}
