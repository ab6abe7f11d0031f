/** Samples for Python, with the standard library only. */

import { ADDRESS } from './address.ts';
import { linesOf, queryText, rowsText } from './sample-text.ts';
import type { SampleRequest } from './samples.ts';

const KEY = 'headers = {"Authorization": "Bearer " + os.environ["BUDGETD_KEY"]}';

/** A program that prints a document, every item of a list, or the results of a push. */
export function toPython(request: SampleRequest): string {
  const { kind, isKeyed } = request;
  const head = linesOf(
    'import json',
    isKeyed && 'import os',
    'import sys',
    'import urllib.error',
    kind === 'page' && 'import urllib.parse',
    'import urllib.request',
    '',
    `address = "${ADDRESS}"`,
    isKeyed && KEY,
  );
  if (kind === 'push') return linesOf(head, push(request));
  return linesOf(head, kind === 'page' ? pages(request) : document(request));
}

function document({ path, query, isKeyed }: SampleRequest): string {
  return linesOf(
    `url = address + "${path}${queryText(query)}"`,
    '',
    ask('document', isKeyed ? 'url, headers=headers' : 'url'),
    'print(json.dumps(document, indent=2))',
  );
}

function pages({ path, query, isKeyed }: SampleRequest): string {
  const members = Object.entries(query).map(([name, value]) => `"${name}": ${quote(value)}`);
  const asked = ask('page', isKeyed ? 'url, headers=headers' : 'url');
  return linesOf(
    `query = {${members.join(', ')}}`,
    '',
    'while True:',
    `    url = address + "${path}?" + urllib.parse.urlencode(query)`,
    asked.replace(/^/gm, '    '),
    '    for item in page["data"]:',
    '        print(json.dumps(item))',
    '    if not page["meta"]["nextCursor"]:',
    '        break',
    '    query["cursor"] = page["meta"]["nextCursor"]',
  );
}

function push({ path, query, rows }: SampleRequest): string {
  return linesOf(
    'headers["Content-Type"] = "application/json"',
    `url = address + "${path}${queryText(query)}"`,
    'rows = [',
    `${rowsText(rows, ['{', '}'], (name, value) => `"${name}": ${quote(value)}`)},`,
    ']',
    '',
    'body = json.dumps({"rows": rows}).encode("utf-8")',
    ask('answer', 'url, data=body, headers=headers'),
    'for result in answer["data"]:',
    '    print(json.dumps(result))',
  );
}

/** Sends the request. Exits with the reason when it is refused. */
function ask(name: string, request: string): string {
  return linesOf(
    `request = urllib.request.Request(${request})`,
    'try:',
    '    with urllib.request.urlopen(request, timeout=30) as response:',
    `        ${name} = json.load(response)`,
    'except urllib.error.HTTPError as error:',
    '    sys.exit(error.read().decode("utf-8"))',
  );
}

/** Python writes strings and numbers as JSON does. */
function quote(value: string | number | null): string {
  return value === null ? 'None' : JSON.stringify(value);
}
