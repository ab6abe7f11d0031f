/** Reads a file with the mapping of an earlier one, instead of working out a mapping. */

import type { Mapping } from '../mapping/mapping.ts';
import { FileError } from '../problems.ts';
import type { Source } from '../text/text.ts';
import { collectAnswers } from './answers.ts';
import { checkFile } from './check.ts';
import { inspectEncoding } from './encoding.ts';
import { isAsked } from './found.ts';
import type { Inspection } from './inspect.ts';
import { inspectLayout } from './layout.ts';

/** The share of rows that a remembered mapping may reject: more show that it is another file. */
const REJECTED_SHARE = 0.05;

/** What a mapping does with a file; undefined if it was made for another kind of file. */
export async function inspectWith(
  source: Source,
  mapping: Mapping,
): Promise<Inspection | undefined> {
  try {
    const check = await checkFile(source, mapping);
    const { rows, refusedCount, isOfRejected } = check;
    const isFew = rows > 0 && refusedCount <= (rows + refusedCount) * REJECTED_SHARE;
    // Rejected rows are of the file that the mapping was made for, corrected or not.
    if (!isFew && !isOfRejected) return undefined;
    return { name: source.name, questions: [], mapping, check };
  } catch (error) {
    // It has the same header in another encoding.
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** The names of a file's columns; undefined if it has none, or if a question comes before them. */
export async function readNames(source: Source): Promise<readonly string[] | undefined> {
  const answers = collectAnswers([]);
  const encoding = await inspectEncoding(source, answers);
  if (isAsked(encoding)) return undefined;
  const layout = await inspectLayout(source, encoding.value, answers);
  return isAsked(layout) || layout.headerLine.value === 0 ? undefined : layout.names;
}
