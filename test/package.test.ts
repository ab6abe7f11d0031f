/** The package as its users see it: packed, unpacked, compiled against and run. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { listBlocks, listLinks, ROOT, readText } from './repository.ts';

const folder = mkdtempSync(join(tmpdir(), 'budgetd-package-'));
const home = join(folder, 'node_modules/budgetd');
after(() => rmSync(folder, { recursive: true }));

/** The TypeScript blocks of README, each as a module. */
const BLOCKS = listBlocks(readText('README.md'), 'ts').map((text, index) => ({
  name: `readme-${index + 1}`,
  text,
}));
const COMMONJS = `
  export async function open() {
    const { createService } = await import('budgetd');
    return createService({ database: ':memory:' });
  }`;
const STRICT = { strict: true, exactOptionalPropertyTypes: true, target: 'es2022', types: [] };
const PROJECTS = {
  nodenext: { ...STRICT, module: 'nodenext', outDir: 'out' },
  bundler: { ...STRICT, module: 'esnext', moduleResolution: 'bundler', noEmit: true },
};

install();

describe('the package', () => {
  it('contains every file that its documents link to', () => {
    const files = readdirSync(home, { recursive: true }).map(String);
    const documents = files.filter((file) => file.endsWith('.md'));
    assert.ok(documents.includes('README.md'));
    const links = documents.flatMap((file) => listLinks(file).map(({ path }) => path));
    assert.deepEqual(
      links.filter((path) => !existsSync(join(home, path))),
      [],
    );
  });

  for (const compiler of ['typescript', 'typescript-5.0']) {
    const { version } = JSON.parse(readText(`node_modules/${compiler}/package.json`));
    for (const project of Object.keys(PROJECTS)) {
      it(`compiles in a strict project with TypeScript ${version} and ${project}`, () => {
        const tsc = join(ROOT, 'node_modules', compiler, 'bin/tsc');
        const { status, stdout } = run(process.execPath, [tsc, '-p', `${project}.json`], folder);
        assert.equal(stdout, '');
        assert.equal(status, 0);
      });
    }
  }

  for (const { name } of BLOCKS) {
    it(`runs the TypeScript of README, ${name}`, () => {
      const { status, stderr } = run(process.execPath, [`out/${name}.mjs`], folder);
      assert.equal(status, 0, stderr);
    });
  }

  it('can be loaded from CommonJS, with require() and import()', () => {
    const program = `
      const { createService } = require('budgetd');
      const { createClient } = require('budgetd/client');
      import('budgetd').then((imported) => {
        console.log(imported.createService === createService, typeof createClient);
      });`;
    const { stdout, stderr } = run(process.execPath, ['-e', program], folder);
    assert.equal(stdout, 'true function\n', stderr);
  });
});

/** Packs the package and unpacks it next to the packages that it needs, without a network. */
function install(): void {
  mkdirSync(home, { recursive: true });
  const npm = run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], ROOT);
  assert.equal(npm.status, 0, npm.stderr);
  const [archive = ''] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  const tar = run('tar', ['-xzf', archive, '-C', home, '--strip-components=1'], folder);
  assert.equal(tar.status, 0, tar.stderr);
  const { dependencies, optionalDependencies } = JSON.parse(readText('package.json'));
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const installed = join(ROOT, 'node_modules', name);
    if (existsSync(installed)) symlinkSync(installed, join(home, '..', name), 'junction');
  }
  for (const { name, text } of BLOCKS) writeFileSync(join(folder, `${name}.mts`), text);
  writeFileSync(join(folder, 'commonjs.cts'), COMMONJS);
  for (const [name, compilerOptions] of Object.entries(PROJECTS)) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ compilerOptions }));
  }
}

function run(command: string, argv: readonly string[], cwd: string) {
  return spawnSync(command, argv, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
}
