/** A service with some transactions, and so many keys that a client can ask all the time. */

import { createService } from '../../../src/index.ts';

/** Each has a rate limit, and the client asks some 400 times a second. */
const KEYS = 500;
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
