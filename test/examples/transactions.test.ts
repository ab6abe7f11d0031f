import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { RETRIES, RETRY_COUNT } from '../../src/core/retries.ts';
import { clientOf, FastClock, type Fault, openProxy, openWorld, rowsOf } from '../client/world.ts';
import { testedBefore } from '../repetitions.ts';
import { listFiles, ROOT, readText } from '../repository.ts';

/** A script, the command that runs it, and the program that it needs. */
const SCRIPTS: readonly [script: string, runner: readonly string[], needs: string][] = [
  ['transactions.sh', ['bash'], 'curl'],
  ['transactions.py', ['python3'], 'python3'],
  ['transactions.mjs', [process.execPath], process.execPath],
  ['transactions.ps1', ['pwsh', '-NoProfile', '-File'], 'pwsh'],
];

const JSON_TYPE = { 'content-type': 'application/json' };

/** The statuses that every client retries. */
const RETRIED = RETRIES.flatMap(({ status }) => status ?? []);

function refuse(status: number, code: string, retryAfter = '1'): Fault {
  const body = JSON.stringify({ code, message: 'Wait.', requestId: 'r', details: [] });
  return { status, headers: { ...JSON_TYPE, 'retry-after': retryAfter }, body };
}

for (const [script, runner, needs] of SCRIPTS) {
  const missing = [runner[0] ?? '', needs].find((name) => !isThere(name));
  const isNode = runner[0] === process.execPath;
  const skip = missing !== undefined ? `${missing} is not installed` : !isNode && testedBefore;

  describe(`examples/${script}`, { skip, concurrency: true }, () => {
    it('pushes batches of 500 and lists every page, in UTF-8', async (t) => {
      const desk = await openDesk(t, script, runner);
      const proxy = await openProxy(t, desk.url, []);
      const rows = rowsOf(1203).map((row, index) => {
        return { ...row, description: `Café "${index}" {"index":1, 東京 🍵`, contact: 'A & B + C' };
      });
      // A byte order mark, an empty line and Windows line endings are harmless.
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

    it('retries after a cut connection, 429 and 503, and obeys Retry-After', async (t) => {
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

    it('lists every page whatever the limit, and accepts a filter twice', async (t) => {
      const desk = await openDesk(t, script, runner);
      await clientOf(desk, new FastClock()).push(rowsOf(25));
      const proxy = await openProxy(t, desk.url, []);
      const filters = ['limit=10', 'status=allocated', 'status=unallocated'];
      const { exitCode, stdout, stderr } = await desk.run(proxy.url, 'list', ...filters);
      assert.equal(exitCode, 0, stderr);
      assert.equal(new Set(readItems(stdout).map(({ externalId }) => externalId)).size, 25);
      assert.equal(proxy.requests, 3);
    });

    it('prints warnings, and totals the counts of all batches', async (t) => {
      const desk = await openDesk(t, script, runner);
      await clientOf(desk, new FastClock()).push(rowsOf(2));
      const rows = rowsOf(502).map((row, index) => {
        if (index === 1) return { ...row, amount: 99 };
        return index === 501 ? { ...row, colour: 'red' } : row;
      });
      desk.write(rows.map((row) => JSON.stringify(row)).join('\n'));
      const { exitCode, stdout, stderr } = await desk.run(desk.url, 'push', 'rows.ndjson');
      assert.equal(exitCode, 0, stderr);
      assert.match(stdout, /^row 502 warning: .*INV-501.*colour.*unknown_field.*\r?\n$/);
      const counts = '500 created, 2 updated, 1 unchanged, 0 rejected, 1 warnings';
      assert.match(stderr.trimEnd().split('\n').at(-1) ?? '', new RegExp(`rows: ${counts}\\r?$`));
    });

    it('retries exactly the answers in the table of retries', async (t) => {
      const desk = await openDesk(t, script, runner);
      assert.equal(RETRIED.length, RETRY_COUNT);
      const passing = await openProxy(
        t,
        desk.url,
        RETRIED.map((status) => refuse(status, 'x', '0')),
      );
      const passed = await desk.run(passing.url, 'list');
      assert.deepEqual([passed.exitCode, passing.requests], [0, RETRY_COUNT + 1], passed.stderr);
      const lasting = await openProxy(
        t,
        desk.url,
        Array.from({ length: 9 }, () => refuse(503, 'unavailable', '0')),
      );
      const gaveUp = await desk.run(lasting.url, 'list');
      assert.deepEqual([gaveUp.exitCode, lasting.requests], [1, RETRY_COUNT + 1]);
      assert.match(gaveUp.stderr, /Gave up after 6 retries/);
      for (const status of [400, 409, 413, 501, 505]) {
        const final = await openProxy(t, desk.url, [refuse(status, 'x', '0')]);
        const failed = await desk.run(final.url, 'list');
        assert.deepEqual([failed.exitCode, final.requests], [1, 1], `${status}`);
      }
    });

    it('exits with 1 immediately after a refusal, and prints its code', async (t) => {
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

    it('prints one line for a missing, wrongly encoded or empty file, or no key', async (t) => {
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
      desk.write('\n');
      const empty = await desk.run(desk.url, 'push', 'rows.ndjson');
      assert.deepEqual([empty.exitCode, empty.stderr.trimEnd()], [0, 'No rows: nothing to push.']);
      const { exitCode, stderr } = await desk.runWith({ BUDGETD_KEY: '' }, desk.url, 'list');
      assert.deepEqual([exitCode, stderr.trimEnd()], [1, 'Set BUDGETD_URL and BUDGETD_KEY.']);
    });

    it('does not follow a redirect, and does not count its rows as pushed', async (t) => {
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

describe('the text of examples/transactions.ps1, for machines without PowerShell', () => {
  const text = readText('examples/transactions.ps1');
  const code = stripPowerShell(text);

  it('is ASCII, because Windows PowerShell 5.1 reads scripts in the system code page', () => {
    assert.match(text, /^[\n\x20-\x7e]*$/);
  });

  it('sends UTF-8 bytes and no Expect header, and follows no redirects', () => {
    assert.match(code, /\$bytes = \$Utf8\.GetBytes\(\$Json\)/);
    assert.match(code, /ByteArrayContent\]::new\(\$bytes\)/);
    assert.match(code, /ExpectContinue = \$false/);
    assert.match(code, /AllowAutoRedirect = \$false/);
    assert.doesNotMatch(code, /StringContent|Invoke-(?:RestMethod|WebRequest)/);
  });

  it('uses only what 5.1 has', () => {
    const newer = [/\?\?/, /\?\./, /&&|\|\|/, /\s\?\s/, /-AsHashtable/, /-SkipHttpErrorCheck/];
    newer.push(/-AsByteStream/, /-Parallel/, /-MaximumRetryCount/, /\bclean\s*\{/);
    for (const pattern of newer) assert.doesNotMatch(code, pattern);
  });

  it('has balanced brackets', () => {
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

  it('has the same batches, waits and exit codes as the others', () => {
    for (const part of [/\$BatchRows = 500/, /RetryAfter/, /\^limit=/, /exit 3/, /exit 1/]) {
      assert.match(text, part);
    }
    assert.match(text, /'No rows: nothing to push\.'/);
    assert.ok(text.includes(`$Retried = @(${RETRIED.join(', ')})`));
    assert.ok(text.includes(`$Retries = ${RETRY_COUNT}`));
  });
});

describe('examples/README.md', () => {
  const needs = ['bash', 'curl', 'python3'].filter((name) => !isThere(name));
  const skip = needs.length > 0 ? `there is no ${needs} here` : testedBefore;
  const text = readText('examples/README.md');
  const [rows = ''] = blocksOf(text, 'json');

  it('its commands print the output that it shows', { skip }, async (t) => {
    const desk = await openDesk(t, 'transactions.mjs', []);
    desk.write(rows);
    writeFileSync(join(desk.cwd, 'erp.key'), desk.key);
    symlinkSync(`${ROOT}examples`, join(desk.cwd, 'examples'));
    const [first = '', second = ''] = blocksOf(text, 'console');
    const steps = `${first}${second}`.split(/^\$ /m).slice(1);
    assert.equal(steps.length, 8);
    let before = '';
    for (const step of steps) {
      const [command = '', ...shown] = step.trimEnd().split('\n');
      if (command.startsWith('export')) {
        before += `${command.replace('http://127.0.0.1:8080', desk.url)}\n`;
        continue;
      }
      const ran = await runProgram(t, 'bash', ['-euc', `${before}${command} 2>&1`], desk);
      assert.equal(ran.exitCode, 0, `${command}\n${ran.stdout}`);
      const lines = ran.stdout.trimEnd().split('\n');
      assert.equal(lines.length, shown.length, ran.stdout);
      for (const [at, line] of shown.entries()) {
        const begin = line.replace(/…$/, '');
        assert.equal(lines[at]?.slice(0, line.endsWith('…') ? begin.length : undefined), begin);
      }
    }
  });

  it('lists every program', () => {
    const programs = listFiles('examples').filter((file) => /transactions\.\w+$|\.cs$/.test(file));
    for (const file of programs) {
      const page = file.includes('/windows/') ? readText('examples/windows/README.md') : text;
      assert.ok(page.includes(`](${file.replace(/^examples\/(?:windows\/)?/, '')})`), file);
    }
  });
});

describe('the text of the examples for Windows', () => {
  const program = readText('examples/csharp/Program.cs');
  const query = readText('examples/windows/transactions.pq');
  const task = readText('examples/windows/push.cmd');

  it('C# has the same retries, batches and exit codes, and follows no redirects', () => {
    assert.ok(program.includes(`Retried = { ${RETRIED.join(', ')} }`));
    assert.ok(program.includes(`Retries = ${RETRY_COUNT}`));
    assert.match(program, /"No rows: nothing to push\."/);
    for (const part of [/BatchRows = 500/, /AllowAutoRedirect = false/, /> 0 \? 3 : 0/]) {
      assert.match(program, part);
    }
  });

  it('Power Query retries what its engine does not retry, and follows nextCursor', () => {
    const byItself = [408, 429, 503, 504];
    const others = RETRIED.filter((status) => !byItself.includes(status));
    assert.ok(query.includes(`itself retries 408, 429, 503 and 504`));
    assert.ok(query.includes(`Retried = {${others.join(', ')}}`));
    assert.ok(query.includes(`Retries = ${RETRY_COUNT}`));
    assert.match(query, /\[cursor = page\[meta\]\[nextCursor\]\]/);
  });

  it('the task has Windows line endings, and the exit codes and options of push', () => {
    assert.doesNotMatch(task, /[^\r]\n|[^\n\r\x20-\x7e]/);
    assert.match(readText('.gitattributes'), /^\*\.cmd text eol=crlf$/m);
    // A digit directly before a redirection would be a handle.
    assert.doesNotMatch(task, /%>|\d>(?!&)/);
    const help = spawnSync(process.execPath, [`${ROOT}bin/budgetd`, 'push', '--help']).stdout;
    for (const [, option = ''] of task.matchAll(/ (--[a-z][a-z-]*)/g)) {
      assert.ok(`${help}`.includes(option), option);
    }
    const page = readText('examples/windows/README.md').replace(/\s+/g, ' ');
    const plain = `${help}`.replace(/\s+/g, ' ');
    for (const [, code, meaning] of task.matchAll(/(?<=rem .*)\b([0-8]) ([a-z][a-z, ]+[a-z])/g)) {
      assert.ok(page.includes(`${code} ${meaning}`), `${code} ${meaning}`);
      assert.ok(plain.includes(`${code} ${meaning}`), `${code} ${meaning}`);
    }
  });

  it('no file contains a key', () => {
    for (const file of listFiles('examples')) assert.doesNotMatch(readText(file), /bdg_live_\w/);
  });
});

/** The fenced blocks of one language. */
function blocksOf(text: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...text.matchAll(fence)].map(([, block = '']) => block);
}

/** Without comments, and with empty texts. */
function stripPowerShell(text: string): string {
  const token =
    /<#[\s\S]*?#>|#.*|'(?:[^']|'')*'|"(?:[^"`$]|`.|\$\([^()]*(?:\([^()]*\)[^()]*)*\)|\$)*"/g;
  return text.replace(token, (found) => (/^['"]/.test(found) ? "''" : ''));
}

function isThere(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** One transaction per line, or one page per line. */
function readItems(stdout: string): Record<string, unknown>[] {
  const lines = stdout.split(/\r?\n/).filter((line) => line !== '');
  return lines.flatMap((line) => {
    const document = JSON.parse(line);
    return Array.isArray(document.data) ? document.data : [document];
  });
}

/** A service, and a folder to run the script in. */
async function openDesk(t: TestContext, script: string, runner: readonly string[]) {
  const world = await openWorld(t);
  const cwd = mkdtempSync(join(tmpdir(), 'budgetd-example-'));
  t.after(() => rmSync(cwd, { recursive: true }));
  const [program = '', ...rest] = runner;
  const runWith = (env: Record<string, string>, url: string, ...words: string[]) => {
    const args = [...rest, `${ROOT}examples/${script}`, ...words];
    const own = { BUDGETD_URL: url, BUDGETD_KEY: world.key, ...env };
    return runProgram(t, program, args, { cwd, env: own });
  };
  return {
    ...world,
    cwd,
    runWith,
    run: (url: string, ...words: string[]) => runWith({}, url, ...words),
    write: (text: string | Buffer) => writeFileSync(join(cwd, 'rows.ndjson'), text),
    count: async () => {
      const list = clientOf(world, new FastClock()).transactions.list({ limit: 1000 });
      return (await list).data.length;
    },
  };
}

/** Runs a program until it ends. */
async function runProgram(
  t: TestContext,
  program: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env } });
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
}
