/** Reads the command line: first the command, then its options, each checked by name. */

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { findNearest } from '../core/suggestions.ts';
import { type Command, UsageError, type Values, type WrittenOption } from './command.ts';

/** The help of options that every command accepts, which declares them. */
export const GLOBAL_HELP = `Options for every command
  --db FILE    the database file (default BUDGETD_DB, else ./budgetd.db)
  --config F   a file of settings, such as BUDGETD_DB=/var/lib/budgetd.db
  --org ID     the organisation, if the database has several
  --json       print one JSON document on standard output
  --help       show help
  --version    show the version`;
const GLOBAL_OPTIONS = listOptions({ details: GLOBAL_HELP });

/** Wrong usage that is reported without the usage line. */
export class UnknownWordError extends UsageError {}

/** The chosen command, and the other arguments. */
export interface CommandChoice {
  /** The words of the command: empty, a group such as `keys`, or a command. */
  readonly name: string;
  readonly isHelp: boolean;
  readonly rest: string[];
}

/**
 * Finds the command. Only global options can come before it. `list` has the commands that begin
 * with a word, or all.
 */
export async function chooseCommand(
  argv: readonly string[],
  list: (word?: string) => Promise<readonly Pick<Command, 'name'>[]>,
): Promise<CommandChoice> {
  const rest: string[] = [];
  const listNames = async (word?: string) => (await list(word)).map((each) => each.name);
  let names: string[] = [];
  let name = '';
  let isHelp = false;
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
      throw new UnknownWordError(`Unexpected argument "${argument}": help accepts one command.`);
    } else {
      const words = name === '' ? argument : `${name} ${argument}`;
      if (name === '') names = await listNames(argument);
      if (!names.some((each) => each === words || each.startsWith(`${words} `))) {
        throw unknownCommand(argument, name, await listNames());
      }
      name = words;
    }
  }
  return { name, isHelp, rest };
}

/** The type of a global option. Refuses an unknown one, which may belong to a command. */
function findGlobal(argument: string, command: string): 'string' | 'boolean' {
  const [name = ''] = argument.replace(/^--?/, '').split('=', 1);
  const isLong = argument.startsWith('--');
  const [, known] = Object.entries(GLOBAL_OPTIONS).find(([each]) => isLong && each === name) ?? [];
  if (known !== undefined || argument === '-h') return known?.type ?? 'boolean';
  const nearest = findNearest(name, Object.keys(GLOBAL_OPTIONS));
  const hint =
    nearest === undefined
      ? 'Put the options of a command after the command.'
      : `Did you mean --${nearest}?`;
  const where = command === '' ? 'before the command' : `between the words of "${command}"`;
  throw new UnknownWordError(`Unknown option ${argument} ${where}. ${hint}`);
}

function unknownCommand(word: string, group: string, names: readonly string[]): UnknownWordError {
  const known = names
    .filter((each) => group === '' || each.startsWith(`${group} `))
    .map((each) => each.slice(group === '' ? 0 : group.length + 1));
  const words = [...known, ...known.map((each) => each.split(' ', 1)[0] ?? '')];
  const nearest = findNearest(word, words);
  const before = group === '' ? '' : `${group} `;
  const all = group === '' ? '`budgetd help` lists the commands' : `Use one of ${known.join(', ')}`;
  const hint = nearest === undefined ? `${all}.` : `Did you mean \`budgetd ${before}${nearest}\`?`;
  return new UnknownWordError(`There is no command "${before}${word}". ${hint}`);
}

/** The arguments of a command. */
export interface Written {
  readonly values: Values;
  readonly positionals: string[];
  readonly written: readonly WrittenOption[];
}

type Options = NonNullable<ParseArgsConfig['options']>;
type Declaration = Pick<Command, 'details' | 'unlisted' | 'settings' | 'repeatable'>;

/** The options that a command declares in its help. */
export function listOptions(command: Declaration): Options {
  const { details = '', unlisted = [], settings = [], repeatable = [] } = command;
  const more = [...unlisted, ...settings.map((name) => `--${name} VALUE`)];
  const lines = `${details}\n${more.map((form) => `  ${form}\n`).join('')}`;
  const options = [...lines.matchAll(/^ {2}--([a-z-]+)( \S)?/gm)].map(([, name = '', value]) => {
    const type = value === undefined ? ('boolean' as const) : ('string' as const);
    return [name, { type, multiple: repeatable.includes(name) }] as const;
  });
  return Object.fromEntries(options);
}

/** Reads the options of a command. Refuses with a UsageError. */
export function readOptions(command: Command, argv: readonly string[]): Written {
  const help = { type: 'boolean', short: 'h' } as const;
  const options: Options = { ...listOptions(command), ...GLOBAL_OPTIONS, help };
  const { values, positionals, tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const written: WrittenOption[] = [];
  // Help comes first, whatever else is wrong.
  if (values['help'] === true) return { values, positionals, written };
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? Reflect.get(options, name) : undefined;
    if (option === undefined) throw unknownOption(rawName, Object.keys(options));
    if (option.type === 'boolean' && value !== undefined) {
      throw new UsageError(`${rawName} does not accept a value.`);
    }
    if (option.type === 'string') refuseMissingValue(rawName, value, inlineValue);
    if (option.multiple !== true && written.some((each) => each.name === name)) {
      throw new UsageError(`${rawName} appears twice. Pass it once.`);
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
    throw new UsageError(`${option} needs a value. If that is ${value}, write ${option}=${value}.`);
  }
}

function unknownOption(option: string, known: readonly string[]): UnknownWordError {
  const nearest = findNearest(option.replace(/^-+/, ''), known);
  const hint = nearest === undefined ? '--help lists them.' : `Did you mean --${nearest}?`;
  return new UnknownWordError(`There is no option ${option}. ${hint}`);
}
