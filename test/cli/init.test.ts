import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openDatabase } from '../../src/database/database.ts';
import { createService } from '../../src/index.ts';
import { startProgram, untilOpened } from './program.ts';
import { Terminal } from './terminal.ts';

const INIT = ['init', '--currency', 'JPY', '--name'];

describe('8: init', () => {
  it('prints { organisationId } and needs --another for a second organisation', async (context) => {
    const terminal = new Terminal(context);
    assert.deepEqual(await terminal.json([...INIT, 'One']), { organisationId: 'org_0000000001' });
    const refused = await terminal.run([...INIT, 'Two']);
    assert.deepEqual([refused.exitCode, refused.stdout], [1, '']);
    assert.match(
      refused.stderr,
      /^budgetd: .*budgetd\.db already has One \(org_0000000001, JPY\)\. .* pass --another\. .*\n$/,
    );
    const two = await terminal.json([...INIT, 'Two', '--plan', 'free', '--another']);
    assert.deepEqual(two, { organisationId: 'org_0000000002' });
    assert.match((await terminal.run([...INIT, 'Three'])).stderr, /JPY\) and 1 more\. /);
    const three = ['init', '--currency', 'jpy', '--name', 'Three', '--another'];
    const { stdout, stderr } = await terminal.run(three);
    assert.match(
      stdout,
      /^Created Three \(org_0000000003, JPY, professional plan\) in .*budgetd\.db\.\n$/,
    );
    const [next, first] = stderr.split('\n');
    assert.equal(next, 'Next: budgetd projects import projects.json --org org_0000000003');
    assert.match(first ?? '', /^For the first user: budgetd users create .* --org org_0000000003$/);
  });

  it('creates one organisation when two processes run it at the same moment', async (context) => {
    const { folder, database } = new Terminal(context);
    await (await createService({ database, create: true })).close();
    // Both processes get as far as they can without writing; then they may write.
    const db = openDatabase({ file: database, create: false, busyTimeoutMs: 1000 });
    context.after(() => db.close());
    db.exec('begin immediate');
    const runs = ['One', 'Two'].map((name) =>
      startProgram(context, [...INIT, name], { cwd: folder }),
    );
    await untilOpened(runs, database);
    db.exec('rollback');
    const ends = await Promise.all(runs.map(({ ended }) => ended));
    assert.deepEqual(ends.map(({ exitCode }) => exitCode).sort(), [0, 1]);
    const refused = ends.find(({ exitCode }) => exitCode === 1);
    assert.match(refused?.stderr ?? '', /^budgetd: .*budgetd\.db already has (?:One|Two) \(/);
    const service = await createService({ database });
    context.after(() => service.close());
    assert.equal(service.organisations.list().length, 1);
  });

  it('creates one organisation when two processes create the database', async (context) => {
    const { folder, database } = new Terminal(context);
    const runs = ['One', 'Two'].map((name) =>
      startProgram(context, [...INIT, name], { cwd: folder }),
    );
    const ends = await Promise.all(runs.map(({ ended }) => ended));
    assert.deepEqual(ends.map(({ exitCode }) => exitCode).sort(), [0, 1], JSON.stringify(ends));
    const service = await createService({ database });
    context.after(() => service.close());
    assert.equal(service.organisations.list().length, 1);
  });
});
