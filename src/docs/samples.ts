/**
 * A request in five languages. Each sample is a complete program: it reads the key from the
 * environment, exits with the reason when it is refused, and reads every page of a list. The tests
 * run the samples.
 */

import type { Language } from './highlight.ts';
import { toCSharp } from './sample-csharp.ts';
import { toCurl } from './sample-curl.ts';
import { toNode } from './sample-node.ts';
import { toPowerShell } from './sample-powershell.ts';
import { toPython } from './sample-python.ts';

/** A request to show. */
export interface SampleRequest {
  /** `page`: a list with a cursor; `push`: a body of rows; `document`: everything else. */
  readonly kind: 'document' | 'page' | 'push';
  /** With the identifiers filled in. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly isKeyed: boolean;
  /** Empty except for a push. */
  readonly rows: readonly Row[];
}

/** A row to push: texts and numbers by name. */
export type Row = Readonly<Record<string, string | number | null>>;

/** A program in one language. */
export interface Sample {
  readonly language: Language;
  readonly title: string;
  /** What it needs. */
  readonly note: string;
  readonly code: string;
}

/** The request in every language. */
export function buildSamples(request: SampleRequest): Sample[] {
  return LANGUAGES.map(({ write, ...sample }) => ({ ...sample, code: write(request) }));
}

const LANGUAGES: readonly (Omit<Sample, 'code'> & { write(request: SampleRequest): string })[] = [
  { language: 'curl', title: 'curl', note: 'For a POSIX shell.', write: toCurl },
  {
    language: 'powershell',
    title: 'PowerShell',
    note: 'For Windows PowerShell 5.1 and PowerShell 7.',
    write: toPowerShell,
  },
  {
    language: 'python',
    title: 'Python',
    note: 'For Python 3.8 or later. Uses only the standard library.',
    write: toPython,
  },
  {
    language: 'node',
    title: 'Node',
    note: 'For Node 18 or later. Save it as a .mjs file.',
    write: toNode,
  },
  {
    language: 'csharp',
    title: 'C#',
    note: 'For .NET 8 or later: Program.cs of a console project. No packages needed.',
    write: toCSharp,
  },
];
