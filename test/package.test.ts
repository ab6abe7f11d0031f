/** The package as its users see it: packed, installed, compiled against and run. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
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

  it('installs for the whole machine, and uninstalls', () => {
    const prefix = join(folder, 'prefix');
    const npm = (...argv: string[]) => runNpm([...argv, '--global', '--prefix', prefix], folder);
    npm('install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', repack());
    const isWindows = process.platform === 'win32';
    const program = join(prefix, isWindows ? 'budgetd.cmd' : 'bin/budgetd');
    const budgetd = (...argv: string[]) => {
      const env = { ...process.env, BUDGETD_DB: join(folder, 'installed.db') };
      const options = { cwd: prefix, env, shell: isWindows, encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync(program, argv, options);
      assert.equal(status, 0, stderr);
      return stdout;
    };
    budgetd('init', '--name', 'Well', '--currency', 'GBP');
    assert.match(budgetd('check'), / is sound\.\n$/);
    // With the paths of this installation, whatever link leads to it.
    const [, home = ''] =
      /^ExecStart=\S+ (\S+)\/bin\/budgetd serve$/m.exec(budgetd('print', 'unit')) ?? [];
    assert.ok(realpathSync(home).startsWith(realpathSync(prefix)));
    for (const kind of ['caddy', 'nginx', 'windows', 'container']) budgetd('print', kind);
    npm('uninstall', 'budgetd');
    assert.ok(!existsSync(program));
    assert.ok(existsSync(join(folder, 'installed.db')));
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
  const archive = pack(ROOT, folder);
  const project = { dependencies: { budgetd: `file:${archive}`, ...linkNeeded() } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
  runNpm(['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
  for (const { name, text } of BLOCKS) writeFileSync(join(folder, `${name}.mts`), text);
  writeFileSync(join(folder, 'commonjs.cts'), COMMONJS);
  for (const [name, compilerOptions] of Object.entries(PROJECTS)) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ compilerOptions }));
  }
}

/** Packs a folder and returns the name of the archive. */
function pack(from: string, to: string): string {
  runNpm(['pack', '--ignore-scripts', '--pack-destination', to], from);
  return readdirSync(to).find((name) => name.endsWith('.tgz')) ?? '';
}

/** The installed package, packed again with links to what it needs. */
function repack(): string {
  const [copy, archives] = [join(folder, 'copy'), join(folder, 'archives')];
  cpSync(home, copy, { recursive: true });
  mkdirSync(archives);
  const manifest = JSON.parse(readText('package.json'));
  const { devDependencies: _, optionalDependencies: __, ...rest } = manifest;
  writeFileSync(
    join(copy, 'package.json'),
    JSON.stringify({ ...rest, dependencies: linkNeeded() }),
  );
  return join(archives, pack(copy, archives));
}

function linkNeeded(): Record<string, string> {
  const { dependencies, optionalDependencies } = JSON.parse(readText('package.json'));
  const links = Object.keys({ ...dependencies, ...optionalDependencies })
    .map((name) => [name, join(ROOT, 'node_modules', name)] as const)
    .filter(([, path]) => existsSync(path))
    .map(([name, path]) => [name, `file:${path}`] as const);
  return Object.fromEntries(links);
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
