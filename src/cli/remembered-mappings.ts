/** Finds the mapping that an earlier file with the same columns was read with. */

import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { Failure } from '../core/failures.ts';
import type { FileSource, Mapping } from '../files/index.ts';
import { loadTables, MappingError, readMapping, storedFile } from '../files/index.ts';
import { readBounded, SMALL_BYTES } from './bounded.ts';

/** A mapping, and the path of its file. */
interface Remembered {
  readonly path: string;
  readonly mapping: Mapping;
}

/** How the names of mapping files end that `csv inspect` writes beside a file. */
const ENDING = '.map.json';

/** Where `csv inspect` writes the mapping of a file. */
export function mapPathBeside(path: string): string {
  return `${path.slice(0, path.length - extname(path).length)}${ENDING}`;
}

/**
 * The mapping for a file with exactly these columns: the file's own, or the only one; several that
 * say the same are one. It is searched in `folder`, by default among the mappings beside the file.
 */
export async function findRemembered(
  path: string,
  { cwd, folder }: { readonly cwd: string; readonly folder?: string | undefined },
  source: FileSource = storedFile(resolve(cwd, path)),
): Promise<Remembered | undefined> {
  const place = folder ?? dirname(path);
  const names = readdirSync(resolve(cwd, place))
    .filter((name) => name.endsWith(folder === undefined ? ENDING : '.json'))
    .sort();
  const { hasHeaderOf } = await loadTables();
  const found: Remembered[] = [];
  for (const name of names) {
    const mapping = await readQuietly(resolve(cwd, place, name));
    if (mapping === undefined || !(await hasHeaderOf(source, mapping))) continue;
    found.push({ path: join(place, name), mapping });
  }
  const own = found.find((each) => basename(each.path) === basename(mapPathBeside(path)));
  const plain = found.map(({ mapping }) => JSON.stringify({ ...mapping, rests: undefined }));
  // Of mappings that say the same, the one with the most answers of a person comes first.
  const [first] = found.sort((one, other) => countRests(one) - countRests(other));
  return own ?? (new Set(plain).size === 1 ? first : undefined);
}

function countRests({ mapping: { rests = [] } }: Remembered): number {
  return rests.length;
}

/** The mapping in a file; undefined for a file of another kind, which may well be there. */
async function readQuietly(path: string): Promise<Mapping | undefined> {
  try {
    if (!statSync(path).isFile()) return undefined;
    return await readMapping(JSON.parse(readBounded(path, SMALL_BYTES).toString()));
  } catch (error) {
    const isOther = [SyntaxError, MappingError, Failure].some((each) => error instanceof each);
    if (isOther) return undefined;
    throw error;
  }
}
