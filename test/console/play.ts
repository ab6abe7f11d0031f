/** A desk with a project whose statements are to be written. */

import { formatId } from '../../src/core/ids.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { issueStatement } from '../../src/operations/statements.ts';
import { openDesk, push } from './desk.ts';

/** The project of these pages, and where its statements are. */
export const ID = formatId('prj', 2);
export const PATH = `/projects/${ID}/statements`;
const PLAY = {
  name: 'Play',
  startDate: '2026-01-01',
  endDate: '2026-12-31',
  funder: { name: 'Fund <b>', reference: 'F-1' },
  budgetLines: [
    { code: '4', name: 'Grant', kind: 'income', budget: { '2026-01': 500 } },
    { code: '7', name: 'Pay', category: 'People', budget: { '2026-01': 300, '2026-02': 280 } },
    { code: '8', name: 'Bonus', category: 'People' },
    { name: 'Nothing' },
  ],
};

/** A desk with a project with a grant and pay of January. */
export async function openPlay(test: Parameters<typeof openDesk>[0]) {
  const desk = await openDesk(test, 'member');
  const { access, service } = desk;
  importProjects(access, PLAY, service.actor());
  const amounts = [-500, 330, 20];
  push(
    desk,
    amounts.map((amount, at) => {
      return { externalId: `S-${at}`, date: '2026-01-20', description: 'Book', amount };
    }),
  );
  const give = (number: number, line: number) => {
    const allocations = [{ budgetLineId: formatId('bln', line) }];
    allocate(access, { transactionId: formatId('txn', number), allocations }, service.actor());
  };
  give(5, 3);
  give(6, 4);
  const issue = (to: string, more: object = {}) =>
    issueStatement(
      access,
      ID,
      { to, withoutReasons: true, ...more },
      { ...service.actor(), nowMs: Date.UTC(2026, 1, 2) },
    );
  return { ...desk, give, issue };
}
