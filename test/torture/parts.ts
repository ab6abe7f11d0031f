/** The parts of `npm run torture`, in the order in which they run. */

import { clients } from './clients.ts';
import { disk } from './disk.ts';
import { history } from './history.ts';
import { input } from './input.ts';
import { kill } from './kill.ts';
import { power } from './power.ts';
import { races } from './races.ts';
import { roles } from './roles.ts';
import { tenants } from './tenants.ts';
import { time } from './time.ts';
import type { Part } from './trial.ts';

export const PARTS: ReadonlyMap<string, Part> = new Map([
  ['kill', kill],
  ['power', power],
  ['disk', disk],
  ['input', input],
  ['tenants', tenants],
  ['clients', clients],
  ['races', races],
  ['time', time],
  ['roles', roles],
  ['history', history],
]);
