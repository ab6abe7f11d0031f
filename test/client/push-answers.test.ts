import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BudgetdError, type PushRow } from '../../src/client/index.ts';
import { noCounts } from '../../src/client/push.ts';
import { clientOf, FastClock, openStandIn, openWorld, rowsOf } from './world.ts';

type Answer = { data: Record<string, unknown>[]; meta: Record<string, unknown> };

/** Wrong answers to the rows `INV-0` and `INV-1`, as changes to the right answer. */
const WRONG: readonly [name: string, spoil: (answer: Answer) => void][] = [
  ['results of other rows', ({ data }) => Object.assign(data[0] ?? {}, { externalId: 'INV-9' })],
  ['results in another order', ({ data }) => data.reverse()],
  ['results in another order, renumbered', ({ data }) => swap(data)],
  ['a missing result', ({ data }) => data.pop()],
  ['a result that is null', ({ data }) => data.splice(1, 1, null as never)],
  ['a result without a status', ({ data }) => delete data[1]?.['status']],
  ['an unknown status', ({ data }) => Object.assign(data[1] ?? {}, { status: 'skipped' })],
  ['an inherited status', ({ data }) => Object.assign(data[1] ?? {}, { status: 'toString' })],
  ['rejected without errors', ({ data }) => Object.assign(data[1] ?? {}, { status: 'rejected' })],
  [
    'rejected with an error that is null',
    ({ data }) => Object.assign(data[1] ?? {}, { status: 'rejected', errors: [null] }),
  ],
  [
    'accepted with a warning without a code',
    ({ data }) => Object.assign(data[1] ?? {}, { warnings: [{ message: 'Odd.' }] }),
  ],
  ['accepted without warnings', ({ data }) => delete data[1]?.['warnings']],
  ['other counts', ({ meta }) => Object.assign(meta, { created: 1 })],
  ['no counts', (answer) => Object.assign(answer, { meta: null })],
  ['of a dry run', ({ meta }) => Object.assign(meta, { dryRun: true })],
];

function swap(data: Record<string, unknown>[]): void {
  data.reverse();
  for (const [index, result] of data.entries()) result['index'] = index;
}

function answerOf(rows: readonly PushRow[]): Answer {
  const more = { status: 'created', id: 'txn_1', needsReview: false, changed: [], warnings: [] };
  const data = rows.map(({ externalId }, index) => ({ index, externalId, ...more }));
  return { data, meta: { ...noCounts(false), received: rows.length, created: rows.length } };
}

for (const [name, spoil] of WRONG) {
  test(`an answer that does not fit the rows is an error: ${name}`, async (t) => {
    const answer = answerOf(rowsOf(2));
    spoil(answer);
    const url = await openStandIn(t, (_, res) => {
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    const client = clientOf({ url, key: 'k' }, new FastClock());
    await assert.rejects(client.push(rowsOf(2)), (error) => {
      assert.ok(error instanceof BudgetdError);
      assert.deepEqual([error.code, error.status], ['unexpected_answer', 200]);
      assert.match(error.message, /not the results of the rows that were sent/);
      assert.equal(error.counts?.received, 0);
      return true;
    });
  });
}

test('the right answer is accepted for any row', async (t) => {
  const world = await openWorld(t);
  const client = clientOf(world, new FastClock());
  const [row] = rowsOf(1) as [PushRow];
  const Inherits = class {
    get externalId() {
      return 'inherited';
    }
  };
  const rows: unknown[] = [
    row,
    row,
    null,
    undefined,
    7,
    'x',
    [],
    [row],
    {},
    { ...row, externalId: 7 },
    { ...row, externalId: '\ud800' },
    { ...row, externalId: 'é\u2028"\\' },
    { toJSON: () => row },
    new Inherits(),
    JSON.parse('{"__proto__":{"externalId":"x"}}'),
  ];
  const counts = await client.push(rows as PushRow[]);
  assert.deepEqual([counts.received, counts.created, counts.updated], [rows.length, 2, 2]);
});

const BEFORE = answerOf([]).meta;
Object.assign(BEFORE, { received: 2, created: 2 });
const CYCLE: Record<string, unknown> = {};
CYCLE['self'] = CYCLE;

test('a row that cannot be written as JSON ends the push with an error', async (t) => {
  const world = await openWorld(t);
  const client = clientOf(world, new FastClock());
  for (const [index, row] of [CYCLE, { amount: 1n }].entries()) {
    const rows = [...rowsOf(2, `R${index}`), row as unknown as PushRow];
    const failed = { name: 'BudgetdError', code: 'invalid_option', message: /^Row 2 cannot be/ };
    await assert.rejects(client.push(rows), { ...failed, counts: BEFORE });
    await assert.rejects(client.pushBatch(rows), failed);
  }
});
