/**
 * Makes `openapi-types.ts` with openapi-typescript: `npm run openapi-types`, whenever a test says
 * that the interface has changed. The generator needs the compiler interface of TypeScript 5, which
 * TypeScript 7 does not have, so it is no dependency: npx fetches both for the one run.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { buildOpenApi } from '../../src/api/openapi.ts';
import { ROOT } from '../repository.ts';
import { hashOf, outlineOf } from './openapi-outline.ts';

const PACKAGES = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];
const TARGET = `${ROOT}test/api/openapi-types.ts`;

const outline = outlineOf(buildOpenApi());
const source = `${ROOT}dist/openapi-outline.json`;
writeFileSync(source, JSON.stringify(outline));
const chosen = PACKAGES.flatMap((name) => ['--package', name]);
run('npx', ['--yes', ...chosen, 'openapi-typescript', source, '--output', TARGET]);
const head = `// Made by generate-types.ts from the outline ${hashOf(outline)}. Not to be edited.
// biome-ignore-all lint/style/noExcessiveLinesPerFile: made by a program.
`;
writeFileSync(TARGET, head + readFileSync(TARGET, 'utf8'));
run('npx', ['biome', 'check', '--write', TARGET]);

function run(command: string, options: readonly string[]): void {
  const { status } = spawnSync(command, options, { stdio: 'inherit', cwd: ROOT });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}
