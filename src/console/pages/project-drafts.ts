/** A project as its forms have it: texts by the names of the fields, to be read back and saved. */

import {
  countMonths,
  explainDate,
  isCalendarDate,
  monthOf,
  type Period,
  periodsBetween,
} from '../../core/calendar.ts';
import { Failure } from '../../core/failures.ts';
import { formatId, readId } from '../../core/ids.ts';
import { PROJECTS } from '../../core/limits.ts';
import {
  type Budget,
  type BudgetMode,
  spreadTotal,
  tolerancePercentOf,
} from '../../core/projects.ts';
import { type Html, html } from '../../http/html.ts';
import { listAll } from '../../operations/pages.ts';
import type { ProjectPlan } from '../../operations/project-plans.ts';
import { listProjects } from '../../operations/projects.ts';
import { listBelow } from '../../operations/roll-up.ts';
import { Pace } from '../../operations/turns.ts';
import type { LinePlan } from '../../store/budget-lines.ts';
import type { ProjectRecord, ProjectToSave } from '../../store/projects.ts';
import {
  type Field,
  type FormFaults,
  faultsOfDetails,
  fieldOf,
  isFaulty,
  orNull,
  readFields,
  required,
} from '../components/forms.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';

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
    ['tolerance', String(tolerancePercentOf(project.toleranceHundredths) ?? NEVER)],
    ['mode', project.budgetMode],
  ]);
  // A large project has thousands of amounts: each is found and written when it is asked for.
  const budgets = new Map(lines.map(({ id, budget }) => [formatId('bln', id), budget] as const));
  return (name) => {
    const [line = '', column = ''] = name.split('.');
    const minor = budgetAmount(budgets.get(line), column);
    return minor === undefined ? (texts.get(name) ?? '') : reader.money(minor);
  };
}

/** The amount of a month, or the total; undefined where nothing is budgeted. */
export function budgetAmount(budget: Budget | undefined, column: string): number | undefined {
  if (budget?.mode === 'total') return column === 'total' ? budget.totalMinor : undefined;
  return budget?.byMonth.get(column);
}

/** The amounts of a line by month, or its total. */
export function amountsOf({
  budget,
}: Pick<LinePlan, 'budget'>): readonly (readonly [string, number])[] {
  return budget.mode === 'total' ? [['total', budget.totalMinor]] : [...budget.byMonth];
}

/** The name of the field of an amount. */
export function cellName({ id }: Pick<LinePlan, 'id'>, column: string): string {
  return `${formatId('bln', id)}.${column}`;
}

/** The columns of the grid. */
export function periodsOf({ project }: ProjectPlan): readonly Period[] {
  const { budgetMode, startDate, endDate } = project;
  if (budgetMode === 'total') return [{ key: 'total', startDate, endDate }];
  return periodsBetween(startDate, endDate, 'monthly');
}

/** Columns of the grid in words: `Jan 2026 to Mar 2026`, or `Total`. */
export function sayColumns(keys: readonly string[], reader: Reader): string {
  return keys.includes('total') ? 'Total' : reader.months(keys);
}

/** A reader of a day, which is called `what`. */
function dayReader(what: string) {
  return (text: string): string => {
    if (isCalendarDate(text)) return text;
    const found = text === '' ? '' : `${explainDate(text)} `;
    throw new Failure('invalid_input', `${found}Enter the ${what}.`);
  };
}

/** Of a project whose statements ask for no reasons. */
const NEVER = 'never';
const USUAL = 10;

/** An option of the field for the tolerance, also for one that a file has set. */
function toleranceOption(percent: string): readonly [value: string, words: string] {
  return [percent, `if more than ${percent}% off`];
}

/** The details of a project: all but its lines. */
const DETAILS = {
  name: { label: 'Name', read: required('Enter a name.') },
  startDate: { label: 'First day', type: 'date', read: dayReader('first day') },
  endDate: { label: 'Last day', type: 'date', read: dayReader('last day') },
  parent: { label: 'Part of', type: 'select', read: orNull },
  funder: { label: 'Funder', read: orNull },
  reference: { label: 'Funder’s reference', read: orNull },
  tolerance: {
    label: 'Reasons in statements',
    hint: 'A statement asks why a line is off its budget to date.',
    type: 'select',
    options: [
      ...[5, USUAL, 15].map((percent) => toleranceOption(String(percent))),
      [NEVER, 'Never ask'],
    ],
    read: (text: string) => (text === NEVER ? null : Number(text === '' ? USUAL : text)),
  },
  codes: {
    label: 'Project codes',
    hint: `What your finance system calls the project, one code on each line. By account code, a
transaction with a project code is then allocated only to projects with that code.`,
    type: 'textarea',
    // Copied from a row of a spreadsheet, they have tabs between them.
    read: (text: string) => text.split(/[\r\n\t]/).filter((code) => code.trim() !== ''),
  },
  mode: {
    label: 'The budget is given',
    type: 'radio',
    options: [
      ['monthly', 'by month', 'An amount for each line and month.'],
      [
        'total',
        'as one total for each line',
        'Spread evenly over the months; any remainder goes to the first months.',
      ],
    ],
    read: (text: string): BudgetMode => (text === 'total' ? 'total' : 'monthly'),
  },
} as const satisfies Readonly<Record<string, Field>>;

/** The fields of the details. `own`: the project, which can be part of no project below it. */
export function detailFields(
  visit: Visit,
  texts: Texts,
  faults: FormFaults,
  own?: ProjectRecord,
): Html {
  const below = own === undefined ? [] : [own, ...listBelow(visit.access, own)];
  const refused = new Set(below.map(({ id }) => formatId('prj', id)));
  const parents = listAll((page) => listProjects(visit.access, page))
    .map(({ id, name }) => [formatId('prj', id), name] as const)
    .filter(([id]) => !refused.has(id) || id === texts('parent'));
  const shown = Object.entries<Field>(DETAILS).map(([name, field]) => {
    const isChoice = name === 'mode' || name === 'tolerance';
    const value = String((isChoice ? field.read?.(texts(name), []) : texts(name)) ?? 'never');
    const known = field.options ?? [['', 'No other project'] as const, ...parents];
    const isKnown = name !== 'tolerance' || known.some(([each]) => each === value);
    const options = isKnown ? known : [toleranceOption(value), ...known];
    const whole = { autocomplete: 'off', ...field, options, value };
    return fieldOf(name, whole, { faults });
  });
  return html`<div class="fields">${shown.slice(0, -2)}</div>
${shown.slice(-2)}`;
}

type Details = Omit<ProjectToSave, 'id' | 'description' | 'budgetLines'>;

/** The details in a form, and what is wrong with them; then they are undefined. */
export function readProjectDetails(texts: Texts): {
  details: Details | undefined;
  faults: FormFaults;
} {
  const form = { values: (name: string) => [texts(name)] };
  const { values, faults: found } = readFields(DETAILS, form);
  const faults: Record<string, string> = { ...found };
  const areDays = faults['startDate'] === undefined && faults['endDate'] === undefined;
  if (areDays && texts('endDate') < texts('startDate')) {
    faults['endDate'] = 'The last day is before the first day.';
  }
  if (orNull(texts('funder')) === null && orNull(texts('reference')) !== null) {
    faults['funder'] = 'Enter the funder too, not only its reference.';
  }
  if (values === undefined || isFaulty(faults)) return { details: undefined, faults };
  const {
    mode,
    parent,
    funder: funderName,
    reference: funderReference,
    tolerance,
    ...rest
  } = values;
  const details = {
    ...{ ...rest, budgetMode: mode, funderName, funderReference },
    // No project has the number 0.
    parentProjectId: parent === null ? null : (readId('prj', parent) ?? 0),
    toleranceHundredths: tolerance === null ? null : Math.round(100 * tolerance),
  };
  return { details, faults };
}

/** What is wrong with what was to be saved. */
export function faultsOfSaving(
  { code, message: whole, details }: Failure,
  fields: Readonly<Record<string, Pick<Field, 'label'>>> = DETAILS,
): FormFaults {
  const messages = details.map(({ message }) => message).join(' ');
  if (code === 'conflict' || messages === '') {
    return { name: `Nothing was saved. ${messages || whole}` };
  }
  return faultsOfDetails(details, (place) => {
    const [, ofLine] = /^budgetLines\[\d+\]\.(\w+)/.exec(place) ?? [];
    const name = ofLine ?? FIELDS[place] ?? place.replace(/^codes\[\d+\]$/, 'codes');
    return place === 'budgetLines' ? [name] : [name, fields[name]?.label];
  });
}

const FIELDS: Readonly<Record<string, string>> = {
  'funder.name': 'funder',
  'funder.reference': 'reference',
  budgetLines: 'endDate',
  tolerancePercent: 'tolerance',
};

/** The amounts of a line by month that saving would lose. */
export interface LostMonths {
  readonly line: LinePlan;
  /** Each month that would have another amount. */
  readonly months: readonly (readonly [month: string, fromMinor: number, toMinor: number])[];
}

/** A form of a project, read. */
interface ReadPlan {
  /** What is wrong with the details, or else the amounts that cannot be read. */
  readonly faults: FormFaults;
  /** Undefined if something is wrong with the details. */
  readonly input: ProjectToSave | undefined;
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
  const { details, faults: wrong } = readProjectDetails(texts);
  // A project that is too large is refused when it is saved, whatever its amounts are.
  const isSpread =
    details !== undefined &&
    countMonths(details.startDate, details.endDate) * plan.lines.length <= PROJECTS.cells;
  const faults: Record<string, string> = { ...wrong };
  const lost: LostMonths[] = [];
  const keys = periodsOf(plan).map(({ key }) => key);
  const pace = new Pace(AMOUNTS_AT_ONCE);
  const budgetLines: LinePlan[] = [];
  for (const line of plan.lines) {
    const amounts = readAmounts(keys, line, { texts, reader, faults });
    await pace.spend(keys.length);
    if (details === undefined) continue;
    const budget = convert(isSpread ? amounts : new Map(), details);
    budgetLines.push({ ...line, budget });
    if (!isSpread || amounts.has('total')) continue;
    const months = changesOf(amounts, budget, details);
    if (months.length > 0) lost.push({ line, months });
  }
  const input = details && { ...plan.project, ...details, budgetLines };
  return { input, faults, lost };
}

/** Why an amount cannot be expected of income. */
export function sayNotExpected(minor: number, reader: Reader): string {
  return `${reader.money(minor)} is not an amount to expect. Type it without the minus.`;
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
    const isExpected = line.kind !== 'income' || Number(found) >= 0;
    if (typeof found === 'number' && isExpected) amounts.set(key, found);
    else {
      const fault = typeof found === 'number' ? sayNotExpected(found, reader) : found;
      faults[name] = `${line.name}, ${sayColumns([key], reader)}: ${fault}`;
    }
  }
  return amounts;
}

/** The amounts of a line in the mode that the form asks for, within its days. */
function convert(
  amounts: ReadonlyMap<string, number>,
  { budgetMode: mode, startDate, endDate }: Details,
): Budget {
  if (mode === 'total') {
    return { mode, totalMinor: [...amounts.values()].reduce((sum, minor) => sum + minor, 0) };
  }
  const total = amounts.get('total');
  if (total !== undefined) return { mode, byMonth: spreadTotal(total, startDate, endDate) };
  const [first, last] = [monthOf(startDate), monthOf(endDate)];
  const kept = [...amounts].filter(([month]) => first <= month && month <= last);
  return { mode, byMonth: new Map(kept) };
}

/** The months of a line that would have another amount than the one that is typed. */
function changesOf(
  amounts: ReadonlyMap<string, number>,
  budget: Budget,
  { startDate, endDate }: Details,
): LostMonths['months'] {
  const after =
    budget.mode === 'total' ? spreadTotal(budget.totalMinor, startDate, endDate) : budget.byMonth;
  return [...new Set([...amounts.keys(), ...after.keys()])].sort().flatMap((month) => {
    const [from, to] = [amounts.get(month) ?? 0, after.get(month) ?? 0];
    return from === to ? [] : [[month, from, to] as const];
  });
}
