import assert from 'node:assert/strict';
import { exec, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import Papa from 'papaparse';
import { OXFORD_PAYMENTS, SMALLER_PAYMENTS } from '../oxford.ts';
import { without } from '../programs.ts';
import { programWith } from './program.ts';
import { Terminal } from './terminal.ts';

const shell = promisify(exec);
const skip = without('curl');

/** A date of the sample data that many months later, or the last day of that month. */
function move([year = 0, month = 0, day = 0]: number[], months: number): string {
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const at = Date.UTC(year, month - 1 + months, Math.min(day, last));
  return new Date(at).toISOString().slice(0, 10);
}

/** The council's payments that the demo allocates: all but the newest hundred of all projects. */
function readYear(nowMs: number) {
  const now = new Date(nowMs);
  const months = (now.getUTCFullYear() * 4 + Math.floor(now.getUTCMonth() / 3) - 2016 * 4) * 3;
  const rowsOf = (path: string) =>
    Papa.parse<string[]>(readFileSync(path, 'utf8'), { skipEmptyLines: true }).data.slice(1);
  const council = OXFORD_PAYMENTS.flatMap(([path]) => rowsOf(path)).map((row) => {
    const [, , , , date = '', id = '', amount] = row;
    return { id, date: move(date.split('/').map(Number).reverse(), months), amount };
  });
  const smaller = rowsOf(SMALLER_PAYMENTS).map(([, date = '']) => ({
    date: move(date.split('-').map(Number), months),
  }));
  const dates = [...council, ...smaller].map(({ date }) => date).sort();
  const [firstNew = ''] = dates
    .filter((date) => date <= now.toISOString().slice(0, 10))
    .slice(-100);
  const older = council.filter(({ date }) => date < firstNew);
  const payments = new Map(older.map((each) => [each.id, Math.round(Number(each.amount) * 100)]));
  const total = [...payments.values()].reduce((sum, each) => sum + each, 0) / 100;
  return { count: payments.size, total };
}

describe('8: demo', () => {
  it('ends when its reader has gone', { timeout: 120_000 }, async () => {
    const [file, args] = programWith(['demo', '--port', '0']);
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [exitCode] = await once(child, 'exit');
    assert.equal(exitCode, 0);
  });

  it('leaves nothing when its terminal is closed', { timeout: 120_000 }, async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'budgetd-closed-'));
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    const [file, args] = programWith(['demo', '--port', '0']);
    const env = { ...process.env, TMPDIR: folder };
    const child = spawn(file, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const exit = once(child, 'exit');
    await once(child.stderr, 'data');
    assert.equal(readdirSync(folder).length, 1);
    child.kill('SIGHUP');
    assert.deepEqual([...(await exit), readdirSync(folder)], [130, null, []]);
  });

  it('pushes a year over HTTP, prints commands to paste, and cleans up', {
    skip,
  }, async (context) => {
    const terminal = new Terminal(context);
    const running = terminal.start(['demo', '--port', '0']);
    const text = await running.stdout.until(/Print the whole report:\n.*\n/);
    const year = readYear(Date.now());
    const [, allocated = ''] =
      /^([\d,]+) transactions allocated by/m.exec(running.stderr.text) ?? [];
    const smaller = Number(allocated.replace(',', '')) - year.count;
    assert.ok(smaller > 20 && smaller < 40, allocated);
    const actual = year.total.toLocaleString('en-GB', { minimumFractionDigits: 2 });
    assert.ok(text.includes(`\nSpent ${actual} of 58,342,493.05 GBP budgeted (`), actual);

    const [link = ''] = text.match(/^http:\/\/\S*\/set-up\?token=\S+$/m) ?? [];
    const { origin, searchParams } = new URL(link);
    const open = () =>
      fetch(`${origin}/set-up`, {
        method: 'POST',
        headers: {
          origin,
          accept: 'text/html',
          cookie: `budgetd-link=${searchParams.get('token')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: '',
        redirect: 'manual',
      });
    const opened = await open();
    assert.equal(opened.status, 303);
    const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const readHome = async () => {
      const home = await fetch(origin, { headers: { cookie, accept: 'text/html' } });
      return (await home.text()).replaceAll(/<[^>]*>|\s+/g, ' ').replaceAll(/ +/g, ' ');
    };
    let said = await readHome();
    // The first backup is made while the demo is used.
    while (said.includes(' Last backup none yet ')) {
      await setTimeout(100);
      said = await readHome();
    }
    assert.match(said, /Oxford City Council payments 2015\/16/);
    const [, toAllocate] = / \d+ to review, (\d+) to allocate, 1 recoded /.exec(said) ?? [];
    assert.ok(Number(toAllocate) > 90, said);
    assert.match(said, / Last backup today .* Parks programme .* Rose Hill youth club /);
    assert.equal((await open()).status, 404);

    const [read = '', push = ''] = text.match(/^curl .*$/gm) ?? [];
    const listed = JSON.parse((await shell(read)).stdout);
    assert.equal(listed.data.length, 2);
    const pushed = JSON.parse((await shell(push)).stdout);
    const { updated, needsReview, warnings } = pushed.meta;
    assert.deepEqual([updated, needsReview, warnings], [1, 1, 0]);

    const [again = '', list = '', report = ''] = text.match(/^\S.* --db .*$/gm) ?? [];
    assert.ok((await shell(again)).stdout.includes(`${origin}/set-up?token=`));
    assert.match((await shell(list)).stdout, /needs review/);
    assert.match((await shell(report)).stdout, /^\d transactions need review: /m);

    const [, database = ''] = /--db (\S+)/.exec(list) ?? [];
    assert.ok(existsSync(database));
    running.interrupt();
    assert.equal(await running.exitCode, 0);
    assert.equal(existsSync(database), false);
  });

  it('prints only { url, key, projectId } on standard output with --json', async (context) => {
    const running = new Terminal(context).start(['demo', '--port', '0', '--json']);
    const { url, key, projectId, ...rest } = JSON.parse(await running.stdout.until(/\n/));
    assert.deepEqual(rest, {});
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/api/v1/projects/${projectId}/report`, { headers });
    const { data } = (await response.json()) as {
      data: { totals: { total: { budgeted: number; actual: number } } };
    };
    const { budgeted, actual } = data.totals.total;
    assert.equal(budgeted, 58_342_493.05);
    assert.equal(actual, readYear(Date.now()).total);
    // The payments were pushed with another key, so this is the first request of this one.
    assert.equal(response.headers.get('X-RateLimit-Remaining'), '119');
    running.interrupt();
    assert.equal(await running.exitCode, 0);
    assert.equal(running.stdout.text.split('\n').length, 2);
  });

  it('exits with 130 and cleans up when interrupted during the push', async (context) => {
    const running = new Terminal(context).start(['demo', '--port', '0']);
    await running.stderr.until(/500 of/);
    running.interrupt();
    assert.equal(await running.exitCode, 130);
    assert.equal(running.stdout.text, '');
  });

  it('uses another port if 8080 is in use and --port is not set', async (context) => {
    const holder = createServer().listen(8080, '127.0.0.1');
    // If another program already has the port, that will do.
    await once(holder, 'listening').catch(() => {});
    const running = new Terminal(context).start(['demo']);
    const text = await running.stderr.until(/^Pushing a year of payments to .*$/m);
    holder.close();
    assert.match(text, /^Port 8080 is in use: using another\.$/m);
    assert.doesNotMatch(text, /to http:\/\/127\.0\.0\.1:8080/);
    running.interrupt();
    assert.equal(await running.exitCode, 130);
  });

  it('exits with 1 if the port of --port is in use', async (context) => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    const port = String(typeof address === 'object' ? address?.port : '');
    const { exitCode, stderr } = await new Terminal(context).run(['demo', '--port', port]);
    holder.close();
    assert.equal(exitCode, 1);
    assert.match(stderr, /^budgetd: Port \d+ on 127\.0\.0\.1 is in use/m);
  });
});
