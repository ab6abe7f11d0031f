/** A service in memory with an organisation, on a clock that the tests set. */

import { createService, type Service, type ServiceOptions } from '../../src/index.ts';
import type { Scope } from '../torture/trial.ts';

export const START = '2026-01-31T12:00:00.000Z';
/** When the organisation was created: before START, so that the next write has that stamp. */
export const FOUNDED = '2026-01-31T11:59:00.000Z';

/** A service, its organisation and its clock. */
export interface House {
  readonly service: Service;
  readonly org: string;
  readonly clock: { nowMs: number };
}

/** Opens a service that is closed after the test. */
export async function openHouse(
  test: Scope | undefined,
  options: Partial<ServiceOptions> & { currency?: string } = {},
): Promise<House> {
  const clock = { nowMs: Date.parse(FOUNDED) };
  const { currency: baseCurrency = 'GBP', ...rest } = options;
  const service = await createService({
    database: ':memory:',
    clock: () => new Date(clock.nowMs),
    ...rest,
  });
  test?.after(() => service.close());
  const { id: org } = service.organisations.create({ name: 'Test', baseCurrency });
  clock.nowMs = Date.parse(START);
  return { service, org, clock };
}

/** Imports a project of 2026 with lines A and B, with those account codes. Returns its ids. */
export function importYear({ service, org }: House): { projectId: string; a: string; b: string } {
  const [imported] = service.projects.import(org, {
    name: 'Shelter',
    startDate: '2026-01-01',
    endDate: '2026-12-31',
    budgetLines: ['A', 'B'].map((code) => ({ code, name: `Line ${code}`, accountCodes: [code] })),
  });
  const [a = '', b = ''] = (imported?.budgetLines ?? []).map(({ budgetLineId }) => budgetLineId);
  return { projectId: imported?.projectId ?? '', a, b };
}

/** A valid row of a push, with changes. */
export function row(change: object = {}): object {
  return { externalId: 'INV-1', date: '2026-01-31', description: 'Rent', amount: 100, ...change };
}

/** Pushes one row. Returns the identifier of its transaction. */
export function pushOne({ service, org }: House, change: object = {}): string {
  const [result] = service.transactions.push(org, [row(change)]).data;
  if (result === undefined || result.status === 'rejected' || result.id === null) {
    throw new Error(`not stored: ${JSON.stringify(result)}`);
  }
  return result.id;
}
