/** Reads the values and arguments of a call. */

import { type Call, UsageError } from './command.ts';

export function optionText(call: Pick<Call, 'values'>, name: string): string | undefined {
  const value = call.values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The value of a required option. Refuses with a UsageError. */
export function requireText(call: Pick<Call, 'values'>, name: string): string {
  const text = optionText(call, name);
  if (text === undefined) throw new UsageError(`--${name} is missing.`);
  return text;
}

/** Whether a flag is set. */
export function hasFlag(call: Pick<Call, 'values'>, name: string): boolean {
  return call.values[name] === true;
}

/** The positional arguments, exactly one for each name. Refuses with a UsageError. */
export function readPositionals<const Names extends readonly string[]>(
  call: Pick<Call, 'positionals'>,
  ...names: Names
): { [Index in keyof Names]: string } {
  const { positionals } = call;
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  const extra = positionals[names.length];
  if (extra !== undefined) {
    const hint = /\s/.test(names.join(' ')) || names.length === 0 ? '' : QUOTES_HINT;
    throw new UsageError(`Unexpected argument "${extra}".${hint}`);
  }
  return positionals as unknown as { [Index in keyof Names]: string };
}

const QUOTES_HINT = ' Put quotation marks around a name with spaces.';

/** The whole number of an option. Refuses with a UsageError. */
export function readWhole(
  call: Pick<Call, 'values'>,
  name: string,
  { min, max }: { min: number; max: number },
): number | undefined {
  const text = optionText(call, name);
  if (text === undefined) return undefined;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  const limits = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  throw new UsageError(`--${name} must be a whole number, ${limits}, not "${text}".`);
}

/** One of the choices. Refuses with a UsageError. */
export function pickOption<const Choice extends string>(
  what: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((each) => each === text);
  if (found !== undefined) return found;
  throw new UsageError(`${what} must be one of ${choices.join(', ')}, not "${text}".`);
}
