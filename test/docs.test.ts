import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import type { AuditEntry } from '../src/api/documents.ts';
import { ENDPOINTS } from '../src/api/routes.ts';
import { describeEntry } from '../src/cli/commands/audit.ts';
import { CLIENT_ERROR_CODES, createClient } from '../src/client/index.ts';
import { readClientOptions } from '../src/client/settings.ts';
import { AUDIT_ACTIONS, concerns } from '../src/core/audit.ts';
import { ROW_ERROR_CODES, ROW_WARNING_CODES, readRow } from '../src/core/push.ts';
import { ROW_FIELDS } from '../src/core/row-members.ts';
import { STATUS } from '../src/http/status.ts';
import { readProjectFile } from '../src/operations/project-file.ts';
import { describeSetting, SETTING_NAMES } from '../src/settings/settings.ts';
import { Terminal } from './cli/terminal.ts';
import { without } from './programs.ts';
import { listBlocks, listFiles, listLinks, ROOT, readText } from './repository.ts';
import { walkThrough } from './walk.ts';

const DOCUMENTS = listFiles().filter((file) => file.endsWith('.md') && !file.startsWith('data/'));

describe('every document', () => {
  for (const file of DOCUMENTS) {
    it(`${file} has no dead links`, () => {
      const broken = listLinks(file).filter(({ path, heading }) => {
        if (!existsSync(ROOT + path)) return true;
        return heading !== undefined && !listHeadings(path).includes(heading);
      });
      assert.deepEqual(broken, []);
    });
  }
});

describe('docs/http.md', () => {
  const text = readText('docs/http.md');

  for (const [code, status] of Object.entries(STATUS)) {
    it(`has ${code}`, () => {
      // The three codes of the workflow are named, but have no HTTP status.
      const named = ['invalid_input', 'conflict', 'not_allowed'].includes(code)
        ? text.includes(`\`${code}\``)
        : text.includes(`| ${status} | \`${code}\` |`);
      assert.ok(named, `${status} ${code}`);
    });
  }

  for (const { method, path, scope, parameters } of ENDPOINTS) {
    it(`has ${method} ${path} with its scope and parameters`, () => {
      assert.ok(text.includes(`| \`${method} ${path}\` | \`${scope}\` |`));
      const missing = Object.keys(parameters).filter((name) => !hasName(text, name));
      assert.deepEqual(missing, []);
    });
  }

  it('has every field, error and warning of a row', () => {
    const names = [...ROW_FIELDS, ...ROW_ERROR_CODES, ...ROW_WARNING_CODES];
    assert.deepEqual(
      names.filter((name) => !text.includes(`\`${name}\``)),
      [],
    );
  });
});

describe('docs/corrections.md', () => {
  const text = readText('docs/corrections.md');

  it('its commands print the output that it shows', {
    skip: without('bash'),
  }, async (t) => {
    await compareWalk(t, 'docs/corrections.md', text);
  });

  it('is where the README, the interface and a refused correction lead', () => {
    for (const file of ['README.md', 'docs/http.md', 'src/api/routes.ts']) {
      assert.match(readText(file), /corrections\.md/, file);
    }
  });
});

describe('docs/client.md', () => {
  const text = readText('docs/client.md');
  const client = createClient({ url: 'http://127.0.0.1', key: 'k' });

  it('has every method, every option and every error of the client', () => {
    const methods = Object.entries(client).flatMap(([name, value]) =>
      typeof value === 'function' ? [name] : Object.keys(value).map((each) => `${name}.${each}`),
    );
    assert.deepEqual(
      methods.filter((name) => !text.includes(`| \`${name}(`)),
      [],
    );
    const options = Object.keys(readClientOptions({ url: 'http://127.0.0.1', key: 'k' }));
    const named = [...options, ...CLIENT_ERROR_CODES, 'onBatch', 'stop', 'dryRun', 'batchRows'];
    assert.deepEqual(
      named.filter((name) => !text.includes(`\`${name}`)),
      [],
    );
  });
});

describe('docs/audit.md', () => {
  const text = readText('docs/audit.md');

  it('has every action of the log and no others', () => {
    const cells = listFirstCells(text, '| action |');
    const named = [...cells.matchAll(/`([^`]+)`/g)].map(([, action = '']) => action);
    assert.deepEqual(named.sort(), [...AUDIT_ACTIONS].sort());
  });

  it('names each actor that is neither a user nor a key', () => {
    const [row = ''] = /^\| `actor` .*$/m.exec(text) ?? [];
    for (const name of ['command line', 'library', 'rules', 'set-up link', 'console', 'budgetd']) {
      assert.ok(row.includes(`\`${name}\``), name);
    }
  });

  it('shows an entry with all of its members', () => {
    const [block = ''] = listBlocks(text, 'json');
    const { details, ...entry } = JSON.parse(block) as AuditEntry;
    const members = ['at', 'actor', 'action', 'subject', 'requestId'];
    assert.deepEqual(Object.keys(entry), members);
    assert.ok(concerns(details, 'txn_000000000c') && concerns(details, 'txn_000000000e'));
    assert.ok(!concerns(details, 'txn_000000000f') && !concerns(details, 'prj_000000000d'));
    const options = { currency: { code: 'GBP', places: 2 }, subject: undefined };
    const lines = describeEntry({ subject: null, details }, options);
    assert.ok(text.includes(lines.map((line) => `    ${line}\n`).join('')), lines.join('\n'));
  });
});

describe('docs/mapping.md', () => {
  it('has every code that only `push` itself reports', () => {
    const text = readText('docs/mapping.md');
    const codes =
      'invalid_amount ambiguous_amount other_currency other_status field_count invalid_json ' +
      'invalid_encoding row_too_large row_too_deep';
    for (const code of codes.split(' ')) assert.ok(text.includes(`\`${code}\``), code);
  });
});

describe('docs/operating.md', () => {
  const text = readText('docs/operating.md');

  it('has every setting with its default and description', () => {
    for (const name of SETTING_NAMES) {
      const { description, default: own } = describeSetting(name);
      const cell = own === undefined ? '' : `\`${own}\` `;
      assert.ok(text.includes(`| \`${name}\` | ${cell}| ${description} |`), name);
    }
  });

  it('shows what `config` prints', async (context) => {
    const { stdout } = await new Terminal(context).run(['config'], {
      env: { BUDGETD_PORT: '9000' },
    });
    assert.ok(text.includes(`$ BUDGETD_PORT=9000 budgetd config\n${stdout}`), stdout);
  });

  it('has a test for every promise', () => {
    const [table = ''] = text.slice(text.indexOf('| promise |')).split('\n\n', 1);
    const rows = table.split('\n').slice(2);
    assert.notEqual(rows.length, 0);
    const tests = rows.flatMap((row) => {
      const names = [...(row.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)];
      assert.notEqual(names.length, 0, row);
      return names.map(([, name]) => `test/${name}.test.ts`);
    });
    const programs = [...text.matchAll(/`node dist\/(test\/\S+)\.js /g)];
    const files = [...tests, ...programs.map(([, name]) => `${name}.ts`)];
    assert.deepEqual(
      files.filter((file) => !existsSync(ROOT + file)),
      [],
    );
  });
});

describe('docs/testing.md', () => {
  const [first = '', second = ''] = listBlocks(readText('docs/testing.md'), 'js');
  for (const [name, block] of Object.entries({ first, second })) {
    it(`its ${name} sample runs unchanged`, () => {
      // In dist/, so that the sample can import the package by name.
      const file = `${ROOT}dist/testing-${name}.mjs`;
      writeFileSync(file, block);
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const { status, stderr, stdout } = spawnSync(process.execPath, [file], { env });
      assert.equal(status, 0, `${stderr}${stdout}`);
    });
  }
});

describe('README.md', () => {
  const text = readText('README.md');

  it('names every command and no others', async () => {
    const { listCommands } = await import('../src/cli/entries.ts');
    const commands = listCommands().map(({ name }) => name);
    const shown = [...text.matchAll(/(?:\$ |`)budgetd ([a-z][a-z -]*)/g)];
    const listed = [...listFirstCells(text, '| command |').matchAll(/`([^`]+)`/g)];
    const known = [...shown, ...listed].map(([, words = '']) => words);
    const isOf = (words: string, command: string) => `${words} `.startsWith(`${command} `);
    assert.deepEqual(
      known.filter((words) => !commands.some((command) => isOf(words, command))),
      [],
    );
    assert.deepEqual(
      commands.filter((command) => !listed.some(([, words = '']) => isOf(words, command))),
      [],
    );
  });

  it('its commands print the output that it shows', {
    skip: without('curl'),
  }, async (t) => {
    await compareWalk(t, 'README.md', text);
  });

  it('shows how to run the demo and the tests from a clone', () => {
    for (const line of ['npm ci && npm run demo', 'npm ci && npm test']) {
      assert.ok(text.includes(`    ${line}\n`));
    }
  });

  it('has a valid project file', () => {
    const [document = ''] = listBlocks(text, 'json');
    assert.equal(readProjectFile(JSON.parse(document), { code: 'GBP', places: 2 }).length, 1);
  });

  it('has valid rows to push', () => {
    const bodies = [...text.matchAll(/-d '(\{.*\})'/g)].map(([, body = '']) => JSON.parse(body));
    assert.notEqual(bodies.length, 0);
    for (const row of bodies.flatMap(({ rows }) => rows))
      assert.ok('row' in readRow(row, { places: 2 }));
  });
});

/** The anchors of the headings of a document, as GitHub generates them. */
function listHeadings(file: string): string[] {
  return [...readText(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The first cells of the table whose header begins with `head`. */
function listFirstCells(text: string, head: string): string {
  const table = text.slice(text.indexOf(head)).split('\n\n', 1)[0] ?? '';
  const cells = table.split('\n').slice(2);
  return cells.map((row) => row.split(/(?<!\\)\|/)[1] ?? '').join('\n');
}

/** Whether a document contains a name as code, alone or with a value. */
function hasName(text: string, name: string): boolean {
  return [`\`${name}\``, `\`${name}=`, `?${name}=`].some((form) => text.includes(form));
}

/**
 * Runs the commands of a document, which must print what it shows. After a change of output:
 * BUDGETD_WRITE_README=1 npm test -- docs
 */
async function compareWalk(t: TestContext, file: string, text: string): Promise<void> {
  const walked = await walkThrough(t, text);
  if (process.env['BUDGETD_WRITE_README'] === '1') writeFileSync(ROOT + file, walked);
  else assert.equal(text, walked);
}
