import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { checks } from '../../src/operations/checks.js';
import { explainForm } from '../../src/operations/project-errors.ts';
import { Random } from '../core/random.ts';

const GBP = { code: 'GBP', places: 2 };
const ODD = [
  ...[
    null,
    true,
    7,
    Number.POSITIVE_INFINITY,
    '',
    'x',
    'a\tb',
    'a\nb',
    '\ud83d',
    'x'.repeat(256),
    '2026-02-30',
  ],
  ...['2026-02-28', '2200-01-01', 'total', 'monthly', [], ['x'], [7], {}, { name: 'F' }],
  ...[{ '2026-01': 1 }, { '2026-13': 1 }, { '2026-01': '1' }, [{ name: 'G', budget: 5 }]],
];

/** A project that is right but for one or two members, of it or of its parts. */
function randomProject(random: Random): Record<string, unknown> {
  const isTotal = random.once(2);
  const line: Record<string, unknown> = {
    code: 'A',
    name: 'Grants',
    accountCodes: ['7100'],
    budget: isTotal ? 12.5 : { '2026-01': 12.5 },
  };
  const funder: Record<string, unknown> = { name: 'The Fund', reference: 'F-1' };
  const project: Record<string, unknown> = {
    name: 'Shelter',
    startDate: '2025-04-01',
    endDate: '2026-03-31',
    ...(isTotal ? { budgetMode: 'total' } : {}),
    funder,
    codes: ['YOU'],
    budgetLines: [line, { name: 'Rent' }],
  };
  for (const part of [project, line, funder]) {
    if (!random.once(4)) continue;
    const name = random.pick([...Object.keys(part), 'description', 'category', 'memo']);
    if (random.once(4)) delete part[name];
    else part[name] = random.pick(ODD);
  }
  return project;
}

describe('contract 8: what explains a project file', () => {
  it('8 finds something exactly where the check of its mode does', () => {
    const random = new Random(20260401);
    const counts = { right: 0, wrong: 0 };
    for (let round = 0; round < 4000; round += 1) {
      const project = randomProject(random);
      const { budgetMode } = project;
      const isRight =
        budgetMode === 'total' ? checks.TotalProject(project) : checks.MonthlyProject(project);
      counts[isRight ? 'right' : 'wrong'] += 1;
      const { problems } = explainForm('project', project, GBP);
      assert.equal(problems.length === 0, isRight, JSON.stringify(problems));
      for (const [, message] of problems) assert.match(message, /^.{10,}\.$/);
    }
    assert.ok(counts.right > 1000 && counts.wrong > 1000, JSON.stringify(counts));
  });

  it('8 it is loaded at once, without a warning of Node', () => {
    const reader = new URL('../../src/operations/project-file.js', import.meta.url).href;
    const program = `
      const { readProjectFile } = await import(${JSON.stringify(reader)});
      const dates = { startDate: '2025-04-01', endDate: '2026-03-31' };
      try {
        readProjectFile({ name: 7, ...dates }, { code: 'GBP', places: 2 });
      } catch ({ message }) {
        console.log(message);
      }`;
    const argv = ['--input-type=module', '-e', program];
    const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
    assert.deepEqual([stdout, stderr], ['name: Use text in quotation marks, not 7.\n', '']);
  });
});
