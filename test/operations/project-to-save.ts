/** Projects to save, of what a test names of them. */

import type { Budget, BudgetLineDraft } from '../../src/core/projects.ts';
import type { ProjectToSave } from '../../src/store/projects.ts';

type Details = Omit<ProjectToSave, 'budgetLines'>;

/** A line: by default without a code, and with nothing budgeted. */
interface Line extends Partial<BudgetLineDraft> {
  readonly name: string;
  /** By month, or in total. */
  readonly amounts?: number | Readonly<Record<string, number>>;
}

export type ProjectInShort = Partial<Details> &
  Pick<Details, 'name' | 'startDate' | 'endDate'> & { readonly budgetLines: readonly Line[] };

export function projectToSave({ budgetLines, ...details }: ProjectInShort): ProjectToSave {
  return {
    ...{ description: null, budgetMode: 'monthly', parentProjectId: null, codes: [] },
    ...{ funderName: null, funderReference: null, toleranceHundredths: 1_000 },
    ...details,
    budgetLines: budgetLines.map(({ amounts, ...line }) => ({
      ...{ code: null, category: null, accountCodes: [], budget: budgetOf(amounts) },
      ...line,
      ...(amounts !== undefined && { budget: budgetOf(amounts) }),
    })),
  };
}

function budgetOf(amounts: Line['amounts'] = {}): Budget {
  return typeof amounts === 'number'
    ? { mode: 'total', totalMinor: amounts }
    : { mode: 'monthly', byMonth: new Map(Object.entries(amounts)) };
}
