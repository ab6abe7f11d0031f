/** A list of rules, and the project to whose lines they allocate. */

import { ACCOUNT_CODES, accountCodeOf } from './rows.ts';

/** A rule as `rules import` reads it. */
export interface RuleInput {
  readonly name: string;
  readonly conditions: {
    readonly accountCode: { readonly is: string };
    readonly direction?: 'out';
  };
  readonly shares: readonly {
    readonly line: string;
    readonly percent?: number;
    readonly rest?: true;
  }[];
}

/** One for each account code, a quarter of them for money out alone, and half share the amount. */
export const RULES: readonly RuleInput[] = Array.from({ length: ACCOUNT_CODES }, (_, at) => {
  const line = String(1 + at);
  const other = String(1 + ((at + 1) % ACCOUNT_CODES));
  return {
    name: `Rule ${at}`,
    conditions: {
      accountCode: { is: accountCodeOf(at) },
      ...(at % 4 === 0 && { direction: 'out' as const }),
    },
    shares:
      at % 2 === 0
        ? [{ line, percent: 100 }]
        : [
            { line, percent: 60 },
            { line: other, rest: true },
          ],
  };
});

/** The project file. */
export function rulesProject() {
  return {
    name: 'By rules',
    startDate: '2022-12-01',
    endDate: '2026-12-31',
    currency: 'GBP',
    budgetMode: 'total' as const,
    budgetLines: RULES.map((_, at) => ({
      code: String(1 + at),
      name: `Line ${1 + at}`,
      budget: 1000,
    })),
  };
}
