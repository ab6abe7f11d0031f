/** A project as its forms have it: texts by the names of the fields, to be read back and saved. */

import { explainDate, isCalendarDate, type Period, periodsBetween } from '../core/calendar.ts';
import type { Currency } from '../core/currencies.ts';
import { formatId } from '../core/ids.ts';
import { type BudgetMode, spreadTotal } from '../core/projects.ts';
import type {
  BudgetLineInput,
  LinePlan,
  ProjectInput,
  ProjectPlan,
} from '../operations/project-plans.ts';
import { type Faults, faultOf, faultsOf } from './forms.ts';
import type { Reader } from './reader.ts';

/** The texts of a form by the names of its fields; empty for a field that it does not have. */
export type Texts = (name: string) => string;

/** What was written, and how the reader writes amounts. */
export interface Style {
  readonly reader: Reader;
  readonly currency: Currency;
}

/** The stored project as its form shows it. */
export function textsOfPlan({ project, lines }: ProjectPlan, style: Style): Texts {
  const texts = new Map<string, string>([
    ['name', project.name],
    ['startDate', project.startDate],
    ['endDate', project.endDate],
    ['parent', project.parentProjectId === null ? '' : formatId('prj', project.parentProjectId)],
    ['funder', project.funderName ?? ''],
    ['reference', project.funderReference ?? ''],
    ['mode', project.budgetMode],
  ]);
  // A large project has thousands of amounts: each is found and written when it is asked for.
  const budgets = new Map(lines.map(({ id, budget }) => [formatId('bln', id), budget] as const));
  return (name) => {
    const [line = '', column = ''] = name.split('.');
    const minor = amountOf(budgets.get(line), column);
    return minor === undefined
      ? (texts.get(name) ?? '')
      : style.reader.money(minor, style.currency);
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

/** A project with the amounts of its grid; `faults` has the amounts that cannot be read. */
export function readPlanForm(
  plan: ProjectPlan,
  texts: Texts,
  { reader, currency }: Style,
): { input: ProjectInput; faults: Faults } {
  const faults: Record<string, string> = { ...faultsOfDetails(texts) };
  const details = readDetails(texts);
  const columns = columnsOf(plan).map(({ key }) => key);
  const budgetLines = plan.lines.map((line) => {
    const amounts: Record<string, number> = {};
    for (const column of columns) {
      const name = cellName(line, column);
      const text = texts(name).trim();
      if (text === '') continue;
      const fault = faultOf(() => {
        amounts[column] = reader.readMoney(text, currency);
      });
      if (fault !== undefined) faults[name] = `${line.name}: ${fault}`;
    }
    const budgetMinor = convert(amounts, plan.project.budgetMode, details);
    return { ...lineInputOf(line), budgetMinor };
  });
  const { description } = plan.project;
  return { input: { ...inputOf(plan), ...details, description, budgetLines }, faults };
}

/** The amounts of a line in the mode that the form asks for. */
function convert(
  amounts: Readonly<Record<string, number>>,
  from: BudgetMode,
  { budgetMode, startDate, endDate }: Omit<ProjectInput, 'budgetLines'>,
): number | Readonly<Record<string, number>> {
  if (budgetMode === 'total') {
    return Object.values(amounts).reduce((sum, minor) => sum + minor, 0);
  }
  if (from === 'monthly') return amounts;
  return Object.fromEntries(spreadTotal(amounts['total'] ?? 0, startDate, endDate));
}
