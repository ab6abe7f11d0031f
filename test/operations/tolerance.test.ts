import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { isBeyond } from '../../src/core/projects.ts';
import { readProjectFile } from '../../src/operations/project-file.ts';
import { getProjectPlan, projectFileOf } from '../../src/operations/project-plans.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { Workshop } from '../store/workshop.ts';

const PROJECT = { name: 'P', startDate: '2026-01-01', endDate: '2026-12-31' };
const GBP = { code: 'GBP', places: 2 };

describe('13 the tolerance of a project', () => {
  it('is 10 without the member, null to ask for nothing, and exported as it was', () => {
    const shop = new Workshop();
    for (const [given, expected] of [
      [{}, 10],
      [{ tolerancePercent: null }, null],
      [{ tolerancePercent: 0 }, 0],
      [{ tolerancePercent: 12.34 }, 12.34],
      [{ tolerancePercent: 1000 }, 1000],
      [{}, 10],
    ] as const) {
      importProjects(shop, { ...PROJECT, ...given }, shop.actor());
      const { project, lines } = getProjectPlan(shop, formatId('prj', 1));
      const file = projectFileOf({ ...project, budgetLines: lines }, null, GBP);
      assert.equal(file['tolerancePercent'], expected);
      const [again] = importProjects(shop, file, shop.actor());
      assert.equal(again?.change, 'unchanged');
    }
  });

  it('is a number from 0 to 1000 with two decimals', () => {
    for (const tolerancePercent of [-1, 1000.01, 0.001, '10', Number.NaN, {}, true, []]) {
      assert.throws(
        () => readProjectFile({ ...PROJECT, tolerancePercent }, GBP),
        /tolerancePercent: Use a number from 0 to 1000 with up to two decimals, or null\./,
      );
    }
  });

  it('is passed by more than itself, exactly, at any size', () => {
    assert.equal(isBeyond(110, 100, 1_000), false);
    assert.equal(isBeyond(111, 100, 1_000), true);
    assert.equal(isBeyond(89, 100, 1_000), true);
    assert.equal(isBeyond(-111, -100, 1_000), true);
    assert.equal(isBeyond(1, 0, 1_000), true);
    assert.equal(isBeyond(0, 0, 0), false);
    assert.equal(isBeyond(500, 100, null), false);
    const most = 999_999_999_999;
    assert.equal(isBeyond(most, most - 1, 0), true);
    assert.equal(isBeyond(9 * most + 1, 8 * most, 1_250), true);
    assert.equal(isBeyond(9 * most, 8 * most, 1_250), false);
  });
});
