/**
 * A step of `npm run build`: compiles the schemas that each room lists in its `inputs.ts` into the
 * `checks.js` next to it. That module loads nothing of TypeBox (decision 0001).
 */

import { writeFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import * as api from '../api/inputs.ts';
import * as core from '../core/inputs.ts';
import * as files from '../files/inputs.ts';
import * as operations from '../operations/inputs.ts';
import * as settings from '../settings/inputs.ts';
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
  // Compiled, this file is in dist/src/checks.
  writeFileSync(new URL(`../${room}/checks.js`, import.meta.url), compileChecks(schemas) + also);
}
