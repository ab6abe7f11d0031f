/** How SQLite searches texts in any case: the condition, and the values that it compares with. */

import { ROW_MEMBERS } from '../core/row-members.ts';
import { foldText, type TextCondition } from '../core/rules.ts';
import { foldCase } from '../core/text.ts';
import type { SqlValue } from '../database/statements.ts';

/**
 * SQLite itself finds a part of short texts that are all ASCII, which takes less time than calling
 * a function for each record. How much there is of longer ones is counted by the function.
 */
export function searchCondition(
  at: string,
  description: string,
  ...columns: readonly string[]
): string {
  const all = [description, ...columns];
  const isPlain = all.map((column) => `octet_length(${column}) is length(${column})`);
  const isIn = all.map((column) => `${column} like @like${at} escape '\\'`);
  return (
    `case when ${isPlain.join(' and ')} and ifnull(octet_length(${description}), 0) <= 200 ` +
    `then ${isIn.join(' or ')} else contains_folded(@search${at}, ${all.join(', ')}) end`
  );
}

export function addSearch(
  values: Record<string, SqlValue | undefined>,
  text: string,
  at: string,
): void {
  const folded = foldCase(text);
  values[`search${at}`] = folded;
  // SQLite refuses long patterns. Texts are shorter than this one, so it matches none either. It
  // reads patterns up to a NUL; no text contains that or the character in its place.
  const part = folded.slice(0, ROW_MEMBERS.description.most + 1).replaceAll('\0', '\u0001');
  values[`like${at}`] = `%${escapeLike(part)}%`;
}

/**
 * Whether a column fits a condition of a rule. SQLite finds most of the others by the words in
 * their order, which takes less time than calling a function. What is not ASCII can fold to them.
 */
export function textCondition(at: string, column: string): string {
  return (
    `(${column} like @loose${at} escape '\\' or octet_length(${column}) <> length(${column})) ` +
    `and folded_text(${column}) like @text${at} escape '\\'`
  );
}

export function addText(
  values: Record<string, SqlValue | undefined>,
  { is, contains = '' }: TextCondition,
  at: string,
): void {
  const text = escapeLike(foldText(is ?? contains));
  const like = is === undefined ? `%${text}%` : text;
  values[`text${at}`] = like;
  values[`loose${at}`] = like.replaceAll(' ', '%');
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
