import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Failure } from '../../src/core/failures.ts';
import { driverProblem, loadDriver } from '../../src/database/driver.ts';

const DIST = new URL('../../src/', import.meta.url);
const NAMES = ['better-sqlite3', 'better-sqlite3-node20'];

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
      /not installed\. Install a C\+\+ compiler, .* or use Node 22\.14 or later/,
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
      const found = driverProblem(node, driver);
      if (problem === undefined) assert.equal(found, undefined);
      else assert.match(found ?? '', problem);
    });
  }

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
      assert.throws(load, refusal(/not built for Node .*\. Run `npm rebuild better-sqlite3/));
      assert.throws(load, (error: Error) => !error.message.includes('\n'));
    });
  });
});

function refusal(message: RegExp): (error: unknown) => boolean {
  return (error) =>
    error instanceof Error && error.name === Failure.name && message.test(error.message);
}

/** Calls `use` with `loadDriver` from a copy that finds these drivers, or no driver. */
async function withDrivers(source: string | undefined, use: (load: () => unknown) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-driver-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    for (const file of ['core/failures.js', 'database/driver.js']) {
      mkdirSync(join(folder, 'src', dirname(file)), { recursive: true });
      cpSync(new URL(file, DIST), join(folder, 'src', file));
    }
    for (const name of source === undefined ? [] : NAMES) {
      const home = join(folder, 'node_modules', name);
      mkdirSync(home, { recursive: true });
      writeFileSync(join(home, 'package.json'), '{ "version": "12.9.0", "main": "index.cjs" }');
      writeFileSync(join(home, 'index.cjs'), source ?? '');
    }
    const url = pathToFileURL(join(folder, 'src/database/driver.js')).href;
    const copy = (await import(url)) as { loadDriver: () => unknown };
    use(copy.loadDriver);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
