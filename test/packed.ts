/** The package as its users get it: packed, and installed without a network. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { ROOT, readText } from './repository.ts';

/** Installs the package into a new folder, with the packages it needs as links. */
export function installPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-package-'));
  after(() => rmSync(folder, { recursive: true }));
  const archive = pack(ROOT, folder);
  const project = { dependencies: { budgetd: `file:${archive}`, ...linkNeeded() } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
  runNpm(['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
  return folder;
}

/** Packs a folder and returns the name of the archive. */
export function pack(from: string, to: string): string {
  runNpm(['pack', '--ignore-scripts', '--pack-destination', to], from);
  return readdirSync(to).find((name) => name.endsWith('.tgz')) ?? '';
}

/** The packages that it needs, as links to those of this repository. */
export function linkNeeded(): Record<string, string> {
  const { dependencies, optionalDependencies } = JSON.parse(readText('package.json'));
  const links = Object.keys({ ...dependencies, ...optionalDependencies })
    .map((name) => [name, join(ROOT, 'node_modules', name)] as const)
    .filter(([, path]) => existsSync(path))
    .map(([name, path]) => [name, `file:${path}`] as const);
  return Object.fromEntries(links);
}

/** Runs Node in a folder. */
export function runNode(folder: string, ...argv: string[]) {
  return spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8' });
}

/** What npm prints when it runs in a folder; it must succeed. */
export function runNpm(argv: readonly string[], cwd: string): string {
  // On Windows npm is a script.
  const shell = process.platform === 'win32';
  const { status, stdout, stderr } = spawnSync('npm', argv, { cwd, encoding: 'utf8', shell });
  assert.equal(status, 0, stderr);
  return stdout;
}
