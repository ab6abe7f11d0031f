/** Round trips of money through the interface, in pounds, yen and dinars (contract 1, 6). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TransactionList } from '../../src/api/contract.ts';
import { only, row, startApi, type Tenant } from './harness.ts';
import { PUSH } from './requests.ts';

const api = await startApi();

/** Pushes amounts, written as decimal text. Returns the amounts in the list, as text. */
async function roundTrip(amounts: readonly string[], { key }: Tenant): Promise<string[]> {
  for (let start = 0; start < amounts.length; start += 500) {
    const rows = amounts.slice(start, start + 500).map((amount) => {
      return JSON.stringify(row(amount)).replace(':12.5', `:${amount}`);
    });
    const answer = await api.ask({ target: PUSH, key, body: `{"rows":[${rows.join()}]}` });
    assert.equal(answer.status, 200, `${answer.body}`);
  }
  const shown = new Map<string, string>();
  let cursor = '';
  do {
    const { body, document } = await api.ask({ target: `${PUSH}?limit=1000${cursor}`, key });
    // The numbers as sent: a parser could round them.
    const pair = /"externalId":"([^"]+)"[^}]*?"amount":([^,]+)/g;
    for (const [, name = '', amount = ''] of body.toString().matchAll(pair))
      shown.set(name, amount);
    const { nextCursor } = (document as TransactionList).meta;
    cursor = nextCursor === null ? '' : `&cursor=${nextCursor}`;
  } while (cursor !== '');
  return amounts.map((amount) => shown.get(amount) ?? 'missing');
}

/** The shortest way to write an amount. */
const shortest = (amount: string) => String(Number(amount) + 0);

test('1 every two-decimal value from -20.00 to 20.00 survives the round trip', async () => {
  const amounts = Array.from({ length: 4001 }, (_, index) => {
    const minor = Math.abs(index - 2000);
    const digits = String(minor).padStart(3, '0');
    return `${index < 2000 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
  });
  assert.deepEqual(await roundTrip(amounts, api.pounds), amounts.map(shortest));
});

const CURRENCIES: { currency: string; taken: string[]; refused: string[] }[] = [
  {
    currency: 'JPY',
    taken: ['0', '1', '-1', '100', '1.0', '1e3', '999999999999', '-999999999999', '0.9999999999'],
    refused: ['0.5', '0.01', '99.9', '1.001', '1000000000000', '-1000000000000', '999999999999.5'],
  },
  {
    currency: 'KWD',
    taken: ['0.001', '-0.001', '1.234', '0.5', '999999999.999', '-999999999.999', '4.0050'],
    refused: ['0.0005', '1.2345', '1000000000', '-1000000000.001', '0.0001'],
  },
  {
    currency: 'EUR',
    taken: ['0.01', '-0.01', '0.07', '1.1', '4.35', '8.41', '1.15', '9999999999.99', '0.29'],
    refused: ['0.001', '1.005', '2.675', '10000000000.00', '-10000000000', '1e-3'],
  },
];

for (const { currency, taken, refused } of CURRENCIES) {
  describe(`1 an organisation in ${currency}`, () => {
    const tenant = api.addTenant(currency);

    test('accepts whole minor units and returns them unchanged', async () => {
      const shown = await roundTrip(taken, tenant);
      assert.deepEqual(
        shown,
        taken.map((amount) => shortest(amount === '0.9999999999' ? '1' : amount)),
      );
      const { data } = await api.get<TransactionList>(PUSH, tenant.key);
      assert.ok(data.every((each) => each.currency === currency));
    });

    for (const amount of refused) {
      test(`rejects ${amount}`, async () => {
        const rows = `{"rows":[${JSON.stringify(row('x')).replace(':12.5', `:${amount}`)}]}`;
        const answer = await api.ask({ target: PUSH, key: tenant.key, body: rows });
        assert.equal(answer.status, 422);
      });
    }
  });
}

test('1 floating-point noise in the sums of a client is accepted', async () => {
  const sums: [number, number][] = [
    [0.1 + 0.2, 0.3],
    [0.7 + 0.1, 0.8],
    [1.1 + 2.2, 3.3],
    [100 * 1.1, 110],
    [4.35 * 100, 435],
    [0.1 * 3, 0.3],
    [1234567.89 - 1234567, 0.89],
    [-(0.1 + 0.7), -0.8],
    [Array.from({ length: 1000 }, () => 0.01).reduce((sum, each) => sum + each, 0), 10],
  ];
  const rows = sums.map(([amount], index) => row(`sum-${index}`, { amount }));
  await api.push(rows, { key: api.euros.key });
  for (const [index, [, meant]] of sums.entries()) {
    const target = `${PUSH}?externalId=sum-${index}`;
    const { data } = await api.get<TransactionList>(target, api.euros.key);
    assert.equal(only(data).amount, meant);
  }
});
