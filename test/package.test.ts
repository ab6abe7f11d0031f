/** The package as its users see it: packed, installed and run. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { buildText } from '../src/package-folder.ts';
import { installPackage, linkNeeded, pack, runNode, runNpm } from './packed.ts';
import { listLinks, readText } from './repository.ts';

const folder = installPackage();
const home = join(folder, 'node_modules/budgetd');

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

  it('contains the files that it reads, and its program runs', () => {
    const program = `
      import { createService } from 'budgetd';
      const service = await createService({ database: ':memory:' });
      const { id } = service.organisations.create({ name: 'Well', baseCurrency: 'GBP' });
      const { url } = await service.listen({ port: 0 });
      for (const path of ['/docs', '/docs.css', '/docs.js', '/openapi.json', '/console.js']) {
        console.log((await fetch(url + path)).status);
      }
      try {
        service.projects.import(id, { name: 'Pump' });
      } catch ({ message }) {
        console.log(message);
      }
      await service.close();`;
    const { stdout, stderr } = runNode(folder, '--input-type=module', '-e', program);
    assert.match(stdout, /^(?:200\n){5}startDate: This is required\./, stderr);
    const started = runNode(folder, join(home, 'bin/budgetd'), '--version');
    assert.equal(started.stdout, `budgetd ${buildText()}\n`, started.stderr);
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
    // Where `man` looks; npm 12 puts nothing there.
    const hasManual = existsSync(join(prefix, 'share/man/man1/budgetd.1'));
    const major = Number.parseInt(runNpm(['--version'], folder), 10);
    assert.equal(hasManual, !isWindows && major < 12);
    npm('uninstall', 'budgetd');
    assert.ok(!existsSync(program));
    assert.ok(existsSync(join(folder, 'installed.db')));
  });

  it('is the same package for require() and import, without an ES module in between', () => {
    const program = `
      const { createService, Failure } = require('budgetd');
      const { createClient, BudgetdError } = require('budgetd/client');
      (async () => {
        const library = await import('budgetd');
        const client = await import('budgetd/client');
        console.log(library.createService === createService, library.Failure === Failure);
        console.log(client.createClient === createClient, client.BudgetdError === BudgetdError);
        const service = await createService({ database: ':memory:' });
        const { id } = service.organisations.create({ name: 'Well', baseCurrency: 'GBP' });
        const { key } = service.keys.create(id, { name: 'app', scopes: ['projects:read'] });
        const { url } = await service.listen({ port: 0 });
        console.log((await createClient({ url, key }).projects.list()).data);
        try {
          service.projects.import(id, { name: 'Pump' });
        } catch (error) {
          console.log(error instanceof Failure, error.message);
        }
        await service.close();
      })();`;
    // As Node before 20.19 and Jest: require() of an ES module fails.
    const argv = ['--no-experimental-require-module', '-e', program];
    const { stdout, stderr } = runNode(folder, ...argv);
    assert.match(stdout, /^true true\ntrue true\n\[\]\ntrue startDate: This is required\./, stderr);
  });
});

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
