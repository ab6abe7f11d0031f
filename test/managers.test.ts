/** Every package manager installs the package with the command that the README has for it. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pack } from './packed.ts';
import { IS_SLOW } from './repetitions.ts';
import { ROOT, readText } from './repository.ts';

const isOld = process.versions.node.startsWith('20.');
const why = isOld ? 'compiles for minutes on Node 20' : 'set BUDGETD_SLOW_TESTS=1 to run it';
const skip = IS_SLOW && !isOld && process.platform !== 'win32' ? false : why;

/** The packages of the managers, by the names of the README. */
const PACKAGES = {
  'npm 10': 'npm@10',
  'npm 11': 'npm@11',
  'npm 12': 'npm@12',
  'pnpm 10': 'pnpm@10',
  'pnpm 12': 'pnpm@12',
  'yarn 1': 'yarn@1',
  'yarn 4': '@yarnpkg/cli-dist@4',
} as const;
type Manager = keyof typeof PACKAGES;

/** Without its warnings and errors a manager says nothing about what it left out. */
const PLAIN = { 'pnpm 12': 'pnpm add', 'yarn 1': 'yarn add' } as const;

describe('a package manager', { skip }, () => {
  let folder = '';
  let archive = '';

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'budgetd-managers-'));
    archive = pack(ROOT, folder);
    // A machine without a compiler.
    mkdirSync(join(folder, 'tools'));
    const compiler = join(folder, 'tools/node-gyp');
    writeFileSync(compiler, '#!/bin/sh\necho "There is no compiler." >&2\nexit 1\n');
    chmodSync(compiler, 0o755);
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const manager of Object.keys(PACKAGES) as Manager[]) {
    it(`${manager} installs the package with its driver`, (t) => {
      const project = createProject(folder, archive, manager);
      if (project === undefined) return t.skip(`npm cannot install ${manager}`);
      const installed = project(readCommand(manager));
      assert.equal(installed.status, 0, installed.output);
      const run = project(`${manager === 'yarn 4' ? 'yarn' : 'npx --no'} budgetd ${INIT}`);
      assert.equal(run.status, 0, run.output);
    });
  }

  for (const [manager, command] of Object.entries(PLAIN) as [Manager, string][]) {
    it(`${manager} without an option leaves a driver, or a sentence with what to type`, (t) => {
      const project = createProject(folder, archive, manager);
      if (project === undefined) return t.skip(`npm cannot install ${manager}`);
      const installed = project(`${command} ./${archive}`);
      const run = project(`npx --no budgetd ${INIT}`);
      if (installed.status !== 0) assert.match(installed.output, /Run "pnpm approve-builds"/);
      if (run.status === 0) return;
      const [, advice = ''] = /is not installed\. Run `(.+)`\.\n$/.exec(run.output) ?? [];
      assert.equal(advice, readCommand(manager), run.output);
      assert.equal(project(advice).status, 0);
      assert.equal(project(`npx --no budgetd ${INIT}`).status, 0);
    });
  }
});

const INIT = 'init --name Well --currency GBP';

/** The command of the README. */
function readCommand(manager: Manager): string {
  const [name, version] = manager.split(' ');
  const row = new RegExp(`^\\| ${name} (?:\\d+, )*${version}(?:, \\d+)* \\| \`(.+)\` \\|$`, 'm');
  const [, command] = row.exec(readText('README.md')) ?? [];
  assert.ok(command !== undefined, `README has no command for ${manager}`);
  return command;
}

/** An empty project in which a manager can be called; undefined if npm does not have it. */
function createProject(folder: string, archive: string, manager: Manager) {
  const tools = join(folder, 'tools', manager.replace(' ', ''));
  const install = [
    'install',
    '--no-audit',
    '--no-fund',
    '--fetch-retries=0',
    '--prefix',
    tools,
    PACKAGES[manager],
  ];
  if (spawnSync('npm', install).status !== 0) return undefined;
  const project = mkdtempSync(join(folder, 'project-'));
  writeFileSync(join(project, 'package.json'), '{ "name": "well", "private": true }');
  // So that yarn 4 does not look for a project around it.
  if (manager === 'yarn 4') writeFileSync(join(project, 'yarn.lock'), '');
  spawnSync('cp', [join(folder, archive), project]);
  const path = [join(tools, 'node_modules/.bin'), join(folder, 'tools'), dirname(process.execPath)];
  const { stdout: source } = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' });
  const env = {
    ...process.env,
    PATH: [...path, process.env['PATH']].join(delimiter),
    npm_config_fetch_retries: '0',
    npm_config_registry: source.trim(),
    YARN_NPM_REGISTRY_SERVER: source.trim(),
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    YARN_ENABLE_TELEMETRY: 'false',
    YARN_GLOBAL_FOLDER: join(folder, 'yarn'),
  };
  return (command: string) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
      cwd: project,
      encoding: 'utf8',
      env,
    });
    return { status, output: stdout + stderr };
  };
}
