/** The parts of `npm run torture`, in the order in which they run. */

import { disk } from './disk.ts';
import { input } from './input.ts';
import { kill } from './kill.ts';
import { power } from './power.ts';
import { roles } from './roles.ts';
import { tenants } from './tenants.ts';
import type { Part } from './trial.ts';

export const PARTS: ReadonlyMap<string, Part> = new Map([
  ['kill', kill],
  ['power', power],
  ['disk', disk],
  ['input', input],
  ['tenants', tenants],
  ['roles', roles],
]);
