/** A table of budget lines as spreadsheets copy it, read into the lines of a project. */

import { countMonths } from '../../core/calendar.ts';
import { count } from '../../core/counts.ts';
import { PROJECTS } from '../../core/limits.ts';
import { type BudgetLineDraft, kindsOf, type LineKind, nameLine } from '../../core/projects.ts';
import type { ProjectPlan } from '../../operations/project-plans.ts';
import type { Steps } from '../../operations/turns.ts';
import type { LinePlan } from '../../store/budget-lines.ts';
import { amountsOf, periodsOf, sayColumns, sayNotExpected } from '../pages/project-drafts.ts';
import type { Reader } from '../session/reader.ts';
import { splitTable, type TableRow } from './cells.ts';
import { findKind, TEXTS, type TextName } from './heads.ts';
import { isWrong, layOut, nameColumn, type PastedLayout } from './layout.ts';
import { compareSums, isTotalName, TotalRows } from './sums.ts';

export const NAMES = Object.keys(TEXTS) as TextName[];

export function writeTable(plan: ProjectPlan, reader: Reader): string {
  const columns = periodsOf(plan).map(({ key }) => key);
  const texts = textsIn(plan);
  const rows = plan.lines.map((line) => {
    const amounts = new Map(amountsOf(line));
    const cells = columns.map((column) => {
      const minor = amounts.get(column);
      return minor === undefined ? '' : reader.field(minor);
    });
    return [...texts.map((name) => textOf(line, name)), ...cells];
  });
  return joinTable([[...texts.map((name) => TEXTS[name]), ...columns], ...rows]);
}

/** Rows as a text that `splitTable` reads. */
function joinTable(rows: readonly (readonly string[])[]): string {
  const quote = (cell: string) => (cell.startsWith('"') ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((cells) => cells.map(quote).join('\t')).join('\n');
}

/** The texts that lines of a project have: kinds only where there is income. */
function textsIn({ lines }: ProjectPlan): readonly TextName[] {
  return kindsOf(lines).length > 1 ? NAMES : NAMES.filter((name) => name !== 'kind');
}

/** A text of a line, as the page and the table write it. */
export function textOf(line: Pick<LinePlan, TextName>, name: TextName): string {
  if (name === 'accountCodes') return line.accountCodes.join(', ');
  if (name === 'kind') return line.kind === 'income' ? 'Income' : 'Expense';
  return line[name] ?? '';
}

/** A line of a table, whole: what the table has no column for is as stored. */
export interface PastedLine extends BudgetLineDraft {
  readonly kind: LineKind;
}

export interface PastedTable {
  readonly lines: readonly PastedLine[];
  /** The row of each line. */
  readonly rows: readonly number[];
  /** What is not taken of the table, and sums in it that differ: sentences. */
  readonly notes: readonly string[];
  /** Everything that is wrong, with its place: then the lines are not whole. */
  readonly faults: readonly string[];
}

/** Rows that are named one by one, and totals that are compared until so many differ. */
const NAMED = 20;
/** Columns that a table can have besides the months of its project. */
const SPARE_COLUMNS = 100;

function sayTooLarge(columns: number): string {
  const { pastedRows, pastedCells } = PROJECTS;
  const most = `${count(pastedRows, 'row')}, ${count(pastedCells, 'cell')}`;
  return `A table has at most ${most} and ${count(columns, 'column')}. Copy less of the sheet.`;
}

/** Cells whose rows are read in one step. */
const CELLS_AT_ONCE = 1_000;

export function* readPaste(text: string, plan: ProjectPlan, reader: Reader): Steps<PastedTable> {
  const table = yield* splitTable(text);
  const { startDate, endDate } = plan.project;
  const most = countMonths(startDate, endDate) + SPARE_COLUMNS;
  if (table === undefined || (table[0]?.cells.length ?? 0) > most) {
    return { lines: [], rows: [], notes: [], faults: [sayTooLarge(most)] };
  }
  yield;
  const layout = yield* layOut(table, plan, reader);
  yield;
  const reading = new Reading(layout, plan, reader);
  if (layout.texts.has('name')) yield* reading.readAll();
  const { lines, totals, headings, kinds, differences, faults } = reading;
  const rows = lines.map(({ row }) => row);
  const missing = textsIn(plan).filter((name) => {
    return !layout.texts.has(name) && !(name === 'kind' && kinds.length > 0);
  });
  const sums = yield* compareSums(layout, rows, reader);
  const texts = missing.map((name) => TEXTS[name]);
  const columns = periodsOf(plan).flatMap(({ key }) => (layout.amounts.has(key) ? [] : [key]));
  const stored = [...texts, ...(columns.length > 0 ? [sayColumns(columns, reader)] : [])];
  const say = (what: string, items: readonly string[], end = '.') => {
    const more = items.length > NAMED ? ` and ${items.length - NAMED} more` : '';
    return items.length === 0 ? [] : [`${what}: ${items.slice(0, NAMED).join(', ')}${more}${end}`];
  };
  return {
    lines: lines.map(({ input }) => input),
    rows: rows.map(({ number }) => number),
    notes: [
      ...say('Not in the table, so it does not change', stored),
      ...layout.notes,
      ...say(
        'Left out, because they are totals',
        totals,
        '. To make a line of one, give it a code.',
      ),
      ...say(
        'Left out, because they have no amounts',
        headings,
        '. To make a line of one, write 0.',
      ),
      ...say('The kind of the lines below', kinds),
      ...differences,
      ...sums,
    ],
    faults: [...layout.faults, ...faults],
  };
}

/** Reads the rows of a table from top to bottom. */
class Reading {
  readonly lines: { readonly row: TableRow; readonly input: PastedLine }[] = [];
  /** Rows that do not become lines, by their places. */
  readonly totals: string[] = [];
  readonly headings: string[] = [];
  readonly kinds: string[] = [];
  /** Where totals differ from the rows above. */
  readonly differences: string[] = [];
  readonly faults: string[] = [];
  /** What the last heading above says the lines are. */
  #kind: LineKind | undefined;
  readonly #layout: PastedLayout;
  readonly #isTotal: boolean;
  readonly #reader: Reader;
  readonly #byCode: ReadonlyMap<string | null, readonly LinePlan[]>;
  readonly #byName: Map<string, LinePlan[]> = new Map();
  readonly #totalRows: TotalRows;
  /** The rows of stored lines. */
  readonly #rowOf = new Map<number, number>();

  constructor(layout: PastedLayout, plan: ProjectPlan, reader: Reader) {
    this.#layout = layout;
    this.#isTotal = plan.project.budgetMode === 'total';
    this.#byCode = new Map(plan.lines.map((line) => [line.code, [line]]));
    for (const line of plan.lines) {
      const named = this.#byName.get(line.name);
      if (named === undefined) this.#byName.set(line.name, [line]);
      else named.push(line);
    }
    this.#totalRows = new TotalRows(layout, reader);
    this.#reader = reader;
  }

  *readAll(): Steps<void> {
    const { rows } = this.#layout;
    const amounts = rows.map((row) => this.#hasAmounts(row) && !this.#isSum(row));
    const last = amounts.lastIndexOf(true);
    const rowsAtOnce = Math.ceil(CELLS_AT_ONCE / this.#layout.heads.length);
    for (const [at, row] of rows.entries()) {
      if (at % rowsAtOnce === 0) yield;
      const label = this.#labelOf(row);
      const place = `row ${row.number}${label === '' ? '' : ` ${label}`}`;
      const next = rows[at + 1];
      const isAbove = at < last && next !== undefined && !this.#isSum(next);
      if (this.#isSum(row)) {
        this.totals.push(place);
        const isOne = this.differences.length < NAMED;
        const difference = isOne ? this.#totalRows.compare(row, label) : undefined;
        if (difference !== undefined) this.differences.push(difference);
      } else if (isAbove && this.#isBare(row)) {
        const kind = findKind(label);
        if (kind === undefined) this.headings.push(place);
        else {
          this.#kind = kind;
          this.kinds.push(place);
        }
      } else if (label !== '' || this.#hasAmounts(row)) {
        this.lines.push({ row, input: this.#readLine(row) });
        this.#totalRows.addLine(row);
      }
    }
  }

  /** The text of a row by which people know it. */
  #labelOf(row: TableRow): string {
    const texts = ['name', 'code', 'category'] as const;
    return texts.map((name) => this.#cell(row, name) ?? '').find((text) => text !== '') ?? '';
  }

  /** Undefined for a column that the table does not have. */
  #cell({ cells }: TableRow, name: TextName): string | undefined {
    const place = this.#layout.texts.get(name);
    return place === undefined ? undefined : cells[place];
  }

  #hasAmounts(row: TableRow): boolean {
    const { amounts, sums } = this.#layout;
    const places = [...amounts.values(), ...sums.map(({ at }) => at)];
    return places.some((place) => row.cells[place] !== '');
  }

  /** Whether a row is a total and no line. */
  #isSum(row: TableRow): boolean {
    const label = this.#labelOf(row);
    const code = this.#cell(row, 'code') ?? '';
    if (label === '') return this.#totalRows.isSum(row);
    if (!isTotalName(label) || (code !== '' && code !== label)) return false;
    return this.#findStored(row).length === 0;
  }

  /** Whether a row has a name and nothing else. */
  #isBare(row: TableRow): boolean {
    const label = this.#labelOf(row);
    const isAlone = row.cells.every((cell) => cell === '' || cell === label);
    return isAlone && this.#layout.amounts.size > 0 && this.#findStored(row).length === 0;
  }

  /** The stored lines that a row can be: by its code, or without a code by its name. */
  #findStored(row: TableRow): readonly LinePlan[] {
    const [code, name] = [this.#cell(row, 'code'), this.#cell(row, 'name')];
    if (code !== undefined && code !== '') return this.#byCode.get(code) ?? [];
    const named = this.#byName.get(name ?? '') ?? [];
    return code === undefined ? named : named.filter((line) => line.code === null);
  }

  #readLine(row: TableRow): PastedLine {
    const { number } = row;
    const name = this.#cell(row, 'name') ?? '';
    const [stored, another] = this.#findStored(row);
    if (name === '') this.faults.push(`Row ${number} has no name.`);
    if (another !== undefined) {
      this.faults.push(`Row ${number}: several lines are called "${name}". Add the column Code.`);
    }
    const earlier = stored && this.#rowOf.get(stored.id);
    if (stored !== undefined && earlier !== undefined) {
      this.faults.push(`Row ${number} is the line of row ${earlier}: ${nameLine(stored)}.`);
    }
    if (stored !== undefined) this.#rowOf.set(stored.id, number);
    const kind = this.#readKind(row) ?? this.#kind ?? stored?.kind ?? 'expense';
    const amounts = this.#readAmounts(row, kind, stored);
    const read = (text: TextName, known: string | null | undefined) => {
      const cell = this.#cell(row, text);
      return cell === undefined ? (known ?? null) : cell === '' ? null : cell;
    };
    const codes = this.#cell(row, 'accountCodes')
      ?.split(/[,;]/)
      .map((each) => each.trim())
      .filter((each) => each !== '');
    return {
      id: stored?.id,
      code: read('code', stored?.code),
      name,
      category: read('category', stored?.category),
      kind,
      accountCodes: codes ?? stored?.accountCodes ?? [],
      budget: this.#isTotal
        ? { mode: 'total', totalMinor: amounts.get('total') ?? 0 }
        : { mode: 'monthly', byMonth: amounts },
    };
  }

  /** Undefined where the table has no column or cell of it. */
  #readKind(row: TableRow): LineKind | undefined {
    const text = this.#cell(row, 'kind') ?? '';
    const kind = findKind(text);
    if (kind === undefined && text !== '') {
      this.faults.push(`Row ${row.number}, ${TEXTS.kind}: write Income or Expense, not “${text}”.`);
    }
    return kind;
  }

  /** The amounts of a line: those of columns that the table does not have are as stored. */
  #readAmounts(row: TableRow, kind: LineKind, stored: LinePlan | undefined) {
    const amounts = new Map(stored && amountsOf(stored));
    for (const [key, place] of this.#layout.amounts) {
      const read = this.#layout.read(row.cells[place] ?? '');
      const isTurned = kind === 'income' && typeof read === 'number' && read < 0;
      const found = isTurned ? sayNotExpected(read, this.#reader) : read;
      if (isWrong(found)) {
        const where = `Row ${row.number}, ${nameColumn(this.#layout, place)}`;
        this.faults.push(`${where}: ${found}`);
      } else if (found === undefined) amounts.delete(key);
      else amounts.set(key, found);
    }
    return amounts;
  }
}
