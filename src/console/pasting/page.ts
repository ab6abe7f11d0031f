/** A whole table of budget lines, copied from a spreadsheet: first what it would change. */

import { count } from '../../core/counts.ts';
import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { kindsOf, type LineKind, nameLine } from '../../core/projects.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { type ProjectPlan, readProject, saveProject } from '../../operations/project-plans.ts';
import { nextTurn } from '../../operations/turns.ts';
import { type LinePlan, listAllocatedLines } from '../../store/budget-lines.ts';
import { typed } from '../components/elements.ts';
import { type FormFaults, isFaulty, postForm, unsaved } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { linkAllocated } from '../components/line-fields.ts';
import { PATHS } from '../components/paths.ts';
import {
  amountsOf,
  budgetAmount,
  faultsOfSaving,
  periodsOf,
  sayColumns,
} from '../pages/project-drafts.ts';
import { planOf } from '../pages/project-edit.ts';
import { digestOf } from '../session/outcomes.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { TEXTS, type TextName } from './heads.ts';
import {
  NAMES,
  type PastedLine,
  type PastedTable,
  readPaste,
  textOf,
  writeTable,
} from './table.ts';

/** Lines and months that are named one by one. */
const NAMED_LINES = 50;
const NAMED_FAULTS = 50;
const NAMED_MONTHS = 4;
/** What of a table is written before other requests have their turn, in UTF-16 units. */
const UNITS_AT_ONCE = 64 * 1024;

/** `POST /projects/{id}/paste`: shows what the table would change, then does exactly that. */
export async function takePaste(visit: Visit): Promise<Reply> {
  const plan = planOf(visit);
  const text = visit.field('table');
  await nextTurn();
  const table = await visit.read(readPaste(text, plan, visit.reader));
  await nextTurn();
  const project = table.faults.length > 0 ? table.faults : projectOf(visit, plan, table);
  if ('length' in project) return showPaste(visit, plan, { text, wrong: project });
  await nextTurn();
  const look = lookOf(visit, plan, table);
  const show = (message?: string, status?: number, shown = look, now = plan) => {
    const faults: FormFaults = message === undefined ? {} : { table: message };
    return showPaste(visit, now, { text, look: shown, faults, status });
  };
  const fault = faultOfShown(visit, plan, table);
  if (fault !== undefined) return show(fault, 409);
  if (look.stuck.length > 0) return show(sayStuck(look.stuck));
  if (visit.field('do') !== 'save') return show();
  await nextTurn();
  return visit.runOr(
    (failure, status) => {
      const now = planOf(visit);
      const message = Object.values(faultsOfSaving(failure)).join(' ');
      return show(message, status, lookOf(visit, now, table), now);
    },
    () => {
      saveProject(visit.access, { ...project, known: plan }, visit.actor);
      const message = `The table is saved: ${count(table.lines.length, 'line')}.`;
      return { to: `${PATHS.projects}/${formatId('prj', plan.project.id)}/edit`, message };
    },
  );
}

/** The project with these lines, or what is wrong with them by the rules of a project. */
function projectOf({ access }: Visit, plan: ProjectPlan, table: PastedTable) {
  const { project } = plan;
  const seenUpdatedAtMs = project.updatedAtMs;
  try {
    return readProject(access, { ...project, budgetLines: table.lines, seenUpdatedAtMs });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid_input') throw error;
    return explainLines(error.details, table);
  }
}

/** What is wrong with the lines of a table, by the places of a project file. */
function explainLines(
  details: readonly { readonly field: string | null; readonly message: string }[],
  { rows }: Pick<PastedTable, 'rows'>,
): readonly string[] {
  return details.map(({ field, message }) => {
    const [, at, name = ''] = /^budgetLines\[(\d+)\](?:\.(\w+))?/.exec(field ?? '') ?? [];
    if (at === undefined) return message;
    const text = Object.hasOwn(TEXTS, name) ? `, ${TEXTS[name as TextName]}` : '';
    return `Row ${rows[Number(at)]}${text}: ${message}`;
  });
}

const CHANGED =
  'Someone else saved this project while you were editing. Your change was not saved. Below is ' +
  'what the table would change in the current version.';
const REREAD =
  'The amounts in the table are now read differently than before, so nothing was saved. ' +
  'Check them again.';

/** Why what was shown is not what would be done now. */
function faultOfShown(visit: Visit, { project }: ProjectPlan, table: PastedTable) {
  if (Number(visit.field('seen')) !== project.updatedAtMs) return CHANGED;
  if (visit.field('do') === 'save' && visit.field('read') !== markOf(table)) return REREAD;
  return undefined;
}

/** A mark of what was read. */
function markOf({ lines }: PastedTable): string {
  return digestOf(lines.map((line) => [line, amountsOf(line)]));
}

/** What a table would do, and the lines that it leaves out although they have allocations. */
interface Look {
  readonly table: PastedTable;
  readonly effect: TableEffect;
  readonly stuck: readonly LinePlan[];
}

function lookOf({ access }: Visit, plan: ProjectPlan, table: PastedTable): Look {
  const effect = effectOf(plan, table);
  const allocated = listAllocatedLines(access, plan.project.id);
  return { table, effect, stuck: effect.removed.filter(({ id }) => allocated.has(id)) };
}

function sayStuck(stuck: readonly LinePlan[]): string {
  const [first, another] = stuck;
  if (first !== undefined && another === undefined) {
    const advice = 'Add it to the table, or allocate its transactions to another line first.';
    return `A line that has allocations is not in the table: ${nameLine(first)}. ${advice}`;
  }
  const advice = 'Add them, or allocate their transactions to other lines first: see below.';
  return `${count(stuck.length, 'line')} with allocations are not in the table. ${advice}`;
}

/** A long text, written in several turns. */
async function inPieces(text: string): Promise<Html[]> {
  const pieces: Html[] = [];
  for (let at = 0; at < text.length; at += UNITS_AT_ONCE) {
    if (at > 0) await nextTurn();
    pieces.push(html`${text.slice(at, at + UNITS_AT_ONCE)}`);
  }
  return pieces;
}

interface PasteView {
  readonly text: string;
  /** What it would do: then that is shown. */
  readonly look?: Look;
  readonly faults?: FormFaults;
  /** What is wrong with the table itself. */
  readonly wrong?: readonly string[];
  readonly status?: number | undefined;
}

/** `GET /projects/{id}/paste`: the field has the table as it is. */
export async function showPaste(
  visit: Visit,
  plan = planOf(visit),
  view?: PasteView,
): Promise<Reply> {
  await nextTurn();
  const shown: PasteView = view ?? { text: writeTable(plan, visit.reader) };
  const { text, look, wrong = [], status } = shown;
  const { faults = faultsOfTable(wrong) } = shown;
  const { project } = plan;
  const id = visit.param('id');
  const isWrong = isFaulty(faults);
  const part = look && (await lookPart(visit, plan, text, look));
  const inputs = html`<div class="${isWrong ? 'field wrong' : 'field'}"><label
for="table">Table</label>
<span class="hint" id="table-hint">A row for each line, with tabs between the columns, as
spreadsheets copy them.</span>${
    isWrong && faultList(wrong.length > 1 ? wrong : Object.values(faults))
  }
<textarea id="table" name="table" rows="18" wrap="off" spellcheck="false"
${isWrong && html`aria-invalid="true" `}aria-describedby="table-hint${isWrong && ' table-fault'}">
${await inPieces(text)}</textarea></div>
<p class="actions"><button class="${look === undefined ? 'button primary' : 'button'}">${
    look === undefined ? 'See what it changes' : 'Look again'
  }</button> <a class="button" href="${PATHS.projects}/${id}/edit">Cancel</a></p>
`;
  const unseen = { seen: project.updatedAtMs };
  const form = postForm(`${PATHS.projects}/${id}/paste`, unseen, inputs, unsaved(isWrong));
  const content = html`${part}${form}`;
  return showPage(visit, {
    title: 'Paste a whole table',
    place: PATHS.projects,
    above: [[`${PATHS.projects}/${id}/edit`, typed(project.name)]],
    lead: `Copy the table into a spreadsheet, change it there, and paste it back. It replaces the
lines of the project, after you have seen what changes. Your own table works too, if its first row
names the columns, such as Line, Jan 26, Feb 26. Lines below a row Income, or with Income in a
column Kind, are for money in. If you leave out a column, its values stay. You cannot leave out a
line that has allocations.`,
    content,
    faults,
    status,
  });
}

/** One sentence for the summary; what is wrong is listed at the field. */
function faultsOfTable(wrong: readonly string[]): FormFaults {
  const [first, another] = wrong;
  if (first === undefined) return {};
  return { table: another === undefined ? first : `The table has ${wrong.length} faults.` };
}

function faultList(faults: readonly string[]): Html {
  const [first, another] = faults;
  if (another === undefined) return html`<span class="fault" id="table-fault">${first}</span>`;
  const rest = faults.length - NAMED_FAULTS;
  return html`<ul class="fault" id="table-fault">
${faults.slice(0, NAMED_FAULTS).map((fault) => html`<li>${fault}</li>\n`)}${
  rest > 0 && html`<li>and ${rest} more</li>\n`
}</ul>`;
}

/** What the table would change, and the button that does it. */
async function lookPart(
  visit: Visit,
  plan: ProjectPlan,
  text: string,
  { table, effect, stuck: kept }: Look,
): Promise<Html> {
  const { reader } = visit;
  const { added, changed, removed, same, isReordered, sums } = effect;
  const money = (minor: number) => reader.money(minor);
  const linesOf = (length: number) => reader.count(length, 'line');
  const group = <Item>(items: readonly Item[], what: string, say: (item: Item) => HtmlValue) => {
    const rest = items.length - NAMED_LINES;
    return (
      items.length > 0 &&
      html`<li><b>${linesOf(items.length)}</b> ${what}<ul>
${items.slice(0, NAMED_LINES).map((item) => html`<li>${say(item)}</li>\n`)}${
  rest > 0 && html`<li>and ${reader.count(rest)} more</li>\n`
}</ul></li>\n`
    );
  };
  const stuck = new Map<LinePlan, Html | undefined>();
  for (const line of kept) {
    if (stuck.size < NAMED_LINES) await nextTurn();
    const isNamed = stuck.size < NAMED_LINES;
    stuck.set(line, isNamed ? linkAllocated(visit, visit.param('id'), line) : undefined);
  }
  const isNothing = added.length + changed.length + removed.length === 0 && !isReordered;
  return html`<section aria-labelledby="effect"><h2 id="effect">What the table changes</h2>
<ul class="effects">
${isNothing && html`<li>Nothing: the project already matches the table.</li>\n`}${group(
  added,
  'added',
  (line) =>
    html`${typed(nameLine(line))}${line.kind === 'income' && ', income'}, ${money(sumOf([line]))}`,
)}${group(changed, 'changed', (line) => changeOf(reader, line))}${group(
  removed,
  'removed',
  (line) =>
    html`${typed(nameLine(line))}${
      stuck.has(line) && html`: cannot be removed, because it has ${stuck.get(line)}`
    }`,
)}${same > 0 && html`<li><b>${linesOf(same)}</b> as before</li>\n`}${
  isReordered && html`<li>The lines are put in the order of the table.</li>\n`
}${table.notes.slice(0, NAMED_FAULTS).map((note) => html`<li>${note}</li>\n`)}${sums.map(
  ([kind, before, after]) => {
    const what = sums.length > 1 ? TOGETHER[kind] : 'All lines together';
    return html`<li>${what}: ${money(before)} → ${money(after)} ${reader.currency.code}</li>\n`;
  },
)}</ul>
${!isNothing && stuck.size === 0 && saveForm(visit, plan, text, table)}</section>
`;
}

function saveForm(visit: Visit, { project }: ProjectPlan, text: string, table: PastedTable): Html {
  const target = `${PATHS.projects}/${visit.param('id')}/paste`;
  const unseen = { seen: project.updatedAtMs, do: 'save', read: markOf(table), table: text };
  return postForm(target, unseen, SAVE);
}

const SAVE = html`<p class="actions"><button class="button primary">Save the table</button></p>`;

function changeOf(reader: Reader, { line, input, amounts }: ChangedLine): Html {
  const money = (minor: number) => reader.money(minor);
  const texts = NAMES.map((name) => {
    const head = name === 'name' ? 'Name' : TEXTS[name];
    return [head, textOf(line, name), textOf(input, name)] as const;
  }).filter(([, from, to]) => from !== to);
  const words = texts.map(([what, from, to]) => html`; ${what} ${sayText(from)} → ${sayText(to)}`);
  const sums = amounts.slice(0, NAMED_MONTHS).map(([column, from, to]) => {
    return html`; ${sayColumns([column], reader)} ${money(from)} → ${money(to)}`;
  });
  const more = amounts.length - sums.length;
  return html`${typed(nameLine(line))}${words}${sums}${
    more > 0 && `; and ${reader.count(more, 'more month')}`
  }`;
}

function sayText(text: string): HtmlValue {
  return text === '' ? 'nothing' : typed(text);
}

const TOGETHER = { income: 'All income together', expense: 'All expenses together' } as const;

/** A line that a table changes: before and after. */
interface ChangedLine {
  readonly line: LinePlan;
  readonly input: PastedLine;
  /** The columns of its amounts that change, with both. */
  readonly amounts: readonly (readonly [column: string, from: number, to: number])[];
}

/** What a table would do to the lines of a project. */
interface TableEffect {
  readonly added: readonly PastedLine[];
  readonly changed: readonly ChangedLine[];
  readonly removed: readonly LinePlan[];
  /** How many stay as they are. */
  readonly same: number;
  /** Whether those that stay come in another order. */
  readonly isReordered: boolean;
  /** All lines of each kind together, before and after. */
  readonly sums: readonly (readonly [kind: LineKind, beforeMinor: number, afterMinor: number])[];
}

/** Compares a table with the project. */
export function effectOf(plan: ProjectPlan, { lines }: PastedTable): TableEffect {
  const columns = periodsOf(plan).map(({ key }) => key);
  const byId = new Map(plan.lines.map((line) => [line.id, line]));
  const known = lines.flatMap((input): ChangedLine[] => {
    const line = byId.get(input.id ?? 0);
    if (line === undefined) return [];
    const amounts = columns.flatMap((column) => {
      const [from = 0, to = 0] = [line, input].map((each) => budgetAmount(each.budget, column));
      return from === to ? [] : [[column, from, to] as const];
    });
    return [{ line, input, amounts }];
  });
  const changed = known.filter(({ line, input, amounts }) => {
    return amounts.length > 0 || textsOf(line) !== textsOf(input);
  });
  const kept = new Set(known.map(({ line }) => line));
  const stored = plan.lines.filter((line) => kept.has(line));
  return {
    added: lines.filter(({ id }) => id === undefined),
    changed,
    removed: plan.lines.filter((line) => !kept.has(line)),
    same: known.length - changed.length,
    isReordered: stored.some((line, at) => line !== known[at]?.line),
    sums: kindsOf([...plan.lines, ...lines]).map((kind) => {
      const isOwn = (line: Pick<LinePlan, 'kind'>) => line.kind === kind;
      const [before = 0, after = 0] = [plan.lines, lines].map((all) => sumOf(all.filter(isOwn)));
      return [kind, before, after] as const;
    }),
  };
}

/** The amounts of lines together. */
function sumOf(lines: readonly Pick<LinePlan, 'budget'>[]): number {
  return lines.flatMap(amountsOf).reduce((sum, [, minor]) => sum + minor, 0);
}

function textsOf({ code, name, category, kind, accountCodes }: LinePlan | PastedLine): string {
  return JSON.stringify([code, name, category, kind, accountCodes]);
}
