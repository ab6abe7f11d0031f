/** The grid of a project: what is expected and budgeted of each line, by month. */

import type { Period } from '../../core/calendar.ts';
import { formatId } from '../../core/ids.ts';
import { kindsOf, type LineKind, nameLine, turn } from '../../core/projects.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { ProjectPlan } from '../../operations/project-plans.ts';
import { Pace } from '../../operations/turns.ts';
import type { LinePlan } from '../../store/budget-lines.ts';
import { KINDS, typed } from '../components/elements.ts';
import { type FormFaults, listedFaults, saidAbove } from '../components/forms.ts';
import type { Reader } from '../session/reader.ts';
import { budgetAmount, cellName, periodsOf, type Texts } from './project-drafts.ts';

/** What is written before other requests have their turn, in cells and in characters of them. */
const CELLS_AT_ONCE = 300;
const CELL_UNITS = 100;
/** The longest amount of which twelve fit beside each other: `999,999.99`. */
const CELL_CHARACTERS = 10;

interface GridView {
  readonly texts: Texts;
  readonly faults: FormFaults;
  /** What is stored, to show beside what was typed. */
  readonly stored: Texts | undefined;
  /** Whether these are the texts of the stored project. */
  readonly isStored: boolean;
}

/** A sum; undefined if one of its amounts cannot be read. */
type Sum = number | undefined;

/** What the amounts of a kind are. */
const ABOUT = {
  income: 'what is expected, as positive amounts',
  expense: 'what may be spent',
} as const;

/** Income, its sum, expenses, their sum, and the balance; without income one sum. */
export async function grid(reader: Reader, plan: ProjectPlan, view: GridView): Promise<Html> {
  const columns = periodsOf(plan);
  const months = columns.map((column) => nameOf(reader, column));
  const heads = columns.length > 1 ? [...months, 'Total'] : months;
  const kinds = kindsOf(plan.lines);
  const hasIncome = kinds.length > 1;
  const bodies: Html[] = [];
  let sums: readonly Sum[] = columns.map(() => 0);
  let isWide = false;
  const pace = new Pace(CELLS_AT_ONCE);
  const listed = listedFaults(view.faults);
  for (const kind of kinds) {
    const rows: Html[] = [];
    let own: readonly Sum[] = columns.map(() => 0);
    for (const line of plan.lines.filter((each) => each.kind === kind)) {
      const row = await gridRow(reader, { line, columns, heads, pace, listed }, view);
      rows.push(row.html);
      own = own.map((sum, at) => addUp([sum, row.minors[at]]));
      isWide ||= row.isWide;
    }
    const isTurned = hasIncome && kind === 'expense';
    const turned = own.map((sum) => (isTurned && sum !== undefined ? turn(sum) : sum));
    sums = sums.map((sum, at) => addUp([sum, turned[at]]));
    bodies.push(hasIncome ? kindBody(reader, kind, { rows, own }) : html`<tbody>\n${rows}</tbody>`);
  }
  const balance = html`Balance <span class="sub">expected less budgeted</span>`;
  return html`<div class="grid-sheet" data-grid tabindex="0" role="region"
aria-labelledby="amounts"><table class="${isWide ? 'grid-table wide' : 'grid-table'}"
aria-label="Amounts by line and month" id="amounts">
<thead><tr><th scope="col">Line</th>${heads.map(
    (head) => html`<th scope="col" class="num">${head}</th>`,
  )}</tr></thead>
${bodies}
<tfoot>${sumRow(reader, hasIncome ? balance : 'All lines', sums)}</tfoot></table></div>`;
}

function nameOf(reader: Reader, { key, startDate }: Period): string {
  if (key === 'total') return `Total, ${reader.currency.code}`;
  return `${reader.period({ key, startDate, endDate: startDate })} ${startDate.slice(2, 4)}`;
}

function kindBody(
  reader: Reader,
  kind: LineKind,
  { rows, own }: { readonly rows: readonly Html[]; readonly own: readonly Sum[] },
): Html {
  const { name, total } = KINDS[kind];
  return html`<tbody${kind === 'expense' && html` data-turned`}><tr class="kind"><th
scope="rowgroup" colspan="${1 + own.length + (own.length > 1 ? 1 : 0)}">${name} <span
class="sub">${ABOUT[kind]}</span></th></tr>
${rows}${sumRow(reader, total, own)}</tbody>
`;
}

/** Its row is found by its class: the script adds up as people type. */
function sumRow(reader: Reader, name: HtmlValue, sums: readonly Sum[]): Html {
  const cells = sums.map((sum) => html`<td class="num">${show(reader, sum)}</td>`);
  const last = sumCell(reader, sums);
  return html`<tr class="kind-total"><th scope="row">${name}</th>${cells}${last}</tr>
`;
}

/** Of a single amount it would say the same again. */
function sumCell(reader: Reader, sums: readonly Sum[]): HtmlValue {
  return sums.length > 1 && html`<td class="num sum">${show(reader, addUp(sums))}</td>`;
}

function show(reader: Reader, minor: Sum): string {
  return minor === undefined ? '' : reader.money(minor);
}

async function gridRow(
  reader: Reader,
  place: {
    readonly line: LinePlan;
    readonly columns: readonly Period[];
    readonly heads: readonly string[];
    readonly pace: Pace;
    readonly listed: ReadonlySet<string>;
  },
  { texts, faults, stored, isStored }: GridView,
) {
  const { line, columns, heads, pace, listed } = place;
  const minors = columns.map(({ key }): Sum => {
    if (isStored) return budgetAmount(line.budget, key) ?? 0;
    const found = reader.findMoney(texts(cellName(line, key)).trim() || '0');
    return typeof found === 'number' ? found : undefined;
  });
  let isWide = false;
  const inputs: Html[] = [];
  for (const [at, { key }] of columns.entries()) {
    const name = cellName(line, key);
    const text = texts(name);
    const saved = stored?.(name);
    isWide ||= text.length > CELL_CHARACTERS;
    const isOther = saved !== undefined && saved !== text;
    const wrong = saidAbove(name, faults, listed);
    inputs.push(html`<td><input class="cell" id="${name}" name="${name}" inputmode="decimal"
autocomplete="off" aria-label="${line.name}, ${heads[at]}" value="${text}"${wrong}>${
      isOther && html`<span class="sub">saved: ${saved === '' ? 'none' : saved}</span>`
    }</td>`);
    await pace.spend(1 + text.length / CELL_UNITS);
  }
  const codes = line.accountCodes.map((code) => html` <code>${code}</code>`);
  const row = html`<tr><th scope="row"><button class="link" name="next"
value="lines/${formatId('bln', line.id)}">${typed(nameLine(line))}</button>${
    codes.length > 0 && html` <span class="sub">takes${codes}</span>`
  }</th>
${inputs}${sumCell(reader, minors)}</tr>
`;
  return { html: row, minors, isWide };
}

/** The sum; undefined if one of them is. */
function addUp(minors: readonly Sum[]): Sum {
  return minors.reduce((sum, minor) => {
    return sum === undefined || minor === undefined ? undefined : sum + minor;
  }, 0);
}
