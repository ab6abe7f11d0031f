/** Cursors with a correct checksum, which is not secret, and hostile contents (contract 4). */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { readId } from '../../src/core/ids.ts';
import { bindingOf, formatCursor } from '../../src/operations/pages.ts';
import { only, project, row, startApi } from './harness.ts';
import { PUSH } from './requests.ts';

const api = await startApi();
const { service, pounds } = api;
const organisationId = readId('org', pounds.id) ?? 0;
const imported = only(
  service.projects.import(pounds.id, [project('A', { budgetLines: [{ name: 'Line' }] })]),
);
service.projects.import(pounds.id, [project('B')]);
for (const name of ['F-1', 'F-2', 'F-3']) {
  const result = only((await api.push([row(name)])).data);
  assert.ok('id' in result && result.id !== null);
  const { budgetLineId } = only(imported.budgetLines);
  service.transactions.allocate(pounds.id, result.id, [{ budgetLineId }]);
}
const projectId = readId('prj', imported.projectId) ?? 0;
const allocations = `/api/v1/projects/${imported.projectId}/allocations`;

/** Lists, with the binding of their cursors and a sort key in each. */
const LISTS: [target: string, binding: string, sort: string | number][] = [
  ['/api/v1/projects?', bindingOf('projects', organisationId, {}), 'A'],
  [`${PUSH}?`, bindingOf('transactions', organisationId, { order: 'date' }), -20260115],
  [
    `${PUSH}?order=updatedAt`,
    bindingOf('transactions', organisationId, { order: 'updatedAt' }),
    1769860800000,
  ],
  [
    `${PUSH}?q=rent`,
    bindingOf('transactions', organisationId, { order: 'date', q: 'rent' }),
    -20260115,
  ],
  [
    `${PUSH}?externalId=F-1&order=updatedAt`,
    bindingOf('transactions', organisationId, { order: 'updatedAt', externalId: 'F-1' }),
    0,
  ],
  [
    `${PUSH}?status=allocated,unallocated`,
    bindingOf('transactions', organisationId, {
      order: 'date',
      status: ['allocated', 'unallocated'],
    }),
    -20260115,
  ],
  [`${allocations}?`, bindingOf('allocations', organisationId, { projectId }), -20260115],
];

/** Values as JSON text, to include values that no program writes. */
const NUMBERS =
  '0 -0 1 -1 2 0.5 1.0 1e0 -1e1 1e400 -1e400 9007199254740991 9007199254740992 -9007199254740993 ' +
  '18446744073709551616 8640000000000000 8640000000000001 -20260115 20260115 -20260230 -20261301 ' +
  '-18991231 -22000101 -20260115.5 -2026011 -202601150 1e-320';
const OTHERS = [
  'null true false "" "A" "-20260115" "1" "é" "\\u0000" "\\ud800" "🙂" [] [1] [[]] {} {"a":1}',
  '{"__proto__":1} {"length":2} {"toString":null} "2026-01-15" "\u0085"',
].join(' ');
const HOSTILE = [
  ...`${NUMBERS} ${OTHERS}`.split(' '),
  `"${'x'.repeat(300)}"`,
  '["a b"]',
  '"it\'s; drop table transactions --"',
];

function forge(binding: string, position: string): string {
  const hash = createHash('sha256').update(binding).update('\n').update(position).digest();
  return Buffer.concat([hash.subarray(0, 12), Buffer.from(position)]).toString('base64url');
}

/** Sends a forged cursor. Returns whether it was accepted. */
async function isServed(target: string, binding: string, position: string): Promise<boolean> {
  const asked = { target: `${target}&cursor=${forge(binding, position)}` };
  const { status, body } = await api.ask(asked);
  if (status === 200) return true;
  assert.equal(status, 400, `${target} ${position}: ${body}`);
  assert.equal(JSON.parse(String(body)).code, 'invalid_cursor', position);
  return false;
}

describe('4 a forged cursor gets 200 or 400, never 500:', () => {
  for (const [target, binding, sort] of LISTS) {
    test(target, async () => {
      const right = JSON.stringify(sort);
      assert.equal(forge(binding, `[${right},1]`), formatCursor(binding, { sort, id: 1 }));
      assert.ok(await isServed(target, binding, `[${right},1]`));
      for (const value of HOSTILE) {
        await isServed(target, binding, `[${value},1]`);
        await isServed(target, binding, `[${right},${value}]`);
        assert.ok(!(await isServed(target, binding, `[${value},${value},${value}]`)), value);
        assert.ok(!(await isServed(target, binding, `[${right},1,${value}]`)), value);
        assert.ok(!(await isServed(target, binding, value)), value);
      }
      const other = typeof sort === 'string' ? '-20260115' : '"A"';
      for (const position of [
        ...[`[${other},1]`, `[${right},"1"]`, `[${right},-1]`, `[${right},1.5]`, `[${right}]`],
        ...[`[${right},1] `, `[ ${right},1]`, `[${right},1`, `[${right},1e0]`, `[[${right},1]]`],
        ...['', '[]', 'x', `{"sort":${right},"id":1}`, `[${right},null]`, `[${right},1e400]`],
      ]) {
        assert.ok(!(await isServed(target, binding, position)), position);
      }
    });
  }
});
