/** An office with something to do. */

import assert from 'node:assert/strict';
import type { Role } from '../../src/core/users.ts';
import type { ServiceOptions } from '../../src/index.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { pushTransactions } from '../../src/operations/transactions.ts';
import type { Scope } from '../torture/trial.ts';
import { addUser, Browser, type Office, openOffice } from './office.ts';

const PROJECT = {
  name: 'Youth work',
  startDate: '2026-01-01',
  endDate: '2026-12-31',
  budgetLines: [
    { code: 'A', name: 'Rent', accountCodes: ['7500'], budget: { '2026-01': 100 } },
    { code: 'B', name: 'Heat' },
  ],
};

/** An office with a project, four transactions, and a user who is signed in. */
export async function openDesk(
  test: Scope,
  role: Role = 'member',
  options: Partial<ServiceOptions> = {},
) {
  const office = await openOffice(test, options);
  const { service, org } = office;
  const access = service.access(org);
  importProjects(access, PROJECT, service.actor());
  const rows = ['Ann', 'Bob', 'Cat', '<b>Dan</b>'].map((contact, at) => ({
    externalId: `INV-${at + 1}`,
    date: `2026-01-0${at + 1}`,
    description: 'Hall hire',
    contact,
    amount: 100 + at,
    accountCode: at === 0 ? '7500' : '9',
  }));
  push(office, rows);
  await addUser(office, role);
  return { ...office, access, rows, browser: await Browser.of(office, `${role}@example.org`) };
}

/** Pushes rows as a program does. */
export function push(
  { service, org }: Pick<Office, 'service' | 'org'>,
  rows: readonly unknown[],
): void {
  pushTransactions(service.access(org), { provider: 'api', dryRun: false, rows }, service.actor());
}

/** The hidden fields of the first form that is sent to a path. */
export function fieldsOf(text: string, action: string): Record<string, string> {
  const start = text.indexOf(`method="post" action="${action}"`);
  assert.ok(start > 0, `no form for ${action}`);
  const form = text.slice(start, text.indexOf('</form>', start));
  const found = form.matchAll(/type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g);
  const fields = [...found].map(([, name = '', value = '']) => {
    return [name, value.replaceAll('&amp;', '&')] as const;
  });
  return Object.fromEntries(fields);
}

/** What a person reads of a page: without its elements, with one blank between words. */
export function textOf(text: string): string {
  return text.replace(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
}
