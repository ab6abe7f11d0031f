/**
 * Statements (contract 14): what a funder gets, frozen when it is issued. Figures here are in minor
 * units as people read them, so received is positive; documents have major units.
 */

import type { Currency } from './currencies.ts';
import { groupBy } from './groups.ts';
import { toMajor } from './money.ts';
import { isBeyond, type LineKind, tolerancePercentOf, turn } from './projects.ts';

/** The figures of a line, in their order; the budget is that of the whole project. */
const FIGURES = ['budget', 'before', 'period', 'changes', 'toDate', 'budgetToDate'] as const;

/** The figures of a line, of several, or of the balance. */
type StatementFigures = Readonly<Record<(typeof FIGURES)[number], number>>;

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

/** A line with its figures in minor units. */
export interface CountedLine extends StatementLineName {
  readonly figures: StatementFigures;
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

/** What a document says of itself. */
interface StatementHead {
  readonly projectId: string;
  readonly project: string;
  readonly number: number;
  readonly issue: number;
  /** The first month; null if it reports changes alone. */
  readonly from: string | null;
  readonly to: string;
  readonly startDate: string | null;
  readonly endDate: string;
  readonly withSubProjects: boolean;
  readonly funder: { readonly name: string; readonly reference: string | null } | null;
  readonly note: string | null;
  readonly issuedAt: string | null;
  readonly issuedBy: StatementActor | null;
}

/** The document of which the hash is: what never changes once it is issued. */
export interface StatementBody extends StatementHead {
  readonly currency: string;
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
  readonly changedSince: {
    readonly count: number;
    readonly income: number;
    readonly expenses: number;
    readonly transactions: readonly StatementChange[];
  } | null;
}

/** What is counted otherwise of a transaction and a line: in minor units until it is shown. */
export interface StatementChange {
  readonly transactionId: string;
  readonly date: string;
  readonly description: string;
  readonly budgetLineId: string;
  readonly kind: LineKind;
  readonly reported: number;
  readonly now: number;
  readonly change: number;
}

/** Everything that a document is made of. */
export interface StatementFacts {
  readonly head: StatementHead;
  readonly currency: Currency;
  readonly toleranceHundredths: number | null;
  /** In their order. */
  readonly lines: readonly CountedLine[];
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

function figuresOf(read: (name: keyof StatementFigures) => number): StatementFigures {
  return Object.fromEntries(FIGURES.map((name) => [name, read(name)])) as StatementFigures;
}

/** The sum of several. */
function addLines(lines: readonly CountedLine[]): StatementFigures {
  return figuresOf((name) => lines.reduce((sum, { figures }) => sum + figures[name], 0));
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
    ...figuresOf((name) => major(figures[name])),
    left: major(figures.budget - figures.toDate),
    usedPercent: usedPercentOf(figures.toDate, figures.budget),
  });
  const written = lines.map(({ figures, ...line }): StatementLine => {
    const { toDate, budgetToDate } = figures;
    return {
      ...line,
      ...used(figures),
      asksReason: isBeyond(toDate, budgetToDate, toleranceHundredths),
      reason: reasons[line.budgetLineId] ?? null,
    };
  });
  const sumOf = (wanted: LineKind) => addLines(lines.filter(({ kind }) => kind === wanted));
  const [income, expenses] = [sumOf('income'), sumOf('expense')];
  const missing = written.filter(({ asksReason, reason }) => asksReason && reason === null);
  return {
    ...head,
    currency: currency.code,
    tolerancePercent: tolerancePercentOf(toleranceHundredths),
    lines: written,
    categories: listCategories(lines).map((group) => {
      const [{ projectId, kind, category }] = group;
      return { projectId, kind, category, ...used(addLines(group)) };
    }),
    income: used(income),
    expenses: used(expenses),
    balance: figuresOf((name) => major(income[name] - expenses[name])),
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

/** The lines of each category, in the order of their first line. */
function listCategories(lines: readonly CountedLine[]) {
  const ofCategories = lines.filter(({ category }) => category !== null);
  const groups = groupBy(ofCategories, ({ projectId, kind, category }) => {
    return JSON.stringify([projectId, kind, category]);
  });
  return [...groups.values()];
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
