/** Reads the command line: first the command, then its options, each checked by name. */

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { findNearest } from '../core/suggestions.ts';
import { type Call, type CommandEntry, UsageError } from './command.ts';

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

/**
 * Finds the command among all names. Only global options can come before it, and between its words.
 */
export function chooseCommand(argv: readonly string[], names: readonly string[]) {
  const rest: string[] = [];
  let name = '';
  let isHelp = false;
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    const isChosen = names.includes(name);
    const isLast = isChosen && !names.some((each) => each.startsWith(`${name} `));
    const words = name === '' ? argument : `${name} ${argument}`;
    const isWord = names.some((each) => each === words || each.startsWith(`${words} `));
    const isGlobal = argument.startsWith('-') && typeOfGlobal(argument) !== undefined;
    if (!isHelp && (isLast || (isChosen && !isWord && !isGlobal))) {
      rest.push(...argv.slice(index));
      break;
    }
    if (argument.startsWith('-')) {
      rest.push(argument);
      const type = typeOfGlobal(argument);
      if (type === undefined) throw unknownGlobal(argument, name);
      if (type === 'string' && !argument.includes('=')) {
        index += 1;
        rest.push(...argv.slice(index, index + 1));
      }
    } else if (argument === 'help' && name === '') {
      isHelp = true;
    } else if (isLast) {
      throw new UnknownWordError(`Unexpected argument "${argument}": help accepts one command.`);
    } else {
      if (!isWord) throw unknownCommand(argument, name, names);
      name = words;
    }
  }
  return { name, isHelp, rest };
}

/** The type of a global option; undefined if no global option has this name. */
function typeOfGlobal(argument: string): 'string' | 'boolean' | undefined {
  if (argument === '-h' || argument === '-v') return 'boolean';
  const [, name = ''] = /^--([^=]*)/.exec(argument) ?? [];
  return Object.entries(GLOBAL_OPTIONS).find(([each]) => each === name)?.[1].type;
}

/** The refusal of an option that may belong to a command. */
function unknownGlobal(argument: string, command: string): UnknownWordError {
  const [name = ''] = argument.replace(/^--?/, '').split('=', 1);
  const nearest = findNearest(name, Object.keys(GLOBAL_OPTIONS));
  const hint =
    nearest === undefined
      ? 'Put the options of a command after the command.'
      : `Did you mean --${nearest}?`;
  const where = command === '' ? 'before the command' : `between the words of "${command}"`;
  return new UnknownWordError(`Unknown option ${argument} ${where}. ${hint}`);
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

type Options = NonNullable<ParseArgsConfig['options']>;
type Declaration = Pick<CommandEntry, 'details' | 'unlisted' | 'settings' | 'repeatable'>;

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

/** The options of a command, with those of every command. */
export function allOptions(command: Declaration): Options {
  const help = { type: 'boolean', short: 'h' } as const;
  return { ...listOptions(command), ...GLOBAL_OPTIONS, help };
}

/** Reads the options of a command. Refuses with a UsageError. */
export function readOptions(
  command: CommandEntry,
  argv: readonly string[],
): Pick<Call, 'values' | 'positionals' | 'written'> {
  const options = allOptions(command);
  const { values, positionals, tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const written: Call['written'][number][] = [];
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
