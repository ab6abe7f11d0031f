/** A project as its forms have it: texts by the names of the fields, to be read back and saved. */

import {
  countMonths,
  explainDate,
  isCalendarDate,
  monthOf,
  type Period,
  periodsBetween,
} from '../../core/calendar.ts';
import { formatId } from '../../core/ids.ts';
import { PROJECT_CELLS } from '../../core/limits.ts';
import { spreadTotal } from '../../core/projects.ts';
import type {
  BudgetLineInput,
  LinePlan,
  ProjectInput,
  ProjectPlan,
} from '../../operations/project-plans.ts';
import { Pace } from '../../operations/turns.ts';
import { type Faults, faultsOf, isFaulty } from '../components/forms.ts';
import type { Reader } from '../session/reader.ts';

/** The texts of a form by the names of its fields; empty for a field that it does not have. */
export type Texts = (name: string) => string;

/** The stored project as its form shows it. */
export function textsOfPlan({ project, lines }: ProjectPlan, reader: Reader): Texts {
  const texts = new Map<string, string>([
    ['name', project.name],
    ['startDate', project.startDate],
    ['endDate', project.endDate],
    ['parent', project.parentProjectId === null ? '' : formatId('prj', project.parentProjectId)],
    ['funder', project.funderName ?? ''],
    ['reference', project.funderReference ?? ''],
    ['codes', project.codes.join('\n')],
    ['mode', project.budgetMode],
  ]);
  // A large project has thousands of amounts: each is found and written when it is asked for.
  const budgets = new Map(lines.map(({ id, budget }) => [formatId('bln', id), budget] as const));
  return (name) => {
    const [line = '', column = ''] = name.split('.');
    const minor = amountOf(budgets.get(line), column);
    return minor === undefined ? (texts.get(name) ?? '') : reader.money(minor);
  };
}

/** The amount of a month, or the total; undefined where nothing is budgeted. */
export function amountOf(
  budget: LinePlan['budget'] | undefined,
  column: string,
): number | undefined {
  if (budget?.mode === 'total') return column === 'total' ? budget.totalMinor : undefined;
  return budget?.byMonth.get(column);
}

/** The amounts of a line by month, or its total. */
export function amountsOf({ budget }: LinePlan): readonly (readonly [string, number])[] {
  return budget.mode === 'total' ? [['total', budget.totalMinor]] : [...budget.byMonth];
}

/** The name of the field of an amount. */
export function cellName({ id }: Pick<LinePlan, 'id'>, column: string): string {
  return `${formatId('bln', id)}.${column}`;
}

/** The columns of the grid. */
export function columnsOf({ project }: ProjectPlan): readonly Period[] {
  const { budgetMode, startDate, endDate } = project;
  if (budgetMode === 'total') return [{ key: 'total', startDate, endDate }];
  return periodsBetween(startDate, endDate, 'monthly');
}

/** Columns of the grid in words: `Jan 2026 to Mar 2026`, or `Total`. */
export function sayColumns(keys: readonly string[], reader: Reader): string {
  return keys.includes('total') ? 'Total' : reader.months(keys);
}

/** The project to save, as it is stored: every form changes a part of it. */
export function inputOf({ project, lines }: ProjectPlan): ProjectInput {
  const { parentProjectId, funderName, funderReference } = project;
  return {
    projectId: formatId('prj', project.id),
    name: project.name,
    description: project.description,
    startDate: project.startDate,
    endDate: project.endDate,
    budgetMode: project.budgetMode,
    parentProjectId: parentProjectId === null ? null : formatId('prj', parentProjectId),
    funder: funderName === null ? null : { name: funderName, reference: funderReference },
    codes: project.codes,
    budgetLines: lines.map(lineInputOf),
  };
}

function lineInputOf(line: LinePlan): BudgetLineInput {
  const { id, code, name, category, accountCodes, budget } = line;
  const budgetMinor =
    budget.mode === 'total' ? budget.totalMinor : Object.fromEntries(budget.byMonth);
  return { budgetLineId: formatId('bln', id), code, name, category, accountCodes, budgetMinor };
}

/** The details in a form: all but the lines. */
export function readDetails(texts: Texts): Omit<ProjectInput, 'budgetLines'> {
  const [parent, funder, reference] = [texts('parent'), texts('funder'), texts('reference')];
  return {
    name: texts('name'),
    startDate: texts('startDate'),
    endDate: texts('endDate'),
    budgetMode: texts('mode') === 'total' ? 'total' : 'monthly',
    parentProjectId: parent === '' ? null : parent,
    funder:
      funder.trim() === ''
        ? null
        : { name: funder, reference: reference.trim() === '' ? null : reference },
    // Copied from a row of a spreadsheet, they have tabs between them.
    codes: texts('codes')
      .split(/[\r\n\t]/)
      .filter((code) => code.trim() !== ''),
  };
}

/** What is wrong with the details in a form, in the words of a form. */
export function faultsOfDetails(texts: Texts): Faults {
  const day = (name: string, what: string) => {
    const text = texts(name);
    return isCalendarDate(text)
      ? undefined
      : text === ''
        ? `Enter the ${what}.`
        : explainDate(text);
  };
  const [startDate, endDate] = [day('startDate', 'first day'), day('endDate', 'last day')];
  const isBackward = texts('endDate') < texts('startDate');
  const hasFunder = texts('funder').trim() !== '' || texts('reference').trim() === '';
  return faultsOf({
    name: texts('name').trim() === '' ? 'Enter a name.' : undefined,
    startDate,
    endDate:
      endDate ??
      (startDate === undefined && isBackward ? 'The last day is before the first day.' : undefined),
    funder: hasFunder ? undefined : 'Enter the funder too, not only its reference.',
  });
}

/** The amounts of a line by month that saving would lose. */
export interface LostMonths {
  readonly line: LinePlan;
  /** Each month that would have another amount. */
  readonly months: readonly (readonly [month: string, fromMinor: number, toMinor: number])[];
}

/** A form of a project, read. */
export interface ReadPlan {
  readonly input: ProjectInput;
  /** The amounts that cannot be read, and what is wrong with the details. */
  readonly faults: Faults;
  /** Empty unless the days or the mode of the budget change. */
  readonly lost: readonly LostMonths[];
}

/** Amounts that are read before other requests have their turn. */
const AMOUNTS_AT_ONCE = 300;

/** Reads a project with the amounts of its grid. */
export async function readPlanForm(
  plan: ProjectPlan,
  texts: Texts,
  reader: Reader,
): Promise<ReadPlan> {
  const wrong = faultsOfDetails(texts);
  const details = readDetails(texts);
  const { startDate, endDate, budgetMode } = details;
  // A project that is too large is refused when it is saved, whatever its amounts are.
  const isSpread =
    !isFaulty(wrong) && countMonths(startDate, endDate) * plan.lines.length <= PROJECT_CELLS;
  const faults: Record<string, string> = { ...wrong };
  const lost: LostMonths[] = [];
  const keys = columnsOf(plan).map(({ key }) => key);
  const pace = new Pace(AMOUNTS_AT_ONCE);
  const budgetLines: BudgetLineInput[] = [];
  for (const line of plan.lines) {
    const amounts = readAmounts(keys, line, { texts, reader, faults });
    await pace.spend(keys.length);
    if (!isSpread) {
      budgetLines.push({ ...lineInputOf(line), budgetMinor: budgetMode === 'total' ? 0 : {} });
      continue;
    }
    const budgetMinor = convert(amounts, details);
    budgetLines.push({ ...lineInputOf(line), budgetMinor });
    const changed = amounts.has('total') ? [] : changesOf(amounts, budgetMinor, details);
    if (changed.length > 0) lost.push({ line, months: changed });
  }
  const { description } = plan.project;
  return { input: { ...inputOf(plan), ...details, description, budgetLines }, faults, lost };
}

/** The amounts that are typed for a line, by its columns. */
function readAmounts(
  keys: readonly string[],
  line: LinePlan,
  { texts, reader, faults }: { texts: Texts; reader: Reader; faults: Record<string, string> },
): Map<string, number> {
  const amounts = new Map<string, number>();
  for (const key of keys) {
    const name = cellName(line, key);
    const text = texts(name).trim();
    if (text === '') continue;
    const found = reader.findMoney(text);
    if (typeof found === 'number') amounts.set(key, found);
    else faults[name] = `${line.name}: ${found}`;
  }
  return amounts;
}

/** The amounts of a line in the mode that the form asks for, within its days. */
function convert(
  amounts: ReadonlyMap<string, number>,
  { budgetMode, startDate, endDate }: Omit<ProjectInput, 'budgetLines'>,
): number | Readonly<Record<string, number>> {
  if (budgetMode === 'total') return [...amounts.values()].reduce((sum, minor) => sum + minor, 0);
  const total = amounts.get('total');
  if (total !== undefined) return Object.fromEntries(spreadTotal(total, startDate, endDate));
  const [first, last] = [monthOf(startDate), monthOf(endDate)];
  return Object.fromEntries([...amounts].filter(([month]) => first <= month && month <= last));
}

/** The months of a line that would have another amount than the one that is typed. */
function changesOf(
  amounts: ReadonlyMap<string, number>,
  budgetMinor: number | Readonly<Record<string, number>>,
  { startDate, endDate }: Omit<ProjectInput, 'budgetLines'>,
): LostMonths['months'] {
  const after =
    typeof budgetMinor === 'number'
      ? spreadTotal(budgetMinor, startDate, endDate)
      : new Map(Object.entries(budgetMinor));
  return [...new Set([...amounts.keys(), ...after.keys()])].sort().flatMap((month) => {
    const [from, to] = [amounts.get(month) ?? 0, after.get(month) ?? 0];
    return from === to ? [] : [[month, from, to] as const];
  });
}
