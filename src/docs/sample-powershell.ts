/**
 * Samples for PowerShell 5.1 and 7. The body is sent as bytes, because 5.1 encodes a string as
 * ISO-8859-1.
 */

import { ADDRESS } from './address.ts';
import { isEmpty, linesOf, queryText, rowsText } from './sample-text.ts';
import type { SampleRequest } from './samples.ts';

const KEY = '$headers = @{ Authorization = "Bearer $env:BUDGETD_KEY" }';
/** Both versions have the body of a refusal in ErrorDetails. Without an answer it is empty. */
const REFUSED = linesOf(
  '} catch {',
  '  if ($_.ErrorDetails) { Write-Warning $_.ErrorDetails.Message }',
  '  throw',
  '}',
);

/** A script that prints a document, every item of a list, or the results of a push. */
export function toPowerShell(request: SampleRequest): string {
  const { kind, isKeyed } = request;
  const head = linesOf(`$address = '${ADDRESS}'`, isKeyed && KEY);
  if (kind === 'push') return linesOf(head, push(request));
  return linesOf(head, kind === 'page' ? pages(request) : document(request));
}

function document({ path, query, isKeyed }: SampleRequest): string {
  return linesOf(
    `$uri = "$address${path}${queryText(query)}"`,
    '',
    'try {',
    `  $document = Invoke-RestMethod -Uri $uri${options(isKeyed)}`,
    REFUSED,
    'ConvertTo-Json -InputObject $document -Depth 10',
  );
}

function pages({ path, query, isKeyed }: SampleRequest): string {
  return linesOf(
    `$uri = "$address${path}${queryText(query)}"`,
    "$cursor = ''",
    '',
    'try {',
    '  do {',
    `    $page = Invoke-RestMethod -Uri "$uri$cursor"${options(isKeyed)}`,
    '    foreach ($item in $page.data) { ConvertTo-Json -InputObject $item -Depth 10 -Compress }',
    `    $cursor = '${isEmpty(query) ? '?' : '&'}cursor=' + $page.meta.nextCursor`,
    '  } while ($page.meta.nextCursor)',
    REFUSED,
  );
}

function push({ path, query, rows }: SampleRequest): string {
  const write = (name: string, value: string | number | null) => `${name} = ${quote(value)}`;
  return linesOf(
    `$uri = "$address${path}${queryText(query)}"`,
    '$rows = @(',
    rowsText(rows, ['@{', '}'], write, ''),
    ')',
    '',
    '# Windows PowerShell 5.1 does not send strings as UTF-8, so send bytes.',
    '$json = ConvertTo-Json -InputObject @{ rows = $rows } -Depth 5',
    '$body = [System.Text.Encoding]::UTF8.GetBytes($json)',
    'try {',
    `  $answer = Invoke-RestMethod -Method Post -Uri $uri${options(true)} \``,
    "    -ContentType 'application/json' -Body $body",
    REFUSED,
    'foreach ($result in $answer.data) { ConvertTo-Json -InputObject $result -Depth 10 -Compress }',
  );
}

function options(isKeyed: boolean): string {
  return isKeyed ? ' -Headers $headers' : '';
}

/** Inside single quotation marks, only the quotation mark is special. */
function quote(value: string | number | null): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return value === null ? '$null' : String(value);
}
