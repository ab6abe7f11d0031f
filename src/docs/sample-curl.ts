/** Samples for curl. */

import { ADDRESS } from './address.ts';
import { linesOf, queryText, rowsText } from './sample-text.ts';
import type { SampleRequest } from './samples.ts';

/** One request; for a list, its first page. */
export function toCurl({ kind, path, query, isKeyed, rows }: SampleRequest): string {
  const url = `curl -sS "${ADDRESS}${path}${queryText(query)}"`;
  if (!isKeyed) return url;
  const key = '  -H "Authorization: Bearer $BUDGETD_KEY"';
  if (kind !== 'push') return linesOf(`${url} \\`, key);
  const write = (name: string, value: unknown) => `"${name}": ${JSON.stringify(value)}`;
  return linesOf(
    `${url} \\`,
    `${key} \\`,
    '  -H "Content-Type: application/json" \\',
    "  --data-binary @- <<'JSON'",
    '{ "rows": [',
    rowsText(rows, ['{', '}'], write),
    '] }',
    'JSON',
  );
}
