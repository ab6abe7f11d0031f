/** Samples for Node, with the built-in fetch. */

import { ADDRESS } from './address.ts';
import { linesOf, queryText, rowsText } from './sample-text.ts';
import type { SampleRequest } from './samples.ts';

const KEY = `const headers = { Authorization: \`Bearer \${process.env.BUDGETD_KEY}\` };`;

/** A module that prints a document, every item of a list, or the results of a push. */
export function toNode(request: SampleRequest): string {
  const { kind, isKeyed } = request;
  const head = linesOf(`const address = '${ADDRESS}';`, isKeyed && KEY);
  if (kind === 'push') return linesOf(head, push(request));
  return linesOf(head, kind === 'page' ? pages(request) : document(request));
}

function document({ path, query, isKeyed }: SampleRequest): string {
  return linesOf(
    '',
    `const response = await fetch(\`\${address}${path}${queryText(query)}\`${options(isKeyed)});`,
    'const document = await response.json();',
    'if (!response.ok) throw new Error(JSON.stringify(document));',
    'console.log(JSON.stringify(document, null, 2));',
  );
}

function pages({ path, query, isKeyed }: SampleRequest): string {
  const members = Object.entries(query).map(([name, value]) => `${name}: ${quote(value)}`);
  const given = members.length === 0 ? '' : `{ ${members.join(', ')} }`;
  return linesOf(
    `const query = new URLSearchParams(${given});`,
    '',
    'for (;;) {',
    `  const response = await fetch(\`\${address}${path}?\${query}\`${options(isKeyed)});`,
    '  const page = await response.json();',
    '  if (!response.ok) throw new Error(JSON.stringify(page));',
    '  for (const item of page.data) console.log(JSON.stringify(item));',
    '  if (page.meta.nextCursor === null) break;',
    "  query.set('cursor', page.meta.nextCursor);",
    '}',
  );
}

function push({ path, query, rows }: SampleRequest): string {
  const write = (name: string, value: unknown) => {
    return `${name}: ${typeof value === 'string' ? quote(value) : JSON.stringify(value)}`;
  };
  return linesOf(
    "headers['Content-Type'] = 'application/json';",
    'const rows = [',
    `${rowsText(rows, ['{', '}'], write)},`,
    '];',
    '',
    `const response = await fetch(\`\${address}${path}${queryText(query)}\`, {`,
    "  method: 'POST',",
    '  headers,',
    '  body: JSON.stringify({ rows }),',
    '});',
    'const answer = await response.json();',
    'if (!response.ok) throw new Error(JSON.stringify(answer));',
    'for (const result of answer.data) console.log(JSON.stringify(result));',
  );
}

function options(isKeyed: boolean): string {
  return isKeyed ? ', { headers }' : '';
}

/** JavaScript has the same escapes as JSON. */
function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
