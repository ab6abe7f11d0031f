/**
 * Statements (contract 14): what a funder gets, frozen when it is issued. Figures here are in minor
 * units as people read them, so received is positive; documents have major units.
 */

import type { Currency } from './currencies.ts';
import { toMajor } from './money.ts';
import { isBeyond, type LineKind, tolerancePercentOf, turn } from './projects.ts';

/** The figures of a line, of several, or of the balance. */
interface StatementFigures {
  /** Of the whole project. */
  readonly budget: number;
  readonly before: number;
  readonly period: number;
  readonly changes: number;
  readonly toDate: number;
  readonly budgetToDate: number;
}

/** With what is left of the budget, and how much of it is used. */
interface UsedFigures extends StatementFigures {
  readonly left: number;
  readonly usedPercent: number | null;
}

/** What a line is called. */
interface StatementLineName {
  readonly projectId: string;
  readonly project: string;
  readonly budgetLineId: string;
  readonly code: string | null;
  readonly name: string;
  readonly category: string | null;
  readonly kind: LineKind;
}

/** A line with its sums, which have the sign of money. */
export interface StatementLineSums extends StatementLineName {
  readonly budgetMinor: number;
  readonly budgetToDateMinor: number;
  readonly beforeMinor: number;
  readonly periodMinor: number;
  readonly toDateMinor: number;
}

/** A line of a document. */
interface StatementLine extends StatementLineName, UsedFigures {
  readonly asksReason: boolean;
  readonly reason: string | null;
}

/** The sums of a category. */
interface StatementCategory
  extends UsedFigures,
    Pick<StatementLineName, 'projectId' | 'kind' | 'category'> {}

/** Who did something. */
interface StatementActor {
  readonly id: string | null;
  readonly name: string;
}

/** The document of which the hash is: what never changes once it is issued. */
export interface StatementBody {
  readonly projectId: string;
  readonly project: string;
  readonly number: number;
  readonly issue: number;
  readonly currency: string;
  /** The first month; null if it reports changes alone. */
  readonly from: string | null;
  readonly to: string;
  readonly startDate: string | null;
  readonly endDate: string;
  readonly withSubProjects: boolean;
  readonly funder: { readonly name: string; readonly reference: string | null } | null;
  readonly tolerancePercent: number | null;
  readonly lines: readonly StatementLine[];
  readonly categories: readonly StatementCategory[];
  readonly income: UsedFigures;
  readonly expenses: UsedFigures;
  readonly balance: StatementFigures;
  readonly outside: { readonly count: number; readonly income: number; readonly expenses: number };
  readonly unfinished: {
    readonly unallocated: { readonly count: number; readonly out: number; readonly in: number };
    readonly underReview: { readonly count: number; readonly amount: number };
    readonly reasonsMissing: readonly string[];
  };
  readonly note: string | null;
  readonly issuedAt: string | null;
  readonly issuedBy: StatementActor | null;
}

/** A statement as every door shows it. */
export interface StatementDocument extends StatementBody {
  /** A draft is not stored as a document; a withdrawn one stays readable. */
  readonly status: 'draft' | 'issued' | 'withdrawn';
  readonly withdrawn: {
    readonly at: string;
    readonly by: StatementActor;
    readonly reason: string;
  } | null;
  readonly hash: string | null;
  readonly changedSince: ChangedSince | null;
}

interface ChangedSince {
  readonly count: number;
  readonly income: number;
  readonly expenses: number;
  readonly transactions: readonly {
    readonly transactionId: string;
    readonly date: string;
    readonly description: string;
    readonly budgetLineId: string;
    readonly kind: LineKind;
    readonly reported: number;
    readonly now: number;
    readonly change: number;
  }[];
}

/** Everything that a document is made of. */
export interface StatementFacts {
  readonly head: Pick<
    StatementBody,
    | 'projectId'
    | 'project'
    | 'number'
    | 'issue'
    | 'from'
    | 'to'
    | 'startDate'
    | 'endDate'
    | 'withSubProjects'
    | 'funder'
    | 'note'
    | 'issuedAt'
    | 'issuedBy'
  >;
  readonly currency: Currency;
  readonly toleranceHundredths: number | null;
  /** In their order. */
  readonly lines: readonly StatementLineSums[];
  /** By the identifiers of lines. */
  readonly reasons: Readonly<Record<string, string>>;
  /** With the sign of money. */
  readonly outside: { readonly count: number; readonly incomeMinor: number; expensesMinor: number };
  readonly unallocated: {
    readonly count: number;
    readonly outMinor: number;
    readonly inMinor: number;
  };
  readonly underReview: { readonly count: number; readonly amountMinor: number };
}

/** The figures of a line: its changes are what is true now, less what was reported or is new. */
function figuresOf(line: StatementLineSums): StatementFigures {
  const { budgetMinor: budget, beforeMinor: before, periodMinor: period } = line;
  const { toDateMinor: toDate, budgetToDateMinor: budgetToDate } = line;
  const changes = toDate - before - period;
  const figures = { budget, before, period, changes, toDate, budgetToDate };
  return line.kind === 'income' ? mapFigures(figures, turn) : figures;
}

function mapFigures(
  figures: StatementFigures,
  change: (minor: number, name: keyof StatementFigures) => number,
): StatementFigures {
  return {
    budget: change(figures.budget, 'budget'),
    before: change(figures.before, 'before'),
    period: change(figures.period, 'period'),
    changes: change(figures.changes, 'changes'),
    toDate: change(figures.toDate, 'toDate'),
    budgetToDate: change(figures.budgetToDate, 'budgetToDate'),
  };
}

const NOTHING: StatementFigures = {
  budget: 0,
  before: 0,
  period: 0,
  changes: 0,
  toDate: 0,
  budgetToDate: 0,
};

/** The sum of several. */
function addStatementFigures(all: readonly StatementFigures[]): StatementFigures {
  return all.reduce((sum, each) => mapFigures(sum, (minor, name) => minor + each[name]), NOTHING);
}

/** How much of a budget is used, in whole percent, half away from zero; null without a budget. */
export function usedPercentOf(toDate: number, budget: number): number | null {
  if (budget === 0) return null;
  // 200 times an amount need not be a safe integer.
  const [used, whole] = [BigInt(Math.abs(toDate)), BigInt(Math.abs(budget))];
  const percent = Number((200n * used + whole) / (2n * whole));
  return toDate < 0 !== budget < 0 ? turn(percent) : percent;
}

/** The document of a statement. */
export function buildStatement(facts: StatementFacts): StatementBody {
  const { head, currency, toleranceHundredths, lines, reasons, outside } = facts;
  const { unallocated, underReview } = facts;
  const major = (minor: number) => toMajor(minor, currency.places);
  const used = (figures: StatementFigures): UsedFigures => ({
    ...mapFigures(figures, major),
    left: major(figures.budget - figures.toDate),
    usedPercent: usedPercentOf(figures.toDate, figures.budget),
  });
  const rows = lines.map((line) => ({ line, figures: figuresOf(line) }));
  const written = rows.map(({ line, figures }): StatementLine => {
    const { projectId, project, budgetLineId, code, name, category, kind } = line;
    const { toDate, budgetToDate } = figures;
    return {
      ...{ projectId, project, budgetLineId, code, name, category, kind },
      ...used(figures),
      asksReason: isBeyond(toDate, budgetToDate, toleranceHundredths),
      reason: reasons[budgetLineId] ?? null,
    };
  });
  const sumOf = (wanted: LineKind) => {
    const own = rows.filter(({ line }) => line.kind === wanted);
    return addStatementFigures(own.map(({ figures }) => figures));
  };
  const [income, expenses] = [sumOf('income'), sumOf('expense')];
  const balance = mapFigures(income, (minor, name) => major(minor - expenses[name]));
  const missing = written.filter(({ asksReason, reason }) => asksReason && reason === null);
  return {
    ...head,
    currency: currency.code,
    tolerancePercent: tolerancePercentOf(toleranceHundredths),
    lines: written,
    categories: categoriesOf(rows, used),
    income: used(income),
    expenses: used(expenses),
    balance,
    outside: {
      count: outside.count,
      income: major(turn(outside.incomeMinor)),
      expenses: major(outside.expensesMinor),
    },
    unfinished: {
      unallocated: {
        count: unallocated.count,
        out: major(unallocated.outMinor),
        in: major(unallocated.inMinor),
      },
      underReview: { count: underReview.count, amount: major(underReview.amountMinor) },
      reasonsMissing: missing.map(({ budgetLineId }) => budgetLineId),
    },
  };
}

/** Of lines that have one, in the order of their first line. */
function categoriesOf(
  rows: readonly { line: StatementLineSums; figures: StatementFigures }[],
  used: (figures: StatementFigures) => UsedFigures,
): StatementCategory[] {
  const groups = new Map<string, (typeof rows)[number][]>();
  for (const row of rows) {
    const { projectId, kind, category } = row.line;
    if (category === null) continue;
    const key = JSON.stringify([projectId, kind, category]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { projectId, kind, category } = first.line;
    const sum = addStatementFigures(group.map(({ figures }) => figures));
    return [{ projectId, kind, category, ...used(sum) }];
  });
}

/** JSON with members in the order of their names and without white space (RFC 8785). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
    .join()}}`;
}
