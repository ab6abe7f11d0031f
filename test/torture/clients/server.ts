/** A service with some transactions, and many keys for a client that asks often. */

import { createService } from '../../../src/index.ts';

const KEYS = 150;
const ROWS = 500;

const service = await createService({ database: ':memory:' });
const { id: org } = service.organisations.create({ name: 'Clients', baseCurrency: 'GBP' });
const scopes = ['transactions:write', 'transactions:read'] as const;
const keys = Array.from({ length: KEYS }, (_, at) => {
  return service.keys.create(org, { name: `key ${at}`, scopes }).key;
});
service.transactions.push(
  org,
  Array.from({ length: ROWS }, (_, at) => {
    const description = `Row ${at} ${'x'.repeat(400)}`;
    return { externalId: `C-${at}`, date: '2026-01-15', description, amount: 1 };
  }),
);
const { url } = await service.listen({ port: 0 });
process.send?.({ url, keys });
