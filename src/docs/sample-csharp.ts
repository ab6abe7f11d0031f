/** Samples for C#: top-level statements of a .NET 8 console project without packages. */

import { ADDRESS } from './address.ts';
import { isEmpty, linesOf, queryText, rowsText } from './sample-text.ts';
import type { SampleRequest } from './samples.ts';

const CLIENT = 'using var client = new HttpClient();';
const KEY = linesOf(
  'client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(',
  '    "Bearer", Environment.GetEnvironmentVariable("BUDGETD_KEY"));',
);
/** Prints the reason and exits when the request is refused. */
const READ = linesOf(
  'var text = await response.Content.ReadAsStringAsync();',
  'if (!response.IsSuccessStatusCode)',
  '{',
  '    Console.Error.WriteLine(text);',
  '    return 1;',
  '}',
);

/** A program that prints a document, every item of a list, or the results of a push. */
export function toCSharp(request: SampleRequest): string {
  const { kind, isKeyed } = request;
  return linesOf(
    isKeyed && 'using System.Net.Http.Headers;',
    kind === 'push' && 'using System.Net.Http.Json;',
    kind !== 'document' && 'using System.Text.Json;',
    (isKeyed || kind !== 'document') && '',
    `var address = "${ADDRESS}";`,
    CLIENT,
    isKeyed && KEY,
    '',
    kind === 'push' ? push(request) : kind === 'page' ? pages(request) : document(request),
    'return 0;',
  );
}

function document({ path, query }: SampleRequest): string {
  return linesOf(
    `using var response = await client.GetAsync(address + "${path}${queryText(query)}");`,
    READ,
    'Console.WriteLine(text);',
  );
}

function pages({ path, query }: SampleRequest): string {
  return linesOf(
    `var url = address + "${path}${queryText(query)}";`,
    'string? cursor = "";',
    'do',
    '{',
    '    using var response = await client.GetAsync(url + cursor);',
    indented(READ),
    '    using var page = JsonDocument.Parse(text);',
    indented(printItems('page')),
    '    cursor = page.RootElement.GetProperty("meta").GetProperty("nextCursor").GetString();',
    `    if (cursor is not null) cursor = "${isEmpty(query) ? '?' : '&'}cursor=" + cursor;`,
    '}',
    'while (cursor is not null);',
  );
}

function push({ path, query, rows }: SampleRequest): string {
  return linesOf(
    'var rows = new object[]',
    '{',
    rowsText(rows, ['new {', '}'], (name, value) => `${name} = ${quote(value)}`),
    '};',
    '',
    `var url = address + "${path}${queryText(query)}";`,
    'using var response = await client.PostAsJsonAsync(url, new { rows });',
    READ,
    'using var answer = JsonDocument.Parse(text);',
    printItems('answer'),
  );
}

function printItems(name: string): string {
  return linesOf(
    `foreach (var item in ${name}.RootElement.GetProperty("data").EnumerateArray())`,
    '{',
    '    Console.WriteLine(item.GetRawText());',
    '}',
  );
}

function indented(code: string): string {
  return code.replace(/^/gm, '    ');
}

/** C# has the same escapes as JSON. Amounts are decimals, which are exact. */
function quote(value: string | number | null): string {
  if (value === null) return '(string?)null';
  return typeof value === 'number' ? `${value}m` : JSON.stringify(value);
}
