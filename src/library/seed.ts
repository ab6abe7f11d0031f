/** Builds a whole organisation in one call, for tests. */

import type { PushRow } from '../api/contract.ts';
import type { ImportedProject } from '../api/documents.ts';
import { Failure } from '../core/failures.ts';
import { PUSH_ROWS } from '../core/limits.ts';
import type { Plan, Scope } from '../core/plans.ts';
import type { BudgetMode, LineKind } from '../core/projects.ts';
import { atomically } from '../operations/access.ts';
import type { LibraryContext } from './context.ts';
import { buildKeys } from './keys.ts';
import { buildOrganisations } from './organisations.ts';
import { buildProjects } from './projects.ts';
import { buildTransactions } from './transactions.ts';

/** A project as `projects.import` reads it (README). Amounts are in major units. */
export interface ProjectInput {
  readonly name: string;
  readonly description?: string;
  /** `YYYY-MM-DD`. */
  readonly startDate: string;
  /** The last day, included. */
  readonly endDate: string;
  /** The organisation's, if given. */
  readonly currency?: string;
  /** `monthly` by default. */
  readonly budgetMode?: BudgetMode;
  /** The name of another project. */
  readonly parentProject?: string;
  readonly funder?: { readonly name: string; readonly reference?: string };
  /** What finance systems call it, as transactions have it in `projectCode`. */
  readonly codes?: readonly string[];
  /** A statement asks for a reason beyond it: 10 by default, null for none. */
  readonly tolerancePercent?: number | null;
  readonly archived?: boolean;
  readonly budgetLines: readonly {
    readonly code?: string;
    readonly name: string;
    readonly category?: string;
    /** `expense` by default. What is expected on an income line is positive. */
    readonly kind?: LineKind;
    readonly accountCodes?: readonly string[];
    /** An amount for each `YYYY-MM`, or one total, depending on `budgetMode`. */
    readonly budget?: number | Readonly<Record<string, number>>;
  }[];
}

/** One part of a transaction, for the budget line with this code or name. */
export interface SeedAllocation {
  readonly line: string;
  /** Major units, with the transaction's sign; what is left of the transaction by default. */
  readonly amount?: number;
  readonly note?: string;
}

/** What to build. Everything is optional: `{}` is an organisation and nothing else. */
export interface SeedDraft<KeyName extends string = string> {
  /** `Test` by default. */
  readonly name?: string;
  /** `GBP` by default. */
  readonly baseCurrency?: string;
  /** `professional` by default. */
  readonly plan?: Plan;
  /** The scopes of each key, by the key's name. */
  readonly keys?: Readonly<Record<KeyName, readonly Scope[]>>;
  readonly projects?: readonly ProjectInput[];
  /** Any number of rows, stored as if they had been pushed. Money out is positive. */
  readonly transactions?: readonly PushRow[];
  /** By externalId: the code or name of the line that gets all of it, or several parts. */
  readonly allocations?: Readonly<Record<string, string | readonly SeedAllocation[]>>;
}

/** What was built: identifiers, and the keys themselves. */
export interface Seeded<KeyName extends string = string> {
  readonly organisationId: string;
  /** The text of each key by its name, ready for an Authorization header. */
  readonly keys: Readonly<Record<KeyName, string>>;
  /** Identifiers by the project's name. */
  readonly projects: Readonly<Record<string, string>>;
  /** Identifiers by the line's code, or by its name where it has no code. */
  readonly budgetLines: Readonly<Record<string, string>>;
  /** Identifiers by externalId. */
  readonly transactions: Readonly<Record<string, string>>;
}

/** Builds all of it or nothing. Refuses with `invalid_input` or `conflict`. */
export function seed<const KeyName extends string>(
  context: LibraryContext,
  draft: SeedDraft<KeyName>,
): Seeded<KeyName> {
  const { name = 'Test', baseCurrency = 'GBP', plan } = draft;
  return atomically(context, () => {
    const { id } = buildOrganisations(context).create({
      name,
      baseCurrency,
      ...(plan === undefined ? {} : { plan }),
    });
    const keys = buildKeys(context);
    const named = Object.entries<readonly Scope[]>(draft.keys ?? {}).map(
      ([keyName, scopes]) => [keyName, keys.create(id, { name: keyName, scopes }).key] as const,
    );
    const { projects = [] } = draft;
    const imported = projects.length === 0 ? [] : buildProjects(context).import(id, projects);
    const budgetLines = linesOf(imported);
    const transactions = pushAll(context, id, draft.transactions ?? []);
    for (const [externalId, parts] of Object.entries(draft.allocations ?? {})) {
      const transactionId = idFor('transaction', transactions, externalId);
      const list = typeof parts === 'string' ? [{ line: parts }] : parts;
      const inputs = list.map((part) => ({
        budgetLineId: idFor('budget line', budgetLines, part.line),
        amount: part.amount,
        note: part.note,
      }));
      buildTransactions(context).allocate(id, transactionId, inputs);
    }
    return {
      organisationId: id,
      keys: Object.fromEntries(named) as Record<KeyName, string>,
      projects: Object.fromEntries(imported.map(({ name, projectId }) => [name, projectId])),
      budgetLines: Object.fromEntries(budgetLines),
      transactions: Object.fromEntries(transactions),
    };
  });
}

function linesOf(projects: readonly ImportedProject[]): Map<string, string> {
  const lines = new Map<string, string>();
  for (const { code, name, budgetLineId } of projects.flatMap((each) => each.budgetLines)) {
    const label = code ?? name;
    if (lines.has(label)) {
      const message = `Two budget lines are called ${label}. Give each a different code.`;
      throw new Failure('invalid_input', message);
    }
    lines.set(label, budgetLineId);
  }
  return lines;
}

function pushAll(
  context: LibraryContext,
  organisationId: string,
  rows: readonly PushRow[],
): Map<string, string> {
  const ids = new Map<string, string>();
  for (let at = 0; at < rows.length; at += PUSH_ROWS) {
    const batch = rows.slice(at, at + PUSH_ROWS);
    for (const result of buildTransactions(context).push(organisationId, batch).data) {
      if (result.status === 'rejected') {
        const [first] = result.errors;
        const where = `transactions[${at + result.index}].${first?.field ?? ''}`;
        throw new Failure('invalid_input', `${where}: ${first?.message}`);
      }
      if (result.id !== null) ids.set(result.externalId, result.id);
    }
  }
  return ids;
}

function idFor(what: string, ids: ReadonlyMap<string, string>, label: string): string {
  const id = ids.get(label);
  if (id !== undefined) return id;
  const known = ids.size === 0 ? 'none' : [...ids.keys()].slice(0, 10).join(', ');
  throw new Failure('invalid_input', `The seed has no ${what} "${label}". It has: ${known}.`);
}
