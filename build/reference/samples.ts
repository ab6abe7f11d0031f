/**
 * A request in five languages. Each sample is a complete program: it reads the key from the
 * environment, exits with the reason when it is refused, and reads every page of a list. The tests
 * run the samples.
 *
 * The programs are in `samples/`. A line `@page` begins a part that only a list has, up to the next
 * such line; the part after `@document keyed` is for a document that needs a key. The path of the
 * request replaces `«path»`.
 */

import { readFileSync } from 'node:fs';
import { ADDRESS } from '../../src/docs/routes.ts';
import type { Language } from './highlight.ts';

/** A request to show. */
export interface SampleRequest {
  /** `page`: a list with a cursor; `push`: a body of rows; `document`: everything else. */
  readonly kind: 'document' | 'page' | 'push';
  /** With the identifiers filled in. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Whether it needs a key. Only a document can do without. */
  readonly isKeyed: boolean;
  /** Empty except for a push. */
  readonly rows: readonly Row[];
}

/** A row to push: texts and numbers by name. */
export type Row = Readonly<Record<string, Value>>;

type Value = string | number | null;

/** A program in one language. */
export interface Sample {
  readonly language: Language;
  readonly title: string;
  /** What it needs. */
  readonly note: string;
  readonly code: string;
}

/** How a language writes values. */
interface Syntax extends Omit<Sample, 'code'> {
  /** Around the members of a row. */
  readonly brackets: readonly [open: string, close: string];
  /** Between the members of a row; a comma by default. */
  readonly separator?: string;
  member(name: string, value: Value): string;
  /** Around the parameters of a list; nothing by default. */
  readonly parameters?: readonly [open: string, close: string];
}

const LANGUAGES: readonly Syntax[] = [
  {
    language: 'curl',
    title: 'curl',
    note: 'For a POSIX shell.',
    brackets: ['{', '}'],
    member: (name, value) => `"${name}": ${JSON.stringify(value)}`,
  },
  {
    language: 'powershell',
    title: 'PowerShell',
    note: 'For Windows PowerShell 5.1 and PowerShell 7.',
    brackets: ['@{', '}'],
    separator: '',
    // Inside single quotation marks, only the quotation mark is special.
    member: (name, value) => {
      const text = typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : value;
      return `${name} = ${text ?? '$null'}`;
    },
  },
  {
    language: 'python',
    title: 'Python',
    note: 'For Python 3.8 or later. Uses only the standard library.',
    brackets: ['{', '}'],
    member: (name, value) => `"${name}": ${value === null ? 'None' : JSON.stringify(value)}`,
  },
  {
    language: 'node',
    title: 'Node',
    note: 'For Node 18 or later. Save it as a .mjs file.',
    brackets: ['{', '}'],
    // The same escapes as in JSON.
    member: (name, value) => {
      const text = JSON.stringify(value);
      if (typeof value !== 'string') return `${name}: ${text}`;
      return `${name}: '${text.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
    },
    parameters: ['{ ', ' }'],
  },
  {
    language: 'csharp',
    title: 'C#',
    note: 'For .NET 8 or later: Program.cs of a console project. No packages needed.',
    brackets: ['new {', '}'],
    // The same escapes as in JSON. Decimals are exact.
    member: (name, value) => {
      const text = typeof value === 'number' ? `${value}m` : JSON.stringify(value);
      return `${name} = ${value === null ? '(string?)null' : text}`;
    },
  },
];

/** The request in every language. */
export function buildSamples(request: SampleRequest): Sample[] {
  return LANGUAGES.map((syntax) => {
    const { language, title, note } = syntax;
    return { language, title, note, code: writeSample(request, syntax) };
  });
}

/** How a program gets the key, and the same with the key in it. */
const KEY_READS: readonly (readonly [Language, read: RegExp, key: string])[] = [
  ['curl', /\$BUDGETD_KEY/, '«key»'],
  ['powershell', /\$env:BUDGETD_KEY/, '«key»'],
  ['python', /" \+ os\.environ\["BUDGETD_KEY"\]/, '«key»"'],
];

/** A push that is only checked, with `«key»` and `«address»` for whoever shows it to fill in. */
export function buildKeySamples(): Sample[] {
  const samples = buildSamples({
    kind: 'push',
    path: '/api/v1/transactions',
    query: { dryRun: 'true' },
    isKeyed: true,
    rows: [{ externalId: 'TEST-1', date: '2026-01-31', description: 'Rent', amount: 1250.5 }],
  });
  return KEY_READS.flatMap(([language, read, key]) => {
    const sample = samples.find((each) => each.language === language);
    if (sample === undefined || !read.test(sample.code)) throw new Error(`no key in ${language}`);
    const code = sample.code.replace(read, key).replace('import os\n', '');
    return [{ ...sample, code: code.replace(ADDRESS, '«address»') }];
  });
}

// Compiled, this file is in dist/build/reference.
const TEMPLATES = new URL('../../../build/reference/samples/', import.meta.url);

function writeSample({ kind, path, query, isKeyed, rows }: SampleRequest, syntax: Syntax): string {
  const holds = new Set(['all', kind, isKeyed ? 'keyed' : 'open']);
  if (kind !== 'page') holds.add('one');
  const template = readFileSync(new URL(`${syntax.language}.txt`, TEMPLATES), 'utf8');
  const [, ...parts] = template.split(/^@(.+)\n/m);
  const shown = parts.filter((_, at) => {
    return at % 2 === 1 && parts[at - 1]?.split(' ').every((word) => holds.has(word));
  });
  const isEmpty = Object.keys(query).length === 0;
  const values: Readonly<Record<string, string>> = {
    address: ADDRESS,
    path,
    query: isEmpty ? '' : `?${new URLSearchParams(query)}`.replaceAll('%2C', ','),
    and: isEmpty ? '?' : '&',
    members: writeParameters(query, syntax),
    rows: rows.map((row) => writeRow(row, syntax)).join(',\n'),
  };
  const code = shown.join('').replace(/«(\w+)»/g, (_, name) => values[name] ?? '');
  return code.trimEnd();
}

function writeParameters(query: SampleRequest['query'], { member, parameters }: Syntax): string {
  const [open, close] = parameters ?? ['', ''];
  const members = Object.entries(query).map(([name, value]) => member(name, value));
  return members.length === 0 ? '' : `${open}${members.join(', ')}${close}`;
}

function writeRow(row: Row, { brackets, separator = ',', member }: Syntax): string {
  const [open, close] = brackets;
  const members = Object.entries(row).map(([name, value]) => `    ${member(name, value)}`);
  return `  ${open}\n${members.join(`${separator}\n`)}\n  ${close}`;
}
