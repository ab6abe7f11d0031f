/** An organisation with something in every field where people or programs can put a text. */

import { formatId } from '../../src/core/ids.ts';
import type { Service } from '../../src/index.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { createKey, revokeKey } from '../../src/operations/keys.ts';
import { getReport, importProjects, listProjects } from '../../src/operations/projects.ts';
import { importRules } from '../../src/operations/rules.ts';
import { issueStatement } from '../../src/operations/statements.ts';
import { listTransactions, pushTransactions } from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { exclude } from '../../src/operations/workflow.ts';
import type { Access } from '../../src/store/access.ts';
import { addUser } from '../../src/store/users.ts';

/** Says a text for a field with at most so many code points. */
export type Say = (most: number) => string;

/** The cheapest hash that can be compared, of no password. */
export const NO_PASSWORD = `scrypt:2:1:1::${Buffer.alloc(32).toString('base64')}`;

/** With a number after the text in some of them, which sorts after the text alone. */
const [NAME, CODE, NOTE, RULE] = [250, 60, 1_900, 90];

/** What was put there. */
export interface Furnished {
  readonly access: Access;
  readonly ownerEmail: string;
}

/** Makes an organisation with an owner, and puts what `say` says into each of its fields. */
export function furnish(service: Service, say: Say, tag: string): Furnished {
  const { id } = service.organisations.create({ name: say(NAME), baseCurrency: 'GBP' });
  const access = service.access(id);
  const ownerEmail = `o'neil+${tag}@example.org`;
  const password = NO_PASSWORD;
  const owner = { email: ownerEmail, name: say(NAME), role: 'owner', password } as const;
  addUser(access, owner, service.actor());
  const lines = projects(service, access, say);
  push(service, access, rowsOf(say, 100));
  workOn(service, access, say, lines);
  // The amount of what is allocated changes: it needs a review.
  push(service, access, rowsOf(say, 130).slice(1, 2));
  // The code of what is allocated in part changes: it is marked as recoded.
  const recoded = { accountCode: `${say(CODE)} 8`, projectCode: say(CODE) };
  push(service, access, [{ ...rowsOf(say, 100)[2], ...recoded }]);
  const scopes = ['projects:read'] as const;
  createKey(access, { name: say(NAME), scopes }, service.actor());
  const conditions = { contact: { contains: say(NAME) } };
  const shares = [{ budgetLineId: lines[0], rest: true }];
  importRules(access, [{ name: say(RULE), conditions, shares }], service.actor());
  const old = createKey(access, { name: `${say(NAME)} old`, scopes }, service.actor());
  revokeKey(access, formatId('key', old.id), service.actor());
  const [project] = listProjects(access, { limit: 1 }).items;
  const issued = { to: '2026-01', note: say(NOTE), withoutReasons: true };
  issueStatement(access, formatId('prj', project?.id ?? 0), issued, service.actor());
  return { access, ownerEmail };
}

function projects(service: Service, access: Access, say: Say): readonly string[] {
  const dates = { startDate: '2026-01-01', endDate: '2026-12-31' };
  const line = (code: string, accountCodes: string[]) => ({
    code,
    name: say(NAME),
    category: say(NAME),
    accountCodes,
    budget: { '2026-01': 100 },
  });
  const parent = {
    name: say(NAME),
    description: say(NOTE),
    ...dates,
    funder: { name: say(NAME), reference: say(NAME) },
    budgetLines: [line(say(CODE), [say(CODE)]), line('B', [])],
  };
  const child = {
    name: `${say(NAME)} 2`,
    ...dates,
    parentProject: parent.name,
    budgetLines: [line(`${say(CODE)} 3`, [])],
  };
  const [first] = importProjects(access, [parent, child], service.actor());
  const report = getReport(access, formatId('prj', first?.id ?? 0));
  return report.rows.map(({ line: { id } }) => formatId('bln', id));
}

/** One to allocate by its code, three that are dealt with, one that is only there. */
function rowsOf(say: Say, amount: number) {
  return [1, 2, 3, 4, 5].map((number) => ({
    externalId: `${say(NAME)} ${number}`,
    date: `2026-01-0${number}`,
    description: say(NOTE / 2),
    contact: number === 5 ? null : say(NAME),
    amount: amount + number,
    accountCode: number === 1 ? say(CODE) : `${say(CODE)} 9`,
  }));
}

function push(service: Service, access: Access, rows: readonly object[]): void {
  const { meta } = pushTransactions(
    access,
    { provider: 'api', dryRun: false, rows },
    service.actor(),
  );
  if (meta.rejected > 0) throw new Error(`${meta.rejected} rows rejected`);
}

function workOn(service: Service, access: Access, say: Say, lines: readonly string[]): void {
  const { items } = finish(listTransactions(access, { limit: 10 }));
  const ids = items.map(({ id }) => formatId('txn', id)).reverse();
  const [, second = '', third = '', fourth = ''] = ids;
  const [one = '', two = ''] = lines;
  const note = say(NOTE);
  const whole = { transactionId: second, allocations: [{ budgetLineId: one, note }] };
  allocate(access, whole, service.actor());
  const parts = [one, two].map((budgetLineId) => ({ budgetLineId, amountMinor: 4_000, note }));
  allocate(access, { transactionId: third, allocations: parts }, service.actor());
  exclude(access, { transactionId: fourth, reason: say(NOTE) }, service.actor());
}
