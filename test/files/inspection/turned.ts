/** Turns a sample as another program would write the same payments. */

import { columnsOf, type Mapping, ruleOf } from '../../../src/files/mapping/mapping.ts';
import type { Entry } from '../../../src/files/reading/rows.ts';
import { bytesOf, type Dialect } from './dialects/dialect.ts';

/** What is turned: the signs, the order of day and month, or the decimal mark. */
export const TURNS = ['signs', 'days', 'decimals'] as const;
export type Turn = (typeof TURNS)[number];

/** What a sample became; undefined if it cannot be turned. */
export function turn(
  dialect: Dialect,
  mapping: Mapping,
  entries: readonly Entry[],
  what: Turn,
): Buffer | undefined {
  const rows = entries.filter(({ row }) => row !== undefined);
  const names = mapping.header ?? [];
  const indexOf = (name: string) => {
    const at = names.indexOf(name);
    return at < 0 ? Number(/^#(\d+)$/.exec(name)?.[1] ?? 0) - 1 : at;
  };
  const amount = ruleOf(mapping, 'amount');
  if (what === 'signs' && amount.indicator !== undefined) return undefined;
  const columns = columnsOf(mapping, what === 'days' ? 'date' : 'amount').map(indexOf);
  const dates = columnsOf(mapping, 'date').map(indexOf);
  const isDate = (at: number) => dates.includes(at);
  const lines = [...dialect.lines];
  let isChanged = false;
  for (const { line, original } of rows) {
    if (!('fields' in original) || 'below' in original) return undefined;
    const own = lines[line - 1] ?? '';
    if (own.split('"').length % 2 === 0) return undefined;
    const fields = [...original.fields];
    if (what === 'signs' && amount.out !== undefined) {
      const [out = 0, into = 0] = columns;
      [fields[out], fields[into]] = [fields[into] ?? '', fields[out] ?? ''];
    } else if (what === 'decimals') {
      for (const [at, field] of fields.entries()) {
        if (isDate(at) || !/^[^\p{L}\d]*\d[\d.,\s]*[^\p{L}\d]*$/u.test(field)) continue;
        fields[at] = TURN.decimals(field, mapping);
      }
    } else {
      for (const at of columns) fields[at] = TURN[what](fields[at] ?? '', mapping);
    }
    isChanged ||= fields.some((field, at) => field !== original.fields[at]);
    lines[line - 1] = join(fields, mapping.delimiter ?? ',');
  }
  return isChanged ? bytesOf({ ...dialect, lines }) : undefined;
}

const TURN: Readonly<Record<Turn, (cell: string, mapping: Mapping) => string>> = {
  signs: (cell) => {
    if (!/[1-9]/.test(cell)) return cell;
    if (/^\s*\(.*\)\s*$/.test(cell)) return cell.replace(/[()]/g, '');
    if (/[-\u2212\u2013]/.test(cell)) return cell.replace(/[-\u2212\u2013]/, '');
    return cell.replace(/\+?(?=\D*\d)/, '-');
  },
  days: (cell, mapping) => {
    const format = ruleOf(mapping, 'date').format ?? '';
    if (!/^(?:DD?\WMM?|MM?\WDD?)\b/.test(format)) return cell;
    return cell.replace(/^(\s*'?)(\d+)(\D)(\d+)/, '$1$4$3$2');
  },
  decimals: (cell) => cell.replace(/[.,](?=\d)/g, (mark) => (mark === '.' ? ',' : '.')),
};

function join(fields: readonly string[], delimiter: string): string {
  const sign = delimiter === 'tab' ? '\t' : delimiter;
  const quote = (field: string) => `"${field.replaceAll('"', '""')}"`;
  return fields
    .map((each) => (/["\r\n]/.test(each) || each.includes(sign) ? quote(each) : each))
    .join(sign);
}
