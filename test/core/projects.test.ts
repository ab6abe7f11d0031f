import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BUDGET_MODES, lineKey, spreadTotal } from '../../src/core/projects.ts';

describe("contract 4: a total spread over the project's months", () => {
  const cases: [total: number, start: string, end: string, wanted: [string, number][]][] = [
    [
      1000,
      '2025-04-01',
      '2025-06-30',
      [
        ['2025-04', 334],
        ['2025-05', 333],
        ['2025-06', 333],
      ],
    ],
    [
      -1000,
      '2025-04-01',
      '2025-06-30',
      [
        ['2025-04', -334],
        ['2025-05', -333],
        ['2025-06', -333],
      ],
    ],
    [
      1,
      '2025-12-31',
      '2026-02-01',
      [
        ['2025-12', 1],
        ['2026-01', 0],
        ['2026-02', 0],
      ],
    ],
    [
      101,
      '2025-05-20',
      '2025-06-02',
      [
        ['2025-05', 51],
        ['2025-06', 50],
      ],
    ],
    [77, '2025-05-20', '2025-05-20', [['2025-05', 77]]],
    [0, '2025-05-20', '2025-05-20', [['2025-05', 0]]],
  ];
  for (const [total, start, end, wanted] of cases) {
    it(`4 ${total} from ${start} to ${end}`, () => {
      assert.deepEqual([...spreadTotal(total, start, end)], wanted);
    });
  }

  it('4 a partial month gets as much as a whole one', () => {
    const [first, second] = spreadTotal(200, '2025-05-31', '2025-06-30').values();
    assert.deepEqual([first, second], [100, 100]);
  });

  it('4 has the modes monthly and total', () => {
    assert.deepEqual([...BUDGET_MODES], ['monthly', 'total']);
  });
});

describe('contract 8: how a repeated import finds a line', () => {
  it('8 by its code, or by its name if it has no code, and never code by name', () => {
    assert.equal(lineKey({ code: 'A', name: 'One' }), lineKey({ code: 'A', name: 'Two' }));
    assert.equal(lineKey({ code: null, name: 'One' }), lineKey({ code: null, name: 'One' }));
    assert.notEqual(lineKey({ code: null, name: 'A' }), lineKey({ code: 'A', name: 'A' }));
    assert.notEqual(lineKey({ code: null, name: 'code A' }), lineKey({ code: 'A', name: 'x' }));
  });
});
