import type { Static, TSchema } from 'typebox';
import type * as inputs from './inputs.ts';

/** Whether a value has the form of a schema, by the schema's name. */
export type Checks<Inputs extends Readonly<Record<keyof Inputs, TSchema>>> = {
  readonly [Name in keyof Inputs]: (value: unknown) => value is Static<Inputs[Name]>;
};

/** The schemas as plain JSON Schema, by their names. */
export type Schemas<Inputs> = {
  readonly [Name in keyof Inputs]: Readonly<Record<string, unknown>>;
};

/** The schemas of `inputs.ts`, compiled by `build/checks/build.ts`. */
export declare const checks: Checks<typeof inputs>;
