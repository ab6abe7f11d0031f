import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  findBrokenArrows,
  findCircles,
  findSharedNames,
  findStartPath,
  findUnusedNames,
  roomOf,
} from './arrows.ts';
import { listAskedTables, listLongFunctions } from './code.ts';
import { listFiles, ROOT, readText } from './repository.ts';

const CODE = listFiles().filter((file) => /\.(?:[jt]s|sql)$|^bin\/\w+$|^\.ci\/run$/.test(file));
const SOURCES = new Map(
  [...listFiles('src'), ...listFiles('build')]
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file.replace(/^src\//, ''), readText(file)]),
);

describe('rooms', () => {
  it('import only along the arrows', () => {
    const broken = [...SOURCES].flatMap(([file, source]) => findBrokenArrows(file, source));
    assert.deepEqual(broken, []);
  });

  const wrong: [file: string, source: string][] = [
    ['core/money.ts', "import { readFileSync } from 'node:fs';"],
    ['core/money.ts', "import type { Db } from '../database/database.ts';"],
    ['store/keys.ts', "import {\n  type Reply,\n  send,\n} from '../http/server.ts';"],
    ['store/keys.ts', "import type Database from 'better-sqlite3';"],
    ['store/keys.ts', "import 'papaparse';"],
    ['http/server.ts', "export * from '../database/database.ts';"],
    ['http/server.ts', "export { Failure } from '../core/failures.ts';\nimport x from 'express';"],
    ['api/routes.ts', "import { page } from '../console/pages.ts';"],
    ['api/routes.ts', "const main = await import('../cli/main.ts');"],
    ['api/documents.ts', "import { type KeyRecord, revokeKey } from '../store/keys.ts';"],
    ['api/documents.ts', "import * as store from '../store/keys.ts';"],
    ['client/index.ts', "import type { Row } from '../api/contract.ts';"],
    ['client/index.ts', "import { createHash } from 'node:crypto';"],
    ['cli/main.ts', "import { routes } from '../api/routes.ts';"],
    ['cli/table.ts', "import { runPush } from './push/runner.ts';"],
    ['cli/push/runner.ts', "import { push } from '../commands/push.ts';"],
    ['cli/push/runner.ts', "import { formatPage } from '../csv/page.ts';"],
    ['files/text/csv.ts', "import { statSync } from 'node:fs';"],
    ['files/text/csv.ts', "import { UsageError } from '../../cli/command.ts';"],
    ['files/values/dates.ts', "import { readCsv } from '../reading/csv-rows.ts';"],
    ['files/index.ts', "import { printLines } from '../cli/output.ts';"],
    ['cli/output.ts', "import { readCsv } from '../files/reading/csv-rows.ts';"],
    ['build/checks/build.ts', "import { main } from '../../src/cli/main.ts';"],
    ['core/money.ts', "import { compileChecks } from '../../build/checks/compile.ts';"],
    ['service.ts', "import { main } from './cli/main.ts';"],
    ['attic/old.ts', ''],
  ];
  for (const [file, source] of wrong) {
    it(`a broken arrow is caught: ${file}: ${JSON.stringify(source)}`, () => {
      assert.equal(findBrokenArrows(file, source).length, 1);
    });
  }

  it('do not import each other in a circle, types included', () => {
    assert.deepEqual(findCircles(SOURCES), []);
  });

  it('a circle is caught', () => {
    const sources = new Map([
      ['core/a.ts', "import { b } from './b.ts';"],
      ['core/b.ts', "export type { C } from './c.ts';\nimport { d } from './d.ts';"],
      ['core/c.ts', "const a = await import('./a.ts');"],
      ['core/d.ts', ''],
    ]);
    assert.deepEqual(findCircles(sources), [['core/a.ts', 'core/b.ts', 'core/c.ts', 'core/a.ts']]);
  });

  it('export only names that another file uses, if only a test', () => {
    const tests = CODE.filter((file) => /^(?:bench|test)\/.*\.ts$/.test(file));
    const readers = new Map(tests.map((file) => [file, readText(file)]));
    // The program imports a file of the bundle.
    readers.set('bin/budgetd', readText('bin/budgetd'));
    // The declarations name types that their file does not write.
    for (const [file, source] of SOURCES) readers.set(file, source + readDeclarations(file));
    assert.deepEqual(findUnusedNames(SOURCES, readers), []);
  });

  it('a name that only its own file uses is caught', () => {
    const sources = new Map([
      ['core/a.ts', 'export const used = 1;\nexport function unused() {}'],
      ['core/b.ts', "import * as a from './a.ts';\nexport const own = a.used;"],
      ['core/c.ts', 'export type Whole = 1;'],
      ['build/d.ts', "import * as c from '../src/core/c.ts';\nObject.keys(c);"],
      ['core/e.ts', 'export type Passed = 1;'],
      ['core/index.ts', "export type * from './e.ts';"],
    ]);
    assert.deepEqual(findUnusedNames(sources, sources), ['core/a.ts: unused', 'core/b.ts: own']);
  });

  it('give an exported name one meaning: no other file exports it', () => {
    assert.deepEqual(findSharedNames(SOURCES), []);
  });

  it('a name that two files export is caught', () => {
    const sources = new Map([
      ['core/a.ts', 'export const used = 1;\nexport interface One {}\nexport type One = 1;'],
      ['http/b.ts', 'export function used() {}'],
    ]);
    assert.deepEqual(findSharedNames(sources), ['used: core/a.ts, http/b.ts']);
  });

  it('an arrow in the table is allowed', () => {
    const source =
      "import { Failure } from '../core/failures.ts';\nexport { a } from './server.ts';";
    assert.deepEqual(findBrokenArrows('http/index.ts', source), []);
    const types = "import type { KeyRecord } from '../store/keys.ts';";
    assert.deepEqual(findBrokenArrows('api/documents.ts', types), []);
    const reading = "import { type KeyRecord, findKey } from '../store/keys.ts';";
    assert.deepEqual(findBrokenArrows('api/documents.ts', reading), []);
  });

  it('core and client compile without the types of Node', () => {
    for (const room of ['core', 'client']) {
      const { compilerOptions } = readJson(`src/${room}/tsconfig.json`);
      assert.deepEqual(compilerOptions.types, [], room);
    }
  });

  it('nothing loads TypeBox or a CSV parser at the start (decision 0001)', () => {
    for (const entry of ['index.ts', 'cli/main.ts'].filter((file) => SOURCES.has(file))) {
      const reached = findStartPath(entry, SOURCES);
      assert.deepEqual(
        [...reached].filter((name) => /^(?:typebox|papaparse)\b/.test(name)),
        [],
        entry,
      );
    }
  });

  it('every module of core loads by itself', async () => {
    for (const file of SOURCES.keys()) {
      if (!file.startsWith('core/') || file.endsWith('.d.ts')) continue;
      await import(pathToFileURL(`${ROOT}dist/src/${file.replace(/ts$/, 'js')}`).href);
    }
  });

  it('a store function on the data of an organisation takes its access', () => {
    const found = [...SOURCES].flatMap(([file, source]) =>
      file.startsWith('store/') ? listUnscoped(source) : [],
    );
    assert.deepEqual(
      found.filter((name) => !NOT_TENANT_DATA.includes(name)),
      [],
    );
  });
});

describe('sizes', () => {
  it('of functions, files and parameter lists are checked by the linter', () => {
    const { formatter, linter } = readJson('biome.json');
    const { complexity, style } = linter.rules;
    assert.equal(formatter.lineWidth, 100);
    assert.deepEqual(
      [complexity.noExcessiveLinesPerFunction, complexity.useMaxParams],
      [
        { level: 'error', options: { maxLines: FUNCTION_LINES } },
        { level: 'error', options: { max: 4 } },
      ],
    );
    assert.deepEqual(style.noExcessiveLinesPerFile, { level: 'error', options: { maxLines: 400 } });
  });

  it('of functions include every line of their templates, which the linter does not count', () => {
    const found = [...SOURCES].flatMap(([file, source]) =>
      listLongFunctions(source, FUNCTION_LINES).map((each) => `${file}: ${each}`),
    );
    assert.deepEqual(found, []);
  });

  it('a function that is long by its template is caught', () => {
    const lines = '<p></p>\n'.repeat(FUNCTION_LINES);
    const source = `function page() {\n  return html\`${lines}\`;\n}`;
    assert.deepEqual(listLongFunctions(source, FUNCTION_LINES), ['page has 73 lines']);
  });

  it('of files include every line of their templates, too', () => {
    const found = [...SOURCES].filter(([, source]) => source.trimEnd().split('\n').length > 400);
    assert.deepEqual(
      found.map(([file]) => file),
      [],
    );
  });

  it('no line is longer than 100 characters, including text and comments', () => {
    assert.deepEqual(findLines(CODE, /^.{101,}/), []);
  });
});

describe('words', () => {
  it('no identifier is abbreviated, and an account is an account code or a bank account', () => {
    const found = [...SOURCES].flatMap(([file, source]) =>
      findBadNames(source).map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(found, []);
  });

  const names: [source: string, bad: string[]][] = [
    ['const txnId = 1;', ['txnId']],
    ['const { acct, amount } = row;', ['acct']],
    ['function readCtx(message: string) {}', ['readCtx']],
    ['interface Row { account: string; accountCode: string }', ['account']],
    ['type AccountList = { errIndex?: number };', ['AccountList', 'errIndex']],
    ["const prefix = 'txn'; class Transaction {}", []],
  ];
  for (const [source, bad] of names) {
    it(`${source}: ${bad.join(', ') || 'fine'}`, () => assert.deepEqual(findBadNames(source), bad));
  }

  it('a transaction is the cash movement: only the database module begins one in SQL', () => {
    const others = CODE.filter((file) => /^src\/(?!database\/database\.ts)/.test(file));
    assert.deepEqual(findLines(others, /\.transaction\(|\bexec\(\s*['"`]\s*begin/i), []);
  });

  it('only one module normalizes and folds text, because others would forget its length', () => {
    const others = CODE.filter((file) => /^src\/(?!core\/text\.ts)/.test(file));
    assert.deepEqual(findLines(others, /\.normalize\(|\.localeCompare\(|Intl\.Collator/), []);
    assert.deepEqual(findLines(others, /\.toLowerCase\(\)\.toUpperCase\(\)/), []);
  });

  it('no table is asked with `in`, which finds what every object inherits', () => {
    const asked = CODE.filter((file) => file.startsWith('src/')).flatMap((file) =>
      listAskedTables(readText(file)).map((text) => `${file}: ${text}`),
    );
    assert.deepEqual(asked, []);
    assert.deepEqual(listAskedTables("name in NAMES; 'code' in error;"), ['name in NAMES']);
  });

  it('pages of the console read in turns by `readings` alone, which end when nobody waits', () => {
    const pages = CODE.filter((file) => /^src\/console\/(?!session\/readings\.ts)/.test(file));
    assert.deepEqual(findLines(pages, /\btakeTurns\(|\brunRules\([^)]*isDry/), []);
  });

  it('a note about later work names its issue', () => {
    assert.deepEqual(findLines(CODE, /\b(?:T[O]DO|F[I]XME)\b(?!.*#\d)/), []);
  });
});

describe('repository', () => {
  it('no file contains the path of a machine or the host of a registry', () => {
    const files = listFiles().filter((file) => !file.startsWith('data/'));
    const path = /(?<![\w.~}])\/(?:work|tmp|root|home|Users)\/\w/;
    assert.deepEqual(findLines(files, path), []);
    assert.deepEqual(findLines(listFiles(), /\bregistry\.[\w-]+\.\w/), []);
  });

  it('every version is pinned, and the run-time dependencies are as decided', () => {
    const manifest = readJson('package.json');
    assert.deepEqual(Object.keys(manifest.dependencies), ['papaparse']);
    assert.deepEqual(manifest.optionalDependencies, {
      'better-sqlite3': '13.2.0',
      'better-sqlite3-node20': 'npm:better-sqlite3@12.9.0',
    });
    for (const version of Object.values({
      ...manifest.dependencies,
      ...manifest.devDependencies,
    })) {
      assert.match(String(version), /^(npm:typescript@)?\d+\.\d+\.\d+(-alpha\.\d+)?$/);
    }
    assert.equal(manifest.engines.node, '^20.19.0 || >=22.14.0');
  });

  it('the lock file has the lines that `npm install` drops, and no download addresses', () => {
    const { packages } = readJson('package-lock.json');
    const repair = 'run `npm run lock` (docs/decisions/0002-driver-and-node.md)';
    const driver = packages['node_modules/better-sqlite3'];
    assert.equal(driver.gypfile, false, `npm would compile better-sqlite3: ${repair}`);
    const { engines } = packages['node_modules/better-sqlite3-node20'];
    assert.equal(engines.node, '20.x', `npm would compile it on Node 22 too: ${repair}`);
    for (const [path, entry] of Object.entries<Json>(packages)) {
      assert.equal(entry.resolved, undefined, `${path} has a download address: ${repair}`);
    }
  });

  it('the lock file includes every platform', () => {
    const { packages } = readJson('package-lock.json');
    for (const [path, entry] of Object.entries<Json>(packages)) {
      // `npm ci` refuses a lock file that lacks a package of any platform.
      for (const name of Object.keys(entry.optionalDependencies ?? {})) {
        assert.ok(packages[`node_modules/${name}`], `${path} needs ${name}`);
      }
    }
  });

  it('docs/architecture.md names every decision and every room', () => {
    const text = readText('docs/architecture.md');
    const decisions = listFiles('docs/decisions').map((file) => file.replace('docs/', ''));
    const rooms = [...SOURCES.keys()].filter((file) => file.includes('/')).map(roomOf);
    const missing = [...decisions, ...new Set(rooms)].filter((name) => !text.includes(name));
    assert.deepEqual(missing, []);
  });
});

const FUNCTION_LINES = 70;

/** The compiled declarations of a file of SOURCES, with the quotation marks of the sources. */
function readDeclarations(file: string): string {
  const path = `dist/${file.startsWith('build/') ? '' : 'src/'}${file.replace(/ts$/, 'd.ts')}`;
  return existsSync(ROOT + path) ? readText(path).replaceAll('"', "'") : '';
}

/** Functions of the store about users, or that find the organisation. */
const NOT_TENANT_DATA = [
  // Of a user, whatever the organisations.
  ...['deleteSecondFactor', 'findRequiring', 'listSecrets', 'recordEverywhere'],
  ...['setSecondFactor', 'useRecoveryCode', 'useStep'],
  'accessOf',
  'createLink',
  'storeNewOrganisation',
  'createSession',
  'deleteLinks',
  'deleteSessions',
  'endSession',
  'findInvitation',
  'findKey',
  'findOrganisation',
  'findPassword',
  'findPasswordToChange',
  'findSecondFactor',
  'findSession',
  'hasKey',
  'hasUsers',
  'listAssembled',
  'listMemberships',
  'listOrganisations',
  'listPage',
  'sumStretch',
  'listSessions',
  'recordUses',
  'refuseShared',
  'renewSession',
  'requireLink',
  'requireStanding',
  'runAssembled',
  'searchOf',
  'switchOrganisation',
  'storePassword',
  'storePreferences',
];

/** Exported functions that take an open database, and not the data of one organisation. */
function listUnscoped(source: string): string[] {
  const signature = /^export function\*? (\w+)(?:<[^(]*>)?\(\s*(?:db: Db|[^:]*: Source)\b/gm;
  return [...source.matchAll(signature)].map(([, name = '']) => name);
}

const ABBREVIATIONS = new Set(
  'acct amt cb cfg ctx curr desc err evt fn idx msg num obj opts prev qty str tmp txn'.split(' '),
);

/** Declared names that contain an abbreviation, or `account` without `code`. */
function findBadNames(source: string): string[] {
  const declared = /\b(?:const|let|function|class|interface|type)\s+(\w+)/g;
  const member = /(?<=[({,;]\s*)(\w+)(?=\??[:,}=]|\s})/g;
  return [...source.matchAll(declared), ...source.matchAll(member)]
    .map(([, name = '']) => name)
    .filter((name) => {
      const words = name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase());
      return words.some((word, at) =>
        /^accounts?$/.test(word)
          ? !/^codes?$/.test(words[at + 1] ?? '') && words[at - 1] !== 'bank'
          : ABBREVIATIONS.has(word),
      );
    });
}

/** `file:line` of every line that matches. */
function findLines(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    readText(file)
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}`] : [])),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: a configuration file, whose members are asserted.
type Json = any;

function readJson(file: string): Json {
  return JSON.parse(readText(file));
}
