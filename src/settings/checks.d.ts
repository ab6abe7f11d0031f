import type { Checks, Schemas } from '../core/checks.js';
import type * as inputs from './inputs.ts';

/** The schemas of `inputs.ts`, compiled by `build/checks/build.ts`, and as JSON Schema. */
export declare const checks: Checks<typeof inputs>;
export declare const schemas: Schemas<typeof inputs>;
