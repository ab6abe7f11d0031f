/** A small organisation for tests: one project, three budget lines, six transactions. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createService } from '../../src/index.ts';
import { membersOf, Terminal } from './terminal.ts';

/** The project file. */
export const PROJECT = {
  name: 'Youth work 2026',
  startDate: '2026-01-01',
  endDate: '2026-06-30',
  budgetMode: 'monthly',
  funder: { name: 'The Lottery', reference: 'YW-26' },
  budgetLines: [
    {
      code: 'RENT',
      name: 'Rent',
      category: 'Premises',
      accountCodes: ['7100'],
      budget: { '2026-01': 1200, '2026-02': 1200, '2026-04': 1200 },
    },
    { code: 'FOOD', name: '=Food & drink', accountCodes: ['7200'], budget: { '2026-02': 100.5 } },
    { code: 'IDLE', name: 'Nothing yet', budget: {} },
  ],
};

/** Rows of a push, in the order of their transaction ids. */
export const ROWS = [
  {
    externalId: 'A-1',
    date: '2026-01-05',
    description: 'January rent',
    amount: 1200,
    accountCode: '7100',
    contact: 'Müller & 東京不動産',
  },
  {
    externalId: 'A-2',
    date: '2026-02-05',
    description: 'February rent',
    amount: 1250.5,
    accountCode: '7100',
  },
  {
    externalId: 'A-3',
    date: '2026-02-11',
    description: 'Pizza',
    amount: 99.99,
    accountCode: '7200',
    contact: 'Luigi',
  },
  {
    externalId: 'A-4',
    date: '2026-04-02',
    description: 'Refund',
    amount: -20,
    accountCode: '7200',
    contact: 'Luigi',
  },
  {
    externalId: 'A-5',
    date: '2026-08-01',
    description: 'After the end',
    amount: 10,
    accountCode: '7100',
  },
  {
    externalId: 'A-6',
    date: '2026-03-01',
    description: 'Who knows',
    amount: 5,
    contact: '\u202eevil',
  },
];

/** The organisation, and a terminal to run commands in. */
export interface Office {
  readonly terminal: Terminal;
  readonly organisationId: string;
  readonly projectId: string;
  /** Budget lines by code. */
  readonly lines: Readonly<Record<string, string>>;
}

/** Creates the database with commands, and pushes the rows as a client would. */
export async function openOffice(context: TestContext): Promise<Office> {
  const terminal = new Terminal(context);
  const made = await terminal.json(['init', '--name', 'Harbour Trust', '--currency', 'GBP']);
  const organisationId = String(membersOf(made)['organisationId']);
  writeFileSync(join(terminal.folder, 'project.json'), JSON.stringify(PROJECT));
  const [project] = (await terminal.json(['projects', 'import', 'project.json'])) as [
    { projectId: string; budgetLines: { budgetLineId: string; code: string }[] },
  ];
  await pushRows(terminal, organisationId, ROWS);
  const lines = project.budgetLines.map(({ code, budgetLineId }) => [code, budgetLineId] as const);
  return {
    terminal,
    organisationId,
    projectId: project.projectId,
    lines: Object.fromEntries(lines),
  };
}

/** Pushes rows into the terminal's database. */
export async function pushRows(
  { database }: Terminal,
  organisationId: string,
  rows: readonly unknown[],
): Promise<void> {
  const service = await createService({ database, actor: 'finance system' });
  service.transactions.push(organisationId, rows);
  await service.close();
}

/** The id of the transaction with this number. */
export function txn(number: number): string {
  return `txn_${String(number).padStart(10, '0')}`;
}
