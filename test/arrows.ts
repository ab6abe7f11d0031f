/**
 * Which room may import which: the arrows of docs/architecture.md as a table, and a check of the
 * imports of a file. It reads the text, because the formatter fixes its form.
 */

import { posix } from 'node:path';

/**
 * What each room, or file next to the rooms, may import: a room, one file of a room, a package, or
 * all modules of Node. `type ` means only with `import type`.
 */
const EVERYTHING_BUT_CLI = [
  'api',
  'client',
  'console',
  'core',
  'docs',
  'http',
  'inspect',
  'library',
  'operations',
  'rows',
  'store',
  'node:',
];
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  core: ['typebox'],
  store: ['core', 'node:'],
  http: ['core', 'node:'],
  operations: ['core', 'store', 'node:crypto', 'node:module', 'typebox'],
  api: ['core', 'operations', 'http', 'typebox'],
  checks: ['core', 'operations', 'api', 'rows', 'typebox', 'node:'],
  docs: ['http', 'node:'],
  reference: ['core', 'store', 'http', 'api', 'docs', 'service.ts', 'node:'],
  console: ['core', 'operations', 'http', 'node:crypto'],
  client: [],
  rows: ['core', 'node:buffer', 'node:crypto', 'node:path', 'papaparse'],
  inspect: ['core', 'rows', 'node:'],
  library: ['core', 'operations', 'api'],
  cli: [
    'core',
    'operations',
    'client',
    'rows',
    'inspect',
    'service.ts',
    'node:',
    'papaparse',
    // A list's options are the parameters of the interface; --json prints its documents.
    'api/documents.ts',
    'api/parameters.ts',
    'api/projects.ts',
    'api/transactions.ts',
    // Files, not data: locks, private files, and what a failure of SQLite means.
    'store/database.ts',
    'store/lock.ts',
    'store/private-files.ts',
  ],
  'service.ts': EVERYTHING_BUT_CLI,
  'index.ts': ['service.ts', ...EVERYTHING_BUT_CLI],
};

/** An import or re-export: only of types, of values, or of values on demand. */
interface Import {
  readonly specifier: string;
  readonly kind: 'type' | 'value' | 'lazy';
}

/** The imports of a file without an arrow, as sentences. `file` is a path relative to src/. */
export function findBrokenArrows(file: string, source: string): string[] {
  const allowed = ARROWS[roomOf(file)];
  if (allowed === undefined) return [`${file}: there is no such room`];
  return listImports(source)
    .map((found) => ({ ...found, target: resolveTarget(file, found.specifier) }))
    .filter(({ target, kind }) => {
      if (roomOf(target) === roomOf(file)) return false;
      const entries =
        kind === 'type' ? allowed.map((entry) => entry.replace(/^type /, '')) : allowed;
      return !entries.some((entry) => covers(entry, target));
    })
    .map(({ target, kind }) => `${file} may not import ${target} (${kind})`);
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

const STATIC = /^(?:import|export)\s+(type\s+)?(?:[\w$\s{},*]+?\s+from\s+)?'([^']+)'/gm;
const DYNAMIC = /(typeof\s+)?\bimport\(\s*'([^']+)'/g;

function listImports(source: string): Import[] {
  const fixed = [...source.matchAll(STATIC)].map(([, type, specifier = '']) => {
    return { specifier, kind: type === undefined ? 'value' : 'type' } as const;
  });
  const onDemand = [...source.matchAll(DYNAMIC)].map(([, type, specifier = '']) => {
    return { specifier, kind: type === undefined ? 'lazy' : 'type' } as const;
  });
  return [...fixed, ...onDemand];
}

function resolveTarget(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return posix.join(posix.dirname(file), specifier);
}

/** The room of a path relative to src/, or the file itself if it is in no room. */
export function roomOf(file: string): string {
  return file.split('/', 1)[0] ?? file;
}

function covers(entry: string, target: string): boolean {
  return target === entry || target.startsWith(entry.endsWith(':') ? entry : `${entry}/`);
}
