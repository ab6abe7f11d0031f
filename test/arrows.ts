/**
 * Which room may import which: the arrows of docs/architecture.md as a table, and a check of the
 * imports of a file. It reads the text, because the formatter fixes its form.
 */

import { posix } from 'node:path';

/**
 * What each room, or file next to the rooms, may import: a room, its types alone, one file of a
 * room, a package, or all modules of Node. A room inside a room has a line of its own; who may
 * import a room may not import the rooms inside it.
 */
const DOORS_AND_BELOW = [
  'api',
  'console',
  'core',
  'database',
  'docs',
  'http',
  'library',
  'metrics',
  'operations',
  'package-folder.ts',
  'store',
  'upkeep',
  'node:',
];
/** Doors show the records of the store and read them, and change nothing but by operations. */
const OPERATIONS = ['operations', 'types of store', 'reads of store'];
/** What functions that only read are called, and the changes that `changeAll` makes. */
const READING = /^(?:find|has|last|list|map|preview|read|require|sum|undoing|walk)(?:[A-Z]|$)/;
const COMMAND_LINE = [
  'core',
  ...OPERATIONS,
  'client',
  'files/index.ts',
  'settings',
  'service.ts',
  'package-folder.ts',
  'node:',
  // A list's options are the parameters of the interface; --json prints its documents.
  'api/documents.ts',
  'api/filters.ts',
  'api/parameters.ts',
  // Files, not data: locks, private files, and what a failure of SQLite means.
  'upkeep/backups.ts',
  'database/copies.ts',
  'database/file-checks.ts',
  'database/holders.ts',
  'database/lock.ts',
  'database/private-files.ts',
  'database/sqlite-errors.ts',
  'upkeep/nightly.ts',
  'upkeep/check.ts',
  'upkeep/schema-rules.ts',
];
const PAGES_OF_THE_CONSOLE = [
  'core',
  ...OPERATIONS,
  'http',
  'console/session',
  'console/components',
  'console/sentences',
  'node:',
];
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  core: ['typebox'],
  'package-folder.ts': ['node:'],
  settings: ['core', 'http/addresses.ts', 'typebox'],
  database: ['core', 'package-folder.ts', 'node:'],
  store: ['core', 'database', 'node:'],
  upkeep: ['core', 'database', 'store', 'package-folder.ts', 'node:'],
  http: ['core', 'node:'],
  metrics: ['core', 'http', 'node:'],
  files: [
    'core',
    'typebox',
    'files/text',
    'files/values',
    'files/mapping',
    'files/reading',
    'files/inspection',
    'files/formats',
    // Loaded in parts, before the rest.
    'files/vocabulary',
    'node:fs',
    'node:fs/promises',
    'node:path',
  ],
  'files/formats': [
    'core',
    'files/problems.ts',
    'files/text',
    'files/values',
    'files/mapping',
    'files/reading',
    'files/pace.ts',
    'node:buffer',
    'node:crypto',
    'node:stream',
    'node:util',
    'node:zlib',
  ],
  'files/text': ['core', 'files/problems.ts', 'node:buffer'],
  'files/values': ['core', 'files/problems.ts'],
  'files/mapping': [
    'core',
    'files/problems.ts',
    'files/inputs.ts',
    'files/checks.js',
    'files/text',
    'files/values',
  ],
  'files/reading': [
    'core',
    'files/problems.ts',
    'files/text',
    'files/values',
    'files/mapping',
    'node:buffer',
    'node:crypto',
    'papaparse',
  ],
  'files/vocabulary': ['core', 'files/values'],
  'files/inspection': [
    'core',
    'files/problems.ts',
    'files/pace.ts',
    'files/text',
    'files/values',
    'files/mapping',
    'files/reading',
    'files/vocabulary',
    'files/formats',
    'node:buffer',
  ],
  operations: [
    'core',
    'database',
    'store',
    'package-folder.ts',
    'node:crypto',
    'node:module',
    'node:timers/promises',
    'node:zlib',
    'papaparse',
    'typebox',
  ],
  api: ['core', ...OPERATIONS, 'http', 'typebox'],
  docs: ['http', 'package-folder.ts', 'node:'],
  console: [
    'core',
    ...OPERATIONS,
    'http',
    'package-folder.ts',
    'console/session',
    'console/components',
    'console/pages',
    'console/import',
    'console/pasting',
  ],
  'console/session': ['core', ...OPERATIONS, 'http', 'console/import/held-files.ts', 'node:'],
  'console/components': ['core', ...OPERATIONS, 'http', 'package-folder.ts', 'console/session'],
  'console/sentences': ['core', ...OPERATIONS, 'http', 'console/session', 'console/components'],
  'console/pages': [...PAGES_OF_THE_CONSOLE, 'package-folder.ts', 'qr'],
  'console/pasting': [...PAGES_OF_THE_CONSOLE, 'console/pages'],
  'console/import': [...PAGES_OF_THE_CONSOLE, 'files/index.ts'],
  library: ['core', ...OPERATIONS, 'api'],
  client: [],
  cli: [...COMMAND_LINE, 'cli/commands', 'papaparse'],
  'cli/push': [...COMMAND_LINE, 'cli'],
  'cli/doctor': [...COMMAND_LINE, 'cli'],
  'cli/csv': [...COMMAND_LINE, 'cli'],
  'cli/commands': [...COMMAND_LINE, 'cli', 'cli/doctor', 'cli/push', 'cli/csv'],
  executable: ['core', 'database', 'package-folder.ts', 'cli', 'node:'],
  'build/checks': [
    'core',
    'database/migrations.ts',
    'operations',
    'api',
    'files/inputs.ts',
    'settings',
    'typebox',
    'node:',
  ],
  'build/client': ['build/reference', 'node:'],
  'build/reference': [
    'core',
    'database',
    'store',
    'http',
    'api',
    'docs',
    'cli',
    'package-folder.ts',
    'service.ts',
    '@zxcvbn-ts/language-common',
    'node:',
  ],
  'service-options.ts': ['http', 'upkeep'],
  'service.ts': ['service-options.ts', ...DOORS_AND_BELOW],
  'index.ts': ['service.ts', ...DOORS_AND_BELOW],
};

/** An import or re-export: only of types, of values, or of values on demand. */
interface Import {
  readonly specifier: string;
  readonly kind: 'type' | 'value' | 'lazy';
  /** The values by their names; undefined for a whole file. */
  readonly names: readonly string[] | undefined;
}

/**
 * The imports of a file without an arrow, as sentences. `file` is a path relative to src/, or one
 * in build/.
 */
export function findBrokenArrows(file: string, source: string): string[] {
  const room = roomOf(file);
  const allowed = ARROWS[room];
  if (allowed === undefined) return [`${file}: there is no such room`];
  return listImports(source)
    .map((found) => ({ ...found, target: resolveTarget(file, found.specifier) }))
    .filter(({ target }) => roomOf(target) !== room)
    .filter((each) => !allowed.some((entry) => covers(entry, each)))
    .map(({ target, kind }) => `${file} may not import ${target} (${kind})`);
}

/**
 * Files that import each other in a circle, with imports of types, each circle once as a list of
 * paths relative to src/.
 */
export function findCircles(sources: ReadonlyMap<string, string>): string[][] {
  const circles: string[][] = [];
  const closed = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file]);
    if (closed.has(file) || path.includes(file)) return;
    for (const { specifier } of listImports(sources.get(file) ?? '')) {
      const target = resolveTarget(file, specifier);
      if (sources.has(target)) visit(target, [...path, file]);
    }
    closed.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  return circles;
}

/** Everything that is loaded together with `entry`: files of src/ and packages. */
export function findStartPath(entry: string, sources: ReadonlyMap<string, string>): Set<string> {
  return findReached(entry, sources, ['value']);
}

/** Everything that imports of these kinds reach: files of src/ and packages. */
export function findReached(
  entry: string,
  sources: ReadonlyMap<string, string>,
  kinds: readonly Import['kind'][],
): Set<string> {
  const reached = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const { specifier, kind } of listImports(sources.get(file) ?? '')) {
      if (kinds.includes(kind)) waiting.push(resolveTarget(file, specifier));
    }
  }
  return reached;
}

const EXPORTED =
  /^export (?:abstract |async |declare )*(?:class|const|function\*?|interface|type) (\w+)/gm;
const NAMESPACE = /^import (?:type )?\* as (\w+) from '([^']+)'/gm;

/**
 * Exported names that none of the readers uses, as `file: name`. A reader uses a name if it imports
 * the file and mentions the name, or passes on the whole file as one value.
 */
export function findUnusedNames(
  sources: ReadonlyMap<string, string>,
  readers: ReadonlyMap<string, string>,
): string[] {
  const mentioned = new Map<string, string[]>();
  const whole = new Set<string>();
  const passedOn = new Map<string, string>();
  for (const [file, source] of readers) {
    for (const { specifier } of listImports(source)) {
      const target = resolveTarget(file, specifier);
      if (target !== file) mentioned.set(target, [...(mentioned.get(target) ?? []), source]);
    }
    for (const [, specifier = ''] of source.matchAll(ALL_NAMES)) {
      passedOn.set(resolveTarget(file, specifier), file);
    }
    for (const [, name, specifier = ''] of source.matchAll(NAMESPACE)) {
      const isPassed = new RegExp(`(?<!\\* as )\\b${name}\\b(?![.'/])`).test(source);
      if (isPassed) whole.add(resolveTarget(file, specifier));
    }
  }
  return [...sources].flatMap(([file, source]) => {
    if (whole.has(file)) return [];
    const passing = passedOn.get(file) ?? '';
    // Users of the package have all names of an index.
    if (passing.endsWith('index.ts')) return [];
    const own = [file, file.replace(/\.d\.ts$/, '.js'), passing];
    const users = own.flatMap((path) => mentioned.get(path) ?? []);
    return [...source.matchAll(EXPORTED)]
      .map(([, name = '']) => name)
      .filter((name) => !users.some((each) => new RegExp(`\\b${name}\\b`).test(each)))
      .map((name) => `${file}: ${name}`);
  });
}

/** Names that several files export, as `name: files`; each command exports its `commands`. */
export function findSharedNames(sources: ReadonlyMap<string, string>): string[] {
  const files = new Map<string, Set<string>>();
  for (const [file, source] of sources) {
    if (/^build\/|\.d\.ts$/.test(file)) continue;
    for (const [, name = ''] of source.matchAll(EXPORTED)) {
      files.set(name, (files.get(name) ?? new Set()).add(file));
    }
  }
  return [...files]
    .filter(([name, { size }]) => size > 1 && name !== 'commands')
    .map(([name, found]) => `${name}: ${[...found].join(', ')}`);
}

const ALL_NAMES = /^export (?:type )?\* from '([^']+)'/gm;
const STATIC = /^(?:import|export)\s+(type\s+)?(?:([\w$\s{},*]+?)\s+from\s+)?'([^']+)'/gm;
const DYNAMIC = /(typeof\s+)?\bimport\(\s*'([^']+)'/g;

function listImports(source: string): Import[] {
  const fixed = [...source.matchAll(STATIC)].map(([, type, clause, specifier = '']) => {
    const list = /^\{([^}]*)\}$/.exec(clause ?? '')?.[1]?.split(',');
    const names = list?.map((each) => each.trim()).filter((each) => /^(?!type )./.test(each));
    return { specifier, kind: type === undefined ? 'value' : 'type', names } as const;
  });
  const onDemand = [...source.matchAll(DYNAMIC)].map(([, type, specifier = '']) => {
    return { specifier, kind: type === undefined ? 'lazy' : 'type', names: undefined } as const;
  });
  return [...fixed, ...onDemand];
}

function resolveTarget(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  const folder = posix.dirname(/^(?:bench|bin|build|test)\//.test(file) ? file : `src/${file}`);
  return posix.join(folder, specifier).replace(/^src\//, '');
}

/**
 * The room of a path relative to src/, or in build/: the innermost folder that has a line in the
 * table. A file in no room is its own.
 */
export function roomOf(file: string): string {
  const folders = file.split('/').slice(0, -1);
  while (folders.length > 1 && !Object.hasOwn(ARROWS, folders.join('/'))) folders.pop();
  return folders.length === 0 ? file : folders.join('/');
}

function covers(
  entry: string,
  { target, kind, names }: Import & { readonly target: string },
): boolean {
  const isReading = kind === 'value' && names?.every((each) => READING.test(each)) === true;
  if (entry === 'reads of store') return isReading && roomOf(target) === 'store';
  const types = /^types of (.+)/.exec(entry)?.[1];
  if (types !== undefined) return kind === 'type' && roomOf(target) === types;
  if (entry.endsWith(':')) return target.startsWith(entry);
  return target === entry || roomOf(target) === entry;
}
