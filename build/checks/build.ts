/**
 * A step of `npm run build`: writes what other modules need when they load. It compiles the schemas
 * that each room lists in its `inputs.ts` into the `checks.js` next to it, which loads nothing of
 * TypeBox (decision 0001), and writes what this build is.
 */

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import * as api from '../../src/api/inputs.ts';
import * as core from '../../src/core/inputs.ts';
import { SCHEMA_VERSION } from '../../src/database/migrations.ts';
import * as files from '../../src/files/inputs.ts';
import * as operations from '../../src/operations/inputs.ts';
import * as settings from '../../src/settings/inputs.ts';
import { compileChecks, writeSchemas } from './compile.ts';

/** The rooms with an `inputs.ts`. Each also has a `checks.d.ts` with the type of its checks. */
const ROOMS: Readonly<Record<string, Readonly<Record<string, TSchema>>>> = {
  api,
  core,
  files,
  operations,
  settings,
};

for (const [room, schemas] of Object.entries(ROOMS)) {
  // The texts of queries and settings are read as their schemas say.
  const also = ['api', 'settings'].includes(room) ? writeSchemas(schemas) : '';
  // Compiled, this file is in dist/build/checks.
  writeFileSync(
    new URL(`../../src/${room}/checks.js`, import.meta.url),
    compileChecks(schemas) + also,
  );
}

// In a clone; an archive of the sources has no commit.
const git = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' });
const commit = git.status === 0 ? git.stdout.trim() : null;
writeFileSync(
  new URL('../../src/build.json', import.meta.url),
  JSON.stringify({ commit, schema: SCHEMA_VERSION }),
);
