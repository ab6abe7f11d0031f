import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Failure } from '../../src/core/failures.ts';
import { loadDriver } from '../../src/database/driver.ts';
import { ROOT } from '../repository.ts';

const DIST = new URL('../../src/', import.meta.url);
const NAMES = ['better-sqlite3', 'better-sqlite3-node20'];
const { problemOf } = createRequire(import.meta.url)(`${ROOT}bin/check-node.js`) as {
  readonly problemOf: (node: string, driver: string | undefined, home: string) => string;
};

describe('the versions of Node and the driver', () => {
  const cases: [node: string, driver: string | undefined, problem: RegExp | undefined][] = [
    ['20.19.0', '12.9.0', undefined],
    ['20.20.2', '12.9.0', undefined],
    ['22.14.0', '13.2.0', undefined],
    ['23.6.0', '13.2.0', undefined],
    ['24.21.0', '13.2.0', undefined],
    ['26.10.0', '13.2.0', undefined],
    ['16.20.2', '12.9.0', /budgetd needs Node 20\.19 .* This is Node 16\.20\.2\.$/],
    ['18.20.8', undefined, /20\.19 or a later 20/],
    ['20.18.3', '12.9.0', /20\.19 or a later 20/],
    ['21.7.3', '12.9.0', /20\.19 or a later 20/],
    ['22.13.1', '13.2.0', /20\.19 or a later 20/],
    ['23.5.0', '13.2.0', /20\.19 or a later 20/],
    [
      '20.20.2',
      undefined,
      /not installed\. Install a C\+\+ compiler, .* from nodejs\.org, or use Node 22\.14 or later/,
    ],
    ['24.21.0', undefined, /not installed\. Run `npm ci`\.$/],
    [
      '20.20.2',
      '13.2.0',
      /better-sqlite3 13\.2\.0 needs Node 22\.14 or later, but this is Node 20/,
    ],
  ];
  for (const [node, driver, problem] of cases) {
    it(`Node ${node} with better-sqlite3 ${driver}: ${problem ?? 'fine'}`, () => {
      const found = problemOf(node, driver, ROOT);
      if (problem === undefined) assert.equal(found, undefined);
      else assert.match(found ?? '', problem);
    });
  }

  it('says what to type in the project of a manager', () => {
    const folder = mkdtempSync(join(tmpdir(), 'budgetd-homes-'));
    const advice = (home: string, mark?: string) => {
      const path = join(folder, home);
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, 'package.json'), '{ "version": "0.1.0" }');
      if (mark !== undefined) writeFileSync(join(path, '..', mark), '');
      return ['24.21.0', '20.20.2'].map((node) => {
        const [, command] = /[Rr]un `([^`]+)`/.exec(problemOf(node, undefined, path)) ?? [];
        return command;
      });
    };
    assert.deepEqual(advice('clone'), ['npm ci', 'npm ci']);
    assert.deepEqual(advice('npm/node_modules/budgetd'), [
      'npm install --ignore-scripts ./budgetd-0.1.0.tgz',
      'npm install ./budgetd-0.1.0.tgz',
    ]);
    assert.deepEqual(advice('node_modules/.pnpm/budgetd@file/node_modules/budgetd'), [
      'pnpm add --ignore-scripts ./budgetd-0.1.0.tgz',
      'pnpm add --allow-build=better-sqlite3 ./budgetd-0.1.0.tgz',
    ]);
    assert.deepEqual(advice('one/node_modules/budgetd', '.yarn-integrity'), [
      'yarn add --ignore-scripts ./budgetd-0.1.0.tgz',
      'yarn add --force ./budgetd-0.1.0.tgz',
    ]);
    const yarn = ['yarn install', 'YARN_ENABLE_SCRIPTS=1 yarn rebuild better-sqlite3'];
    assert.deepEqual(advice('four/node_modules/budgetd', '.yarn-state.yml'), yarn);
    assert.deepEqual(advice('.yarn/cache/budgetd.zip/node_modules/budgetd'), yarn);
    rmSync(folder, { recursive: true });
  });

  it('the driver opens a database and is loaded once', () => {
    const Driver = loadDriver();
    const db = new Driver(':memory:');
    assert.deepEqual(db.prepare('select 1 as one').get(), { one: 1 });
    db.close();
    assert.equal(loadDriver(), Driver);
  });

  it('the message for a missing driver has the command to run', async () => {
    await withDrivers(undefined, (load) =>
      assert.throws(load, refusal(/not installed\. .*`npm ci`/)),
    );
  });

  it('the message for a driver built for another Node has the command to run', async () => {
    const source = `module.exports = class {
      constructor() { throw new Error('was compiled against a different Node.js\\nand more'); }
    };`;
    await withDrivers(source, (load) => {
      assert.throws(load, refusal(/not built for Node .*[Rr]un `npm ci`/));
      assert.throws(load, (error: Error) => !error.message.includes('\n'));
    });
    if (!process.versions.node.startsWith('20.')) return;
    const rebuild = /run `npm rebuild --global better-sqlite3-node20`/;
    await withDrivers(source, (load) => assert.throws(load, refusal(rebuild)), 'node_modules/b');
  });
});

function refusal(message: RegExp): (error: unknown) => boolean {
  return (error) =>
    error instanceof Error && error.name === Failure.name && message.test(error.message);
}

/** Calls `use` with `loadDriver` from a copy that finds these drivers, or no driver. */
async function withDrivers(
  source: string | undefined,
  use: (load: () => unknown) => void,
  home = '',
) {
  const root = mkdtempSync(join(tmpdir(), 'budgetd-driver-'));
  const folder = join(root, home);
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "version": "0.1.0" }');
    cpSync(`${ROOT}bin`, join(folder, 'bin'), { recursive: true });
    for (const file of ['core/failures.js', 'database/driver.js', 'package-folder.js']) {
      mkdirSync(join(folder, 'dist/src', dirname(file)), { recursive: true });
      cpSync(new URL(file, DIST), join(folder, 'dist/src', file));
    }
    for (const name of source === undefined ? [] : NAMES) {
      const driver = join(folder, 'node_modules', name);
      mkdirSync(driver, { recursive: true });
      writeFileSync(join(driver, 'package.json'), '{ "version": "12.9.0", "main": "index.cjs" }');
      writeFileSync(join(driver, 'index.cjs'), source ?? '');
    }
    const url = pathToFileURL(join(folder, 'dist/src/database/driver.js')).href;
    const copy = (await import(url)) as { loadDriver: () => unknown };
    use(copy.loadDriver);
  } finally {
    rmSync(root, { recursive: true });
  }
}
