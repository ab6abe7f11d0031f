/** A table of budget lines as spreadsheets copy it, and what it would change in a project. */

import { count } from '../core/counts.ts';
import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import type { BudgetLineInput, LinePlan, ProjectPlan } from '../operations/project-plans.ts';
import { nameLine } from './lines.ts';
import { amountsOf, columnsOf, type Style } from './project-drafts.ts';

/** The columns before the amounts. */
const TEXTS = ['Code', 'Line', 'Category', 'Account codes'] as const;

/** The lines of a project as a table. */
export function writeTable(plan: ProjectPlan, { reader, currency }: Style): string {
  const columns = columnsOf(plan).map(({ key }) => key);
  const rows = plan.lines.map((line) => {
    const amounts = new Map(amountsOf(line));
    const { code, name, category, accountCodes } = line;
    const cells = columns.map((column) => {
      const minor = amounts.get(column);
      return minor === undefined ? '' : reader.field(minor, currency);
    });
    return [code ?? '', name, category ?? '', accountCodes.join(', '), ...cells];
  });
  return [[...TEXTS, ...columns], ...rows].map((cells) => cells.join('\t')).join('\n');
}

/** What a table says. */
export interface PastedTable {
  /** Every line of the table, whole: what it has no column for is as stored. */
  readonly lines: readonly BudgetLineInput[];
  /** Columns that it does not have. */
  readonly leftOut: readonly string[];
}

/** Reads a table with tabs. Refuses with `invalid_input`, and names the row. */
export function readTable(text: string, plan: ProjectPlan, style: Style): PastedTable {
  const [head = '', ...rest] = text.split(/\r?\n/);
  const columns = columnsOf(plan).map(({ key }) => key);
  const expected: readonly string[] = [...TEXTS, ...columns];
  const heads = cellsOf(head);
  refuseHeads(heads, expected, columns);
  const rowOf = new Map<number, number>();
  const lines = rest.flatMap((row, at): BudgetLineInput[] => {
    const cells = cellsOf(row);
    if (row.trim() === '') return [];
    const number = at + 2;
    if (cells.length > heads.length) {
      const counts = `${count(cells.length, 'cell')} for ${count(heads.length, 'column')}`;
      throw new Failure('invalid_input', `Row ${number} has ${counts}.`);
    }
    // Undefined for a column that the table does not have.
    const cell = (name: string) => {
      const place = heads.indexOf(name);
      return place < 0 ? undefined : (cells[place] ?? '');
    };
    const stored = findStored(plan, cell('Code'), cell('Line') ?? '', number);
    if (stored !== undefined) {
      const earlier = rowOf.get(stored.id);
      if (earlier !== undefined) {
        const message = `Row ${number} is the line of row ${earlier}: ${nameLine(stored)}.`;
        throw new Failure('invalid_input', message);
      }
      rowOf.set(stored.id, number);
    }
    const amounts = readAmounts(columns, cell, { stored, style, number });
    return [inputOfRow(cell, amounts, plan, stored)];
  });
  return { lines, leftOut: expected.filter((name) => !heads.includes(name)) };
}

/** Without what a spreadsheet has at the right of a row. */
function cellsOf(row: string): string[] {
  return row
    .trimEnd()
    .split('\t')
    .map((cell) => cell.trim());
}

function refuseHeads(
  heads: readonly string[],
  expected: readonly string[],
  columns: readonly string[],
): void {
  const list = `${TEXTS.join(', ')} and ${columns[0]} to ${columns.at(-1)}`;
  if (!heads.includes('Line')) {
    throw new Failure('invalid_input', `The first row names the columns: ${list}.`);
  }
  for (const [at, name] of heads.entries()) {
    if (!expected.includes(name)) {
      const message = `Unknown column "${name}". The columns are ${list}.`;
      throw new Failure('invalid_input', message);
    }
    if (heads.indexOf(name) === at) continue;
    throw new Failure('invalid_input', `There are two columns "${name}". Leave one of them out.`);
  }
}

/** The stored line of a row: by its code, or a row without a code by its name. */
function findStored(
  { lines }: ProjectPlan,
  code: string | undefined,
  name: string,
  number: number,
): LinePlan | undefined {
  if (code !== undefined && code !== '') return lines.find((line) => line.code === code);
  const named = lines.filter((line) => {
    return line.name === name && (code === undefined || line.code === null);
  });
  if (named.length < 2) return named[0];
  const message = `Row ${number}: several lines are called "${name}". Add the column Code.`;
  throw new Failure('invalid_input', message);
}

type Cell = (name: string) => string | undefined;

function readAmounts(
  columns: readonly string[],
  cell: Cell,
  { stored, style, number }: { stored: LinePlan | undefined; style: Style; number: number },
): Readonly<Record<string, number>> {
  const { reader, currency } = style;
  const known = new Map(stored === undefined ? [] : amountsOf(stored));
  const amounts: Record<string, number> = {};
  for (const column of columns) {
    const text = cell(column);
    const minor = known.get(column);
    if (text === undefined && minor !== undefined) amounts[column] = minor;
    if (text === undefined || text === '') continue;
    try {
      amounts[column] = reader.readMoney(text, currency);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new Failure('invalid_input', `Row ${number}, ${column}: ${error.message}`);
    }
  }
  return amounts;
}

function inputOfRow(
  cell: Cell,
  amounts: Readonly<Record<string, number>>,
  { project }: ProjectPlan,
  stored: LinePlan | undefined,
): BudgetLineInput {
  const read = (name: string, known: string | null | undefined) => {
    const text = cell(name);
    return text === undefined ? (known ?? null) : text === '' ? null : text;
  };
  const codes = cell('Account codes')
    ?.split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  return {
    ...(stored === undefined ? {} : { budgetLineId: formatId('bln', stored.id) }),
    code: read('Code', stored?.code),
    name: cell('Line') ?? '',
    category: read('Category', stored?.category),
    accountCodes: codes ?? stored?.accountCodes ?? [],
    budgetMinor: project.budgetMode === 'total' ? (amounts['total'] ?? 0) : amounts,
  };
}

/** A line that a table changes: before and after. */
export interface ChangedLine {
  readonly line: LinePlan;
  readonly input: BudgetLineInput;
  /** The columns of its amounts that change, with both. */
  readonly amounts: readonly (readonly [column: string, from: number, to: number])[];
}

/** What a table would do to the lines of a project. */
export interface TableEffect {
  readonly added: readonly BudgetLineInput[];
  readonly changed: readonly ChangedLine[];
  readonly removed: readonly LinePlan[];
  /** How many stay as they are. */
  readonly same: number;
  /** Whether those that stay come in another order. */
  readonly isReordered: boolean;
  readonly beforeMinor: number;
  readonly afterMinor: number;
}

/** Compares a table with the project. */
export function effectOf(plan: ProjectPlan, { lines }: PastedTable): TableEffect {
  const columns = columnsOf(plan).map(({ key }) => key);
  const byId = new Map(plan.lines.map((line) => [formatId('bln', line.id), line]));
  const known = lines.flatMap((input): ChangedLine[] => {
    const line = byId.get(input.budgetLineId ?? '');
    if (line === undefined) return [];
    const before = new Map(amountsOf(line));
    const amounts = columns.flatMap((column) => {
      const [from, to] = [before.get(column) ?? 0, amountIn(input, column)];
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
    added: lines.filter(({ budgetLineId }) => budgetLineId === undefined),
    changed,
    removed: plan.lines.filter((line) => !kept.has(line)),
    same: known.length - changed.length,
    isReordered: stored.some((line, at) => line !== known[at]?.line),
    beforeMinor: addUp(plan.lines.flatMap((line) => amountsOf(line).map(([, minor]) => minor))),
    afterMinor: addUp(lines.map(sumOf)),
  };
}

/** The amounts of a line of a table together. */
export function sumOf({ budgetMinor = 0 }: BudgetLineInput): number {
  return typeof budgetMinor === 'number' ? budgetMinor : addUp(Object.values(budgetMinor));
}

function amountIn({ budgetMinor = 0 }: BudgetLineInput, column: string): number {
  return typeof budgetMinor === 'number' ? budgetMinor : (budgetMinor[column] ?? 0);
}

function textsOf({ code, name, category, accountCodes }: LinePlan | BudgetLineInput): string {
  return JSON.stringify([code, name, category, accountCodes]);
}

function addUp(minors: readonly number[]): number {
  return minors.reduce((sum, minor) => sum + minor, 0);
}
