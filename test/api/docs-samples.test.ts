import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Language } from '../../build/reference/highlight.ts';
import { listOperations, requestOf } from '../../build/reference/operations.ts';
import { buildSamples, type Sample, type SampleRequest } from '../../build/reference/samples.ts';
import type { ExampleWorld } from '../../build/reference/world.ts';
import { ADDRESS } from '../../src/docs/routes.ts';
import { testedBefore } from '../repetitions.ts';
import { DOCUMENT, openExampleWorld } from './example-world.ts';

const OPERATIONS = listOperations(DOCUMENT).map((placed) => {
  return { id: placed.operation.operationId, request: requestOf(DOCUMENT, placed) };
});
const PUSH = OPERATIONS.find(({ id }) => id === 'pushTransactions')?.request ?? assert.fail();
const LIST = OPERATIONS.find(({ id }) => id === 'listTransactions')?.request ?? assert.fail();
const FOLDER = mkdtempSync(join(tmpdir(), 'budgetd-samples-'));
after(() => rmSync(FOLDER, { recursive: true }));

/** How to run each language, and the program that it needs. */
const RUNNERS = {
  curl: { needs: 'curl', command: ['sh'], ending: 'sh' },
  powershell: { needs: 'pwsh', command: ['pwsh', '-NoProfile', '-File'], ending: 'ps1' },
  python: { needs: 'python3', command: ['python3'], ending: 'py' },
  node: { needs: process.execPath, command: [process.execPath], ending: 'mjs' },
} as const;
type RunLanguage = keyof typeof RUNNERS;
const LANGUAGES = Object.keys(RUNNERS) as RunLanguage[];

for (const language of LANGUAGES) {
  const { needs } = RUNNERS[language];
  const isThere = spawnSync(needs, ['--version']).status === 0;
  const skip = isThere ? language !== 'node' && testedBefore : `${needs} is not installed`;
  describe(`${language}: the sample of`, { skip, concurrency: 4 }, () => {
    for (const { id, request } of OPERATIONS) {
      it(`${id} runs and prints the answer of the service`, async (t) => {
        const world = await openExampleWorld(t);
        const { rows } = PUSH;
        // The rows exist already, so every push of them gets the same answer.
        world.service.transactions.push(world.organisationId, rows);
        const target = request.path + queryOf(request);
        const expected = await world.ask(target, request.kind === 'push' ? rows : undefined);
        const ran = await run(world, language, request);
        assert.deepEqual([ran.code, ran.errors], [0, '']);
        const isWhole = request.kind === 'document' || language === 'curl';
        if (isWhole) assert.deepEqual(JSON.parse(ran.output), expected);
        else assert.deepEqual({ data: linesOf(ran.output) }, { data: Object(expected).data });
      });
    }

    it('a list reads all of its pages', async (t) => {
      if (language === 'curl') return t.skip('curl sends one request, so it reads one page');
      const world = await openExampleWorld(t);
      const rows = ['a', 'b', 'c'].map((externalId) => ({ ...PUSH.rows[0], externalId }));
      await world.ask(PUSH.path, rows);
      for (const query of [{ limit: '1' }, { limit: '2', q: 'rent, & so on? "#' }, {}]) {
        const ran = await run(world, language, { ...LIST, query });
        assert.equal(linesOf(ran.output).length, 'q' in query ? 0 : 3, ran.errors);
      }
    });

    it('a push sends every character unchanged', async (t) => {
      const world = await openExampleWorld(t);
      const contact = 'Café "Zoë" & Łukasz’s \'$x` \\ 東京 🚲';
      await run(world, language, { ...PUSH, rows: [{ ...PUSH.rows[0], contact }] });
      const { data } = world.service.transactions.list(world.organisationId);
      assert.deepEqual(
        data.map((each) => each.contact),
        [contact],
      );
    });

    it('a refused request exits with the reason', async (t) => {
      const world = await openExampleWorld(t);
      for (const request of [LIST, PUSH, OPERATIONS[1]?.request ?? assert.fail()]) {
        const ran = await run(world, language, request, 'no key');
        assert.match(ran.output + ran.errors, /invalid_api_key/);
        assert.equal(ran.code === 0, language === 'curl');
      }
    });
  });
}

describe('PowerShell samples, as far as can be checked without PowerShell,', () => {
  const samples = OPERATIONS.map(({ id, request }) => ({
    id,
    code: codeOf('powershell', request),
  }));

  for (const { id, code } of samples) {
    it(`${id}: is ASCII, as 5.1 needs without a byte order mark, and has balanced brackets`, () => {
      assert.match(code.replaceAll(ADDRESS, ''), /^[\n\x20-\x7e]+$/);
      const bare = code.replace(/#.*/g, '').replace(/'(?:[^']|'')*'|"[^"]*"/g, '');
      assert.doesNotMatch(bare, /['"]/);
      for (const [open, close] of ['{}', '()', '[]']) {
        assert.equal(bare.split(open ?? '').length, bare.split(close ?? '').length, open);
      }
      // In 7, ?. and ?[ are operators, so no question mark can follow a variable.
      assert.doesNotMatch(code, /\$\w+\?/);
      assert.doesNotMatch(code, /\?\?|&&|\|\||-SkipHttpErrorCheck|-Authentication|-Form\b/);
    });
  }

  it('the push sends UTF-8 bytes, and text in single quotation marks is literal', () => {
    const code = codeOf('powershell', { ...PUSH, rows: [{ contact: 'O\'Neil $x `n "' }] });
    assert.ok(code.includes("contact = 'O''Neil $x `n \"'"));
    assert.ok(code.includes('[System.Text.Encoding]::UTF8.GetBytes($json)'));
    assert.ok(/-Body \$body$/m.test(code) && !code.includes('-Body $json'));
  });
});

describe('C# samples, as far as can be checked without .NET,', () => {
  for (const { id, request } of OPERATIONS) {
    it(`${id}: uses only what it imports, and has balanced brackets`, () => {
      const code = codeOf('csharp', request);
      const bare = code.replace(/"(?:[^"\\\n]|\\.)*"/g, '');
      assert.ok(!bare.includes('"'));
      for (const [open, close] of ['{}', '()', '[]']) {
        assert.equal(bare.split(open ?? '').length, bare.split(close ?? '').length, open);
      }
      // Everything else is in the implicit usings of a console project.
      for (const [name, space] of [
        ['AuthenticationHeaderValue', 'System.Net.Http.Headers'],
        ['PostAsJsonAsync', 'System.Net.Http.Json'],
        ['JsonDocument', 'System.Text.Json'],
      ] as const) {
        assert.equal(bare.includes(name), bare.includes(`using ${space};`), name);
      }
      assert.equal(code.includes('"BUDGETD_KEY"'), request.isKeyed);
    });
  }

  it('the push sends amounts as decimals, and text with the escapes of JSON', () => {
    const rows = [{ contact: 'a"b\\c\n', amount: -840.5, accountCode: null }];
    const code = codeOf('csharp', { ...PUSH, rows });
    assert.ok(code.includes('contact = "a\\"b\\\\c\\n",\n'));
    assert.ok(code.includes('amount = -840.5m,\n'));
    assert.ok(code.includes('accountCode = (string?)null\n'));
  });
});

function codeOf(language: Language, request: SampleRequest): string {
  const found = buildSamples(request).find((sample: Sample) => sample.language === language);
  return found?.code ?? assert.fail(language);
}

let count = 0;

/** Runs a sample as a file, with the key in its environment. */
function run(
  world: ExampleWorld,
  language: RunLanguage,
  request: SampleRequest,
  key = world.key,
): Promise<{ code: number; output: string; errors: string }> {
  const { command, ending } = RUNNERS[language];
  const [program, ...options] = command;
  count += 1;
  const file = join(FOLDER, `sample-${count}.${ending}`);
  writeFileSync(file, codeOf(language, request).replaceAll(ADDRESS, world.url));
  const env: NodeJS.ProcessEnv = { ...process.env, BUDGETD_KEY: key, PYTHONIOENCODING: 'utf-8' };
  // The samples must not use a proxy of this machine, or the variables of the test runner.
  for (const name of Object.keys(env)) if (/_proxy$|^NODE_/i.test(name)) delete env[name];
  return new Promise((resolve) => {
    execFile(program, [...options, file], { env }, (error, output, errors) => {
      resolve({ code: error === null ? 0 : Number(error.code), output, errors });
    });
  });
}

/** What a list or a push prints: one item per line. */
function linesOf(output: string): unknown[] {
  const lines = output.split(/\r?\n/).filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}

function queryOf({ query }: SampleRequest): string {
  return Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`;
}
