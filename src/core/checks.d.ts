import type { Static } from 'typebox';
import type * as inputs from './inputs.ts';

/** Whether a value has the form of a schema, by the schema's name. */
export type Checks<Schemas> = {
  readonly [Name in keyof Schemas]: (value: unknown) => value is Static<Schemas[Name]>;
};

/** The schemas of `inputs.ts`, compiled by `src/checks/build.ts`. */
export declare const checks: Checks<typeof inputs>;
