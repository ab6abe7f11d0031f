import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { clientOf, FastClock, type Fault, openProxy, openWorld, rowsOf } from '../client/world.ts';
import { ROOT, readText } from '../repository.ts';

/** A script, what runs it, and what else it needs. */
const SCRIPTS: readonly [script: string, runner: readonly string[], needs: string][] = [
  ['transactions.sh', ['bash'], 'curl'],
  ['transactions.py', ['python3'], 'python3'],
  ['transactions.mjs', [process.execPath], process.execPath],
  ['transactions.ps1', ['pwsh', '-NoProfile', '-File'], 'pwsh'],
];

const JSON_TYPE = { 'content-type': 'application/json' };

function refuse(status: number, code: string): Fault {
  const body = JSON.stringify({ code, message: 'Wait.', requestId: 'r', details: [] });
  return { status, headers: { ...JSON_TYPE, 'retry-after': '1' }, body };
}

for (const [script, runner, needs] of SCRIPTS) {
  const missing = [runner[0] ?? '', needs].find((name) => !isThere(name));
  const skip = missing === undefined ? false : `there is no ${missing} here`;

  describe(`examples/${script}`, { skip, concurrency: true }, () => {
    it('pushes in batches of 500 and lists page after page, in UTF-8', async (t) => {
      const desk = await openDesk(t, script, runner);
      const proxy = await openProxy(t, desk.url, []);
      const rows = rowsOf(1203).map((row, index) => {
        return { ...row, description: `Café "${index}" {"index":1, 東京 🍵`, contact: 'A & B + C' };
      });
      // A byte order mark, an empty line and Windows' line ends do no harm.
      desk.write(`\ufeff${rows.map((row) => JSON.stringify(row)).join('\r\n')}\n\n`);
      const pushed = await desk.run(proxy.url, 'push', 'rows.ndjson');
      assert.deepEqual([pushed.exitCode, pushed.stdout], [0, ''], pushed.stderr);
      assert.equal(proxy.requests, 3);
      const listed = await desk.run(proxy.url, 'list', 'contact=A & B + C', 'q=東京');
      assert.equal(listed.exitCode, 0, listed.stderr);
      assert.equal(proxy.requests, 5);
      const items = readItems(listed.stdout);
      assert.deepEqual(
        items.map(({ description }) => description).sort(),
        rows.map(({ description }) => description).sort(),
      );
      assert.deepEqual(readItems((await desk.run(proxy.url, 'list', 'q=nobody')).stdout), []);
    });

    it('prints rejected rows with number and code, and exits with 3', async (t) => {
      const desk = await openDesk(t, script, runner);
      const rows = rowsOf(502).map((row, index) => {
        return index === 3 || index >= 500 ? { ...row, date: '2026-02-30' } : row;
      });
      desk.write(rows.map((row) => JSON.stringify(row)).join('\n'));
      const { exitCode, stdout, stderr } = await desk.run(desk.url, 'push', 'rows.ndjson');
      assert.equal(exitCode, 3, stderr);
      const lines = stdout.trimEnd().split(/\r?\n/);
      assert.equal(lines.length, 3, stdout);
      for (const [at, [row, id]] of [
        [4, 'INV-3'],
        [501, 'INV-500'],
        [502, 'INV-501'],
      ].entries()) {
        assert.match(lines[at] ?? '', new RegExp(`^row ${row} rejected: .*${id}.*invalid_date`));
      }
      assert.equal(await desk.count(), 499);
    });

    it('tries again after a cut connection, 429 and 503, as Retry-After says', async (t) => {
      const desk = await openDesk(t, script, runner);
      desk.write(
        rowsOf(3)
          .map((row) => JSON.stringify(row))
          .join('\n'),
      );
      const atMs: number[] = [];
      const faults = ['cut after', refuse(429, 'rate_limit_exceeded'), refuse(503, 'unavailable')];
      const proxy = await openProxy(t, desk.url, faults as Fault[], () => {
        atMs.push(performance.now());
      });
      const { exitCode, stderr } = await desk.run(proxy.url, 'push', 'rows.ndjson');
      assert.equal(exitCode, 0, stderr);
      assert.equal(atMs.length, 4);
      for (const at of [1, 2, 3]) {
        assert.ok((atMs[at] ?? 0) - (atMs[at - 1] ?? 0) >= 990, `${at}: ${atMs.join(' ')}`);
      }
      assert.equal(await desk.count(), 3);
    });

    it('a refusal is exit 1 at once, and its code is shown', async (t) => {
      const desk = await openDesk(t, script, runner);
      desk.write(JSON.stringify(rowsOf(1)[0]));
      const wrong = { BUDGETD_KEY: 'bdg_live_wrong' };
      for (const words of [['push', 'rows.ndjson'], ['list']]) {
        const { exitCode, stderr } = await desk.runWith(wrong, desk.url, ...words);
        assert.equal(exitCode, 1);
        assert.match(stderr, /401.*invalid_api_key/);
      }
      const usage = await desk.run(desk.url, 'pull');
      assert.deepEqual([usage.exitCode, /^Usage: /m.test(usage.stderr)], [1, true]);
    });

    it('what cannot be pushed is one line: no file, no UTF-8, no setting', async (t) => {
      const desk = await openDesk(t, script, runner);
      desk.write(Buffer.from(JSON.stringify({ ...rowsOf(1)[0], contact: 'Café' }), 'latin1'));
      for (const [file, words] of [
        ['none.ndjson', /none\.ndjson/],
        ['rows.ndjson', /UTF-8|translate bytes/i],
      ] as const) {
        const { exitCode, stderr } = await desk.run(desk.url, 'push', file);
        assert.equal(exitCode, 1, file);
        assert.match(stderr, words);
        assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
      }
      assert.equal(await desk.count(), 0);
      const { exitCode, stderr } = await desk.runWith({ BUDGETD_KEY: '' }, desk.url, 'list');
      assert.deepEqual([exitCode, stderr.trimEnd()], [1, 'Set BUDGETD_URL and BUDGETD_KEY.']);
    });

    it('a redirect is no answer: nothing is taken for pushed', async (t) => {
      const desk = await openDesk(t, script, runner);
      desk.write(JSON.stringify(rowsOf(1)[0]));
      const headers = { location: `${desk.url}/api/v1/transactions` };
      const proxy = await openProxy(t, desk.url, [{ status: 301, headers, body: '' }]);
      const { exitCode, stderr } = await desk.run(proxy.url, 'push', 'rows.ndjson');
      assert.equal(exitCode, 1, stderr);
      assert.match(stderr, /301/);
    });
  });
}

describe('examples/transactions.ps1, read only where there is no PowerShell', () => {
  const text = readText('examples/transactions.ps1');
  const code = stripPowerShell(text);

  it('is ASCII: Windows PowerShell 5.1 reads a script without a mark in the old code page', () => {
    assert.match(text, /^[\n\x20-\x7e]*$/);
  });

  it('sends bytes of UTF-8, and no Expect header, and follows no redirect', () => {
    assert.match(code, /\$bytes = \$Utf8\.GetBytes\(\$Json\)/);
    assert.match(code, /ByteArrayContent\]::new\(\$bytes\)/);
    assert.match(code, /ExpectContinue = \$false/);
    assert.match(code, /AllowAutoRedirect = \$false/);
    assert.doesNotMatch(code, /StringContent|Invoke-(?:RestMethod|WebRequest)/);
  });

  it('uses nothing that 5.1 lacks', () => {
    const newer = [/\?\?/, /\?\./, /&&|\|\|/, /\s\?\s/, /-AsHashtable/, /-SkipHttpErrorCheck/];
    newer.push(/-AsByteStream/, /-Parallel/, /-MaximumRetryCount/, /\bclean\s*\{/);
    for (const pattern of newer) assert.doesNotMatch(code, pattern);
  });

  it('closes what it opens', () => {
    const pairs = new Map([
      [')', '('],
      [']', '['],
      ['}', '{'],
    ]);
    const open: string[] = [];
    for (const sign of code) {
      if ('([{'.includes(sign)) open.push(sign);
      else if (pairs.has(sign)) assert.equal(open.pop(), pairs.get(sign));
    }
    assert.deepEqual(open, []);
  });

  it('batches, waits and ends like the others', () => {
    for (const part of [/\$BatchRows = 500/, /RetryAfter/, /429/, /503/, /exit 3/, /exit 1/]) {
      assert.match(text, part);
    }
  });
});

/** Without comments, and with empty texts. */
function stripPowerShell(text: string): string {
  const token =
    /<#[\s\S]*?#>|#.*|'(?:[^']|'')*'|"(?:[^"`$]|`.|\$\([^()]*(?:\([^()]*\)[^()]*)*\)|\$)*"/g;
  return text.replace(token, (found) => (/^['"]/.test(found) ? "''" : ''));
}

function isThere(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** A transaction a line, or a page of them. */
function readItems(stdout: string): Record<string, unknown>[] {
  const lines = stdout.split(/\r?\n/).filter((line) => line !== '');
  return lines.flatMap((line) => {
    const document = JSON.parse(line);
    return Array.isArray(document.data) ? document.data : [document];
  });
}

/** A service, a folder, and the script to run there. */
async function openDesk(t: TestContext, script: string, runner: readonly string[]) {
  const world = await openWorld(t);
  const cwd = mkdtempSync(join(tmpdir(), 'budgetd-example-'));
  t.after(() => rmSync(cwd, { recursive: true }));
  const [program = '', ...rest] = runner;
  const runWith = async (env: Record<string, string>, url: string, ...words: string[]) => {
    const args = [...rest, `${ROOT}examples/${script}`, ...words];
    const own = { BUDGETD_URL: url, BUDGETD_KEY: world.key, ...env };
    const child = spawn(program, args, { cwd, env: { ...process.env, ...own } });
    t.after(() => child.kill('SIGKILL'));
    const written = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      written.stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      written.stderr += chunk;
    });
    const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { exitCode, ...written };
  };
  return {
    ...world,
    runWith,
    run: (url: string, ...words: string[]) => runWith({}, url, ...words),
    write: (text: string | Buffer) => writeFileSync(join(cwd, 'rows.ndjson'), text),
    count: async () => {
      const list = clientOf(world, new FastClock()).transactions.list({ limit: 1000 });
      return (await list).data.length;
    },
  };
}
