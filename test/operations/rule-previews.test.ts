import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RuleFinder, type TextCondition } from '../../src/core/rules.ts';
import { previewRule } from '../../src/operations/rule-previews.ts';
import { finish } from '../../src/operations/turns.ts';
import { isBestAsStored } from '../../src/store/totals.ts';
import { listRuled } from '../../src/store/transactions.ts';
import { Random } from '../core/random.ts';
import { row, Workshop } from '../store/workshop.ts';

const CONTACTS = ['Ann 8', 'ann  8', 'Ann 18', 'Zoë\u00a08', 'ZOË 8', 'Ben', null];
const TEXTS = ['Rent 7', 'rent\n7', 'RENT 17', 'Straße 7', 'strasse  7', 'other'];
const CODES = ['A1', 'A10', 'B', null];

function anyRow(at: number, random: Random): object {
  return row({
    externalId: `${at}`,
    date: `2026-0${random.whole(1, 9)}-1${random.whole(0, 9)}`,
    amount: random.pick([1, -1]) * (at + 1),
    contact: random.pick(CONTACTS),
    description: random.pick(TEXTS),
    accountCode: random.pick(CODES),
  });
}

function anyText(random: Random, texts: readonly (string | null)[]): TextCondition | undefined {
  const text = random.once(2) ? random.pick(texts) : null;
  if (text === null) return undefined;
  return random.once(2) ? { is: text } : { contains: text.slice(-3) };
}

/** A shop whose organisation has most of the table, or a part; the same rows in both. */
function openShop(isMost: boolean): Workshop {
  const shop = new Workshop();
  shop.project();
  const random = new Random(7);
  shop.push(Array.from({ length: 400 }, (_, at) => anyRow(at, random)));
  const other = { org: shop.addOrganisation('GBP', 'Other') };
  if (!isMost)
    shop.push(
      [...Array(401)].map((_, at) => anyRow(at, random)),
      other,
    );
  return shop;
}

it('15 a preview takes what the rule fits, however the transactions are found', () => {
  const shops = [openShop(true), openShop(false)] as const;
  const best = shops.map((shop) => isBestAsStored(shop, { descriptionText: { is: 'rent' } }));
  assert.deepEqual(best, [true, false]);
  assert.equal(isBestAsStored(shops[0], { contactText: { is: 'Ann' }, isIn: true }), false);
  const { items: all } = listRuled(shops[0], { filters: {}, order: 'date', limit: 1000 });
  const random = new Random(8);
  for (let round = 0; round < 60; round += 1) {
    const code = random.pick(CODES);
    const rule = {
      name: 'Rule',
      isOn: true,
      from: random.once(4) ? '2026-03-01' : null,
      until: null,
      conditions: {
        contact: anyText(random, CONTACTS),
        description: anyText(random, TEXTS),
        accountCode: code === null || random.once(2) ? undefined : { startsWith: code },
        ...random.pick([{}, { direction: 'in' }, { direction: 'out' }] as const),
      },
      shares: [{ budgetLineId: 1, weight: null }],
    };
    const placed = { startDate: '2026-01-01', endDate: '2026-12-31', isArchived: false };
    const shares = rule.shares.map((share) => ({ ...share, ...placed }));
    const finder = new RuleFinder([{ ...rule, shares }]);
    const wanted = all.filter((each) => finder.find(each) !== undefined);
    for (const shop of shops) {
      const { taken, examples } = finish(previewRule(shop, rule));
      const amountMinor = wanted.reduce((sum, each) => sum + each.amountMinor, 0);
      assert.deepEqual(taken, { transactions: wanted.length, amountMinor }, JSON.stringify(rule));
      assert.deepEqual(
        examples.map(([{ id, date }]) => [id, date]),
        wanted.slice(0, 10).map(({ id, date }) => [id, date]),
      );
    }
  }
});
