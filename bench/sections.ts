/** The sections of a run, in order. */

import type { Findings } from './findings.ts';
import type { Lab } from './lab.ts';
import { measureConsole } from './sections/console.ts';
import { measureFile } from './sections/file.ts';
import { measureHolding } from './sections/holding.ts';
import { measureImporting } from './sections/importing.ts';
import { measureInspecting } from './sections/inspecting.ts';
import { measureLimits } from './sections/limits.ts';
import { measureMemory } from './sections/memory.ts';
import { measurePushing } from './sections/pushing.ts';
import { measureReading } from './sections/reading.ts';
import { measureReports } from './sections/reports.ts';
import { measureRequests } from './sections/requests.ts';
import { measureRules } from './sections/rules.ts';
import { measureSignIns } from './sections/sign-ins.ts';
import { measureStarting } from './sections/starting.ts';

/** Each section by its name for `--only`. */
export const SECTIONS: Readonly<Record<string, (lab: Lab) => Promise<Findings>>> = {
  pushing: measurePushing,
  file: measureFile,
  limit: measureLimits,
  reading: measureReading,
  report: measureReports,
  requests: measureRequests,
  starting: measureStarting,
  holding: measureHolding,
  rules: measureRules,
  console: measureConsole,
  memory: measureMemory,
  inspecting: measureInspecting,
  importing: measureImporting,
  'sign-ins': measureSignIns,
};
