/** The package as its users see it: packed, installed, compiled against and run. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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
        const { status, stdout } = runNode(tsc, '-p', `${project}.json`);
        assert.equal(stdout, '');
        assert.equal(status, 0);
      });
    }
  }

  for (const { name } of BLOCKS) {
    it(`runs: TypeScript of README, ${name}`, () => {
      const { status, stderr } = runNode(`out/${name}.mjs`);
      assert.equal(status, 0, stderr);
    });
  }

  it('contains the files that it reads, and its program runs', () => {
    const program = `
      import { createService } from 'budgetd';
      const service = await createService({ database: ':memory:' });
      const { id } = service.organisations.create({ name: 'Well', baseCurrency: 'GBP' });
      const { url } = await service.listen({ port: 0 });
      for (const path of ['/docs', '/docs.css', '/docs.js', '/openapi.json']) {
        console.log((await fetch(url + path)).status);
      }
      try {
        service.projects.import(id, { name: 'Pump' });
      } catch ({ message }) {
        console.log(message);
      }
      await service.close();`;
    const { stdout, stderr } = runNode('--input-type=module', '-e', program);
    assert.match(stdout, /^(?:200\n){4}startDate: This is required\./, stderr);
    const { version } = JSON.parse(readText('package.json'));
    const started = runNode(join(home, 'bin/budgetd'), '--version');
    assert.equal(started.stdout, `budgetd ${version}\n`, started.stderr);
  });

  it('can be loaded from CommonJS, with require() and import()', () => {
    const program = `
      const { createService } = require('budgetd');
      const { createClient } = require('budgetd/client');
      import('budgetd').then((imported) => {
        console.log(imported.createService === createService, typeof createClient);
      });`;
    const { stdout, stderr } = runNode('-e', program);
    assert.equal(stdout, 'true function\n', stderr);
  });
});

/** Packs the package and installs it, with the packages it needs as links: no network. */
function install(): void {
  runNpm(['pack', '--ignore-scripts', '--pack-destination', folder], ROOT);
  const [archive = ''] = readdirSync(folder);
  const { dependencies, optionalDependencies } = JSON.parse(readText('package.json'));
  const links = Object.keys({ ...dependencies, ...optionalDependencies })
    .map((name) => [name, join(ROOT, 'node_modules', name)] as const)
    .filter(([, path]) => existsSync(path))
    .map(([name, path]) => [name, `file:${path}`]);
  const project = { dependencies: { budgetd: `file:${archive}`, ...Object.fromEntries(links) } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
  runNpm(['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
  for (const { name, text } of BLOCKS) writeFileSync(join(folder, `${name}.mts`), text);
  writeFileSync(join(folder, 'commonjs.cts'), COMMONJS);
  for (const [name, compilerOptions] of Object.entries(PROJECTS)) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ compilerOptions }));
  }
}

function runNode(...argv: string[]) {
  return spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8' });
}

function runNpm(argv: readonly string[], cwd: string): void {
  // On Windows npm is a script.
  const shell = process.platform === 'win32';
  const { status, stderr } = spawnSync('npm', argv, { cwd, encoding: 'utf8', shell });
  assert.equal(status, 0, stderr);
}
