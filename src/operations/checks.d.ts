import type { Checks } from '../core/checks.js';
import type * as inputs from './inputs.ts';

/** The schemas of `inputs.ts`, compiled by `build/checks/build.ts`. */
export declare const checks: Checks<typeof inputs>;
