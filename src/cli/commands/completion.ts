/** What can be typed next on a command line: the shells ask for it (`budgetd completion`). */

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { formatId } from '../../core/ids.ts';
import { cleanText } from '../../core/text-width.ts';
import { isCurrent } from '../../database/file-checks.ts';
import { listAll } from '../../operations/pages.ts';
import { listProjects } from '../../operations/projects.ts';
import { PACKAGE_FOLDER, readPackageFile } from '../../package-folder.ts';
import { settingValues } from '../../settings/settings.ts';
import type { Access } from '../../store/access.ts';
import { listKeys } from '../../store/keys.ts';
import { listUsers } from '../../store/users.ts';
import { allOptions, chooseCommand, GLOBAL_HELP } from '../arguments.ts';
import {
  type Call,
  type Command,
  type CommandEntry,
  type Flags,
  listForms,
  listShared,
  SHARED_OPTIONS,
} from '../command.ts';
import { listCommands } from '../entries.ts';
import { listAllBudgetLines } from '../lookup.ts';
import { pickOption, readPositionals } from '../options.ts';
import { printLines } from '../output.ts';
import { loadSettings } from '../settings.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** What the scripts call, with the words of the command line. */
const QUESTION = 'words';

/** What to offer: words, each with a text about it, or the names of files or folders. */
interface Offer {
  readonly kind: 'words' | 'files' | 'folders';
  readonly words: readonly Word[];
}

type Word = readonly [word: string, about: string];

/** What is typed before the word to complete. */
interface Typed {
  readonly call: Call;
  /** The command; undefined while only some of its words are there. */
  readonly entry: CommandEntry | undefined;
  readonly values: Flags;
}

/**
 * What can take the place of the last word: the kind, then a line for each word and, after a tab,
 * what it is. Nothing if the words make no sense or the database cannot be read.
 */
async function complete(call: Call, typed: readonly string[]): Promise<string[]> {
  const { words: all, isCut } = joinWords(typed);
  const words = all.map((word) => unquote(word, call.io.env));
  const current = words.pop() ?? '';
  try {
    const { kind, words: offered } = await findOffer(call, words, current);
    const fitting = offered.filter(([word]) => word.startsWith(current));
    const start = isCut ? current.lastIndexOf(':') + 1 : 0;
    const lines = fitting.map(([word, about]) =>
      [word.slice(start), about].map(cleanText).join('\t'),
    );
    return [kind, ...lines];
  } catch {
    return ['words'];
  }
}

/**
 * The words of a line. bash makes three of `--db=FILE` and of `reports:read`, and wants only what
 * comes after the colon: `isCut` says whether it did that to the last word.
 */
function joinWords(typed: readonly string[]): { words: string[]; isCut: boolean } {
  const words: string[] = [];
  let [isAfterColon, isCut] = [false, false];
  for (const word of typed) {
    isCut = word === ':' || isAfterColon;
    if (isCut) words.push((words.pop() ?? '') + word);
    else if (word !== '=') words.push(word);
    isAfterColon = word === ':';
  }
  return { words: typed.at(-1) === '=' ? [...words, ''] : words, isCut };
}

/** A word as the shell reads it, from how it is typed. */
function unquote(word: string, { HOME = '~' }: Call['io']['env']): string {
  const [, quote = '', text = ''] = /^(['"]?)(.*)$/s.exec(word) ?? [];
  if (quote !== '') return text.endsWith(quote) ? text.slice(0, -1) : text;
  return text.replace(/^~(?=\/)/, HOME).replace(/\\(.)/g, '$1');
}

async function findOffer(call: Call, words: string[], current: string): Promise<Offer> {
  const table = listCommands();
  const names = table.map(({ name }) => name);
  const { name, isHelp, rest } = chooseCommand(words, names);
  const entry = table.find((each) => each.name === name);
  const options = allOptions(entry ?? { details: GLOBAL_HELP });
  const args = {
    args: rest,
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  } as const;
  const { values, positionals, tokens } = parseArgs(args);
  const typed = { call, entry, values };
  const [, inline] = /^--([a-z-]+)=/.exec(current) ?? [];
  if (inline !== undefined) {
    const { kind, words: offered } = await offerOption(typed, inline);
    return { kind, words: offered.map(([word, about]) => [`--${inline}=${word}`, about]) };
  }
  const last = tokens.at(-1);
  const isOpen = last?.kind === 'option' && last.value === undefined;
  if (isOpen && options[last.name]?.type === 'string') return offerOption(typed, last.name);
  const flags = Object.keys(options)
    .filter((each) => options[each]?.multiple === true || values[each] === undefined)
    .filter((each) => isUsed(each, entry))
    .map((each): Word => [`--${each}`, explain(each, entry)]);
  if (current.startsWith('-')) return { kind: 'words', words: flags };
  const below = positionals.length > 0 ? [] : listNextWords(name);
  if (below.length > 0 || isHelp) return { kind: 'words', words: below };
  const argument = entry && listArguments(entry)[positionals.length];
  return argument === undefined
    ? { kind: 'words', words: flags }
    : offerValue(typed, argument, [argument]);
}

/** Whether a command uses an option that every command accepts. */
function isUsed(option: string, entry: CommandEntry | undefined): boolean {
  if (entry === undefined || !Object.hasOwn(SHARED_OPTIONS, option)) return true;
  return listShared(entry).some((each) => each === option);
}

function explain(option: string, entry: CommandEntry | undefined): string {
  const help = `${entry?.details ?? ''}\n${GLOBAL_HELP}`;
  const line = new RegExp(`^ {2}--${option}(?: \\S+)*?(?: {2,}|\\n {9,})(.*)`, 'm');
  return line.exec(help)?.[1] ?? '';
}

/** The words that can follow those of a group, or begin a command. */
function listNextWords(group: string): Word[] {
  const prefix = group === '' ? '' : `${group} `;
  const words = new Map<string, string>();
  for (const { name, summary } of listCommands()) {
    if (!name.startsWith(prefix) || name === group) continue;
    const [word = '', next] = name.slice(prefix.length).split(' ');
    const known = words.get(word);
    if (next === undefined) words.set(word, summary);
    else words.set(word, known === undefined ? next : `${known}, ${next}`);
  }
  return [...words, ...(group === '' ? [['help', 'shows help'] as const] : [])];
}

/** The arguments of the first form of a command, such as `PROJECT`, without its options. */
function listArguments(entry: CommandEntry): string[] {
  const options = allOptions(entry);
  let [form = ''] = listForms(entry);
  while (/\[[^[\]]*\]/.test(form)) form = form.replace(/\[[^[\]]*\]/g, '');
  const words = form.slice(entry.name.length).split(' ');
  return words.filter((word, at) => {
    const [, option = ''] = /^--([a-z-]+)/.exec(words[at - 1] ?? '') ?? [];
    return /^[^-…]/.test(word) && options[option]?.type !== 'string';
  });
}

/** Offers values of an option, from how the help writes them, such as `FILE` or `json|text`. */
function offerOption(typed: Typed, option: string): Promise<Offer> {
  const { details = '', usage = '', unlisted = [] } = typed.entry ?? {};
  const text = [details, usage, ...unlisted, GLOBAL_HELP].join('\n');
  const found = text.matchAll(new RegExp(`--${option} ([^\\s\\]]+)`, 'g'));
  const forms = [...found].map(([, form = '']) => form);
  return offerValue(typed, option, forms);
}

/** Offers what an option or an argument can be. */
async function offerValue(typed: Typed, name: string, forms: string[]): Promise<Offer> {
  const listed = forms.flatMap((form) =>
    /^[a-z-]+(\|[a-z-]+)+$/.test(form) ? form.split('|') : [],
  );
  const choices = typed.entry?.choices?.[name] ?? listed;
  if (choices.length > 0)
    return { kind: 'words', words: [...new Set(choices)].map((each) => [each, '']) };
  const find = Object.hasOwn(STORED, name) ? STORED[name] : undefined;
  if (find !== undefined || name === 'org') {
    return { kind: 'words', words: await readStored(typed, find) };
  }
  const isFile = forms.some((form) => /^(?:FILE|F|OUT)\b/.test(form));
  if (isFile) return { kind: 'files', words: [] };
  return { kind: forms.some((form) => form.startsWith('DIR')) ? 'folders' : 'words', words: [] };
}

/** What the database has, by the name of an option or an argument. */
const STORED: Readonly<Record<string, (access: Access) => Word[]>> = {
  PROJECT: offerProjects,
  'project-id': offerProjects,
  'parent-project-id': offerProjects,
  line: (access) => {
    const lines = listAllBudgetLines(access);
    const isOnly = (code: string | null) => lines.filter((each) => each.code === code).length === 1;
    return lines.map(({ id, code, name, projectName }) => {
      const word = code !== null && isOnly(code) ? code : formatId('bln', id);
      return [word, `${name} (${projectName})`];
    });
  },
  KEYID: (access) => listKeys(access).map(({ id, name }) => [formatId('key', id), name]),
  EMAIL: (access) => listUsers(access).map(({ email, role }) => [email, role]),
};

function offerProjects(access: Access): Word[] {
  const projects = listAll((page) => listProjects(access, page));
  return projects.map(({ name, startDate, endDate }) => [name, `${startDate} to ${endDate}`]);
}

/** How long completion waits while another process writes. */
const BUSY_TIMEOUT_MS = 300;

/** Reads the database of the command line, which nothing here upgrades or creates. */
async function readStored(
  { call, values }: Typed,
  find: ((access: Access) => Word[]) | undefined,
): Promise<Word[]> {
  const { db } = settingValues(await loadSettings(call.io, values, ['db']));
  const database = resolve(call.io.cwd, db);
  if (!isCurrent(database)) return [];
  const service = await call.openService({ database, busyTimeoutMs: BUSY_TIMEOUT_MS });
  const all = service.organisations.list();
  if (find === undefined) return all.map(({ id, name }) => [id, name]);
  const { org } = values;
  const own = all.filter(({ id, name }) => org === undefined || org === id || org === name);
  return own.length === 1 ? own.flatMap(({ id }) => find(service.access(id))) : [];
}

const completion: Command = {
  name: 'completion',
  summary: 'prints a script that completes commands in a shell',
  usage: SHELLS.join('|'),
  details: `
  bash   in ~/.bashrc:  source <(budgetd completion bash)
  zsh    in ~/.zshrc, after compinit:  source <(budgetd completion zsh)
  fish   in ~/.config/fish/config.fish:  budgetd completion fish | source

The Tab key then completes commands, options and their values, such as projects,
budget lines, keys and users of the database.`,
  shared: [],
  async run(call) {
    const [first, ...words] = call.positionals;
    if (first === QUESTION) {
      printLines(call.io, ...(await complete(call, words)));
      return;
    }
    const [wanted] = readPositionals(call, SHELLS.join('|'));
    const shell = pickOption('The shell', wanted, SHELLS);
    const script = new URL(`packaging/completion.${shell}`, PACKAGE_FOLDER);
    printLines(call.io, readPackageFile(script).toString().trimEnd());
  },
};

export const commands = [completion];
