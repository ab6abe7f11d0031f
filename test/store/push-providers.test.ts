import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PushResult } from '../../src/core/push.ts';
import { row, Workshop } from './workshop.ts';

describe('contract 6: an externalId that another provider already has', () => {
  it('6 causes a warning when a row creates it again, for any two providers', () => {
    for (const [first, second] of [
      ['csv', 'api'],
      ['api', 'csv'],
      ['manual', 'api'],
    ] as const) {
      const shop = new Workshop();
      const other = shop.addOrganisation('GBP', 'Other');
      shop.push([row({ externalId: 'A' }), row({ externalId: 'B' })], { provider: first });
      const batch = [
        row({ externalId: 'A', memo: 1 }),
        row({ externalId: 'A', memo: 1 }),
        row({ externalId: 'a' }),
        row({ externalId: 'B', amount: 'x' }),
      ];
      for (const dryRun of [true, false]) {
        const { results, meta } = shop.push(batch, { provider: second, dryRun });
        assert.deepEqual(results.map(warningsOf), [
          ['other_provider', 'unknown_field'],
          ['duplicate_in_batch', 'unknown_field'],
          [],
          [],
        ]);
        assert.deepEqual([meta.warnings, meta.unchanged], [2, 1]);
      }
      const again = shop.push(batch.slice(0, 1), { provider: second }).results.map(warningsOf);
      assert.deepEqual(again, [['unknown_field']], 'an update does not warn again');
      const elsewhere = shop.push([row({ externalId: 'A' })], { provider: second, org: other });
      assert.deepEqual(elsewhere.results.map(warningsOf), [[]], 'another organisation');
    }
  });

  it('6 causes the first of 20 warnings', () => {
    const shop = new Workshop();
    shop.push([row()], { provider: 'csv' });
    const unknown = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`m${at}`, 1]));
    const [result] = shop.push([row(unknown)]).results;
    assert.equal(warningsOf(result)?.length, 20);
    assert.equal(warningsOf(result)?.[0], 'other_provider');
  });
});

function warningsOf(result: PushResult | undefined): string[] {
  return result !== undefined && 'warnings' in result
    ? result.warnings.map(({ code }) => code)
    : [];
}
