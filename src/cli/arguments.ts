/** Reading the command line: first which command, then its options, each checked by name. */

import { parseArgs } from 'node:util';
import { type Command, UsageError, type Values, type WrittenOption } from './command.ts';
import { findNearest } from './suggestions.ts';

/** Options that every command takes. */
export const GLOBAL_OPTIONS = {
  db: { type: 'string' },
  org: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

/** Wrong usage that its own line explains: no usage line goes with it. */
export class UnknownWordError extends UsageError {}

/** The command that is meant, and everything else that was written. */
export interface CommandChoice {
  /** The words of the command: none, a group such as `keys`, or a command. */
  readonly name: string;
  readonly isHelp: boolean;
  readonly rest: string[];
}

/** Finds the command; what stands before it can only be global options. */
export function chooseCommand(argv: readonly string[], names: readonly string[]): CommandChoice {
  const rest: string[] = [];
  let name = '';
  let isHelp = false;
  const isGroup = () => names.some((each) => each.startsWith(`${name} `));
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    if (names.includes(name) && !isHelp) {
      rest.push(...argv.slice(index));
      break;
    }
    if (argument.startsWith('-')) {
      rest.push(argument);
      const option = findGlobal(argument, name);
      if (option === 'string' && !argument.includes('=')) {
        index += 1;
        rest.push(...argv.slice(index, index + 1));
      }
    } else if (argument === 'help' && name === '') {
      isHelp = true;
    } else if (names.includes(name)) {
      throw new UnknownWordError(`help takes one command: "${argument}" is too much.`);
    } else {
      const words = name === '' ? argument : `${name} ${argument}`;
      if (!names.some((each) => each === words || each.startsWith(`${words} `))) {
        throw unknownCommand(argument, name, names);
      }
      name = words;
    }
  }
  if (name !== '' && !names.includes(name) && !isGroup()) throw unknownCommand(name, '', names);
  return { name, isHelp, rest };
}

/** The type of a global option. Refuses an unknown one: it may be a command's. */
function findGlobal(argument: string, command: string): 'string' | 'boolean' {
  const [name = ''] = argument.replace(/^--?/, '').split('=', 1);
  for (const [known, option] of Object.entries(GLOBAL_OPTIONS)) {
    const isShort = 'short' in option && argument === `-${option.short}`;
    if (argument.startsWith(`--${known}=`) || argument === `--${known}` || isShort) {
      return option.type;
    }
  }
  const nearest = findNearest(name, Object.keys(GLOBAL_OPTIONS));
  const hint =
    nearest === undefined
      ? "a command's options stand after the command."
      : `did you mean --${nearest}?`;
  const where = command === '' ? 'Before the command' : `Before a word of "${command}"`;
  throw new UnknownWordError(`${where} there is no option ${argument}: ${hint}`);
}

function unknownCommand(word: string, group: string, names: readonly string[]): UnknownWordError {
  const known = names
    .filter((each) => group === '' || each.startsWith(`${group} `))
    .map((each) => each.slice(group === '' ? 0 : group.length + 1));
  const words = [...known, ...known.map((each) => each.split(' ', 1)[0] ?? '')];
  const nearest = findNearest(word, words);
  const what = group === '' ? `There is no command "${word}"` : `There is no "${group} ${word}"`;
  const all = group === '' ? '`budgetd help` lists them' : `there is ${known.join(', ')}`;
  const meant = `\`budgetd ${group === '' ? '' : `${group} `}${nearest}\``;
  throw new UnknownWordError(
    nearest === undefined ? `${what}: ${all}.` : `${what}: did you mean ${meant}?`,
  );
}

/** What was written after a command. */
export interface Written {
  readonly values: Values;
  readonly positionals: string[];
  readonly written: readonly WrittenOption[];
}

/** Reads the options of a command. Refuses with a UsageError. */
export function readOptions(command: Command, argv: readonly string[]): Written {
  const options = { ...command.options, ...GLOBAL_OPTIONS };
  const { values, positionals, tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const written: WrittenOption[] = [];
  // Help is given whatever else is wrong.
  if (values['help'] === true) return { values, positionals, written };
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? Reflect.get(options, name) : undefined;
    if (option === undefined) throw unknownOption(rawName, Object.keys(options));
    if (option.type === 'boolean' && value !== undefined) {
      throw new UsageError(`${rawName} takes no value.`);
    }
    if (option.type === 'string') refuseMissingValue(rawName, value, inlineValue);
    if (option.multiple !== true && written.some((each) => each.name === name)) {
      throw new UsageError(`${rawName} is given twice.`);
    }
    written.push({ name, value });
  }
  return { values, positionals, written };
}

function refuseMissingValue(
  option: string,
  value: string | undefined,
  isInline: boolean | undefined,
): void {
  if (value === undefined) throw new UsageError(`${option} needs a value.`);
  if (isInline !== true && /^--\w/.test(value)) {
    throw new UsageError(`${option} needs a value: write ${option}=${value} if that is it.`);
  }
}

function unknownOption(option: string, known: readonly string[]): UnknownWordError {
  const nearest = findNearest(option.replace(/^-+/, ''), known);
  const hint = nearest === undefined ? '`--help` lists them.' : `did you mean --${nearest}?`;
  return new UnknownWordError(`There is no option ${option}: ${hint}`);
}
