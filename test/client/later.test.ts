import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { laterAnswer } from '../api/later.ts';
import { openDesk } from './desk.ts';
import { clientOf, FastClock, openProxy, openWorld, rowsOf } from './world.ts';

const LATER = Array.from({ length: 20 }, () => (text: string) => {
  return JSON.stringify(laterAnswer(JSON.parse(text)));
});

describe('with a service of a later version 1, which adds members, codes and names', () => {
  it('the client reads, pushes, and says which rows were rejected', async (t) => {
    const world = await openWorld(t);
    const { url } = await openProxy(t, world.url, LATER);
    const client = clientOf({ ...world, url }, new FastClock());
    const [first, ...rest] = rowsOf(3);
    const wrong = { ...rowsOf(1, 'BAD')[0], date: 'soon' } as never;
    const note = { ...first, note: 'an unknown member' } as never;
    assert.equal((await client.pushBatch([note, ...rest, wrong])).meta.rejected, 1);
    const again = await client.pushBatch([note, { ...rest[0], amount: 7 } as never, wrong]);
    const [unknown, changed, rejected] = again.data;
    assert.ok(unknown?.status === 'updated' && changed?.status === 'updated');
    assert.equal(unknown.warnings[0]?.code, 'later_word');
    assert.deepEqual(changed.changed, ['amount', 'laterMember']);
    assert.ok(rejected?.status === 'rejected');
    assert.equal(rejected.errors[0]?.code, 'later_word');
    const read = [];
    for await (const each of client.transactions.iterate({ limit: 2 })) read.push(each);
    assert.deepEqual(
      read.map(({ amount, provider }) => [amount, provider]),
      [12.5, 7, 14.5].map((amount) => [amount, 'later_word']),
    );
    const { data } = await client.projects.list();
    assert.deepEqual(data, []);
    await assert.rejects(client.projects.get('prj_1'), { status: 404, code: 'later_word' });
  });

  it('the command line prints warnings and errors of a code that it does not know', async (t) => {
    const { world, run, write } = await openDesk(t);
    const { url } = await openProxy(t, world.url, LATER);
    const [row, other] = rowsOf(2);
    write(
      'rows.json',
      JSON.stringify([
        { ...row, note: 1 },
        { ...other, date: 'soon' },
      ]),
    );
    const { exitCode, stdout, stderr } = await run(['rows.json', '--url', url, '--json']);
    assert.equal(exitCode, 3, stderr);
    const { created, rejected, warnings } = JSON.parse(stdout);
    assert.deepEqual({ created, rejected, warnings }, { created: 1, rejected: 1, warnings: 1 });
    assert.match(stderr, /line 1 rejected: date: .*soon.* \[later_word\]/);
    assert.match(stderr, /line 1 warning: note: .* \[later_word\]/);
  });
});
