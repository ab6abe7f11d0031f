/**
 * A request in four languages, each a whole program: the key comes from the environment, a refusal
 * ends it with the reason, and a list is read to its end. The tests run them.
 */

import type { Language } from './highlight.ts';
import { toCurl } from './sample-curl.ts';
import { toNode } from './sample-node.ts';
import { toPowerShell } from './sample-powershell.ts';
import { toPython } from './sample-python.ts';

/** A request to show. */
export interface SampleRequest {
  /** `page`: a list with a cursor; `push`: a body of rows; `document`: all else. */
  readonly kind: 'document' | 'page' | 'push';
  /** With its identifiers filled in. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly isKeyed: boolean;
  /** Of a push only. */
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
  return [
    {
      language: 'curl',
      title: 'curl',
      note: 'In a POSIX shell.',
      code: toCurl(request),
    },
    {
      language: 'powershell',
      title: 'PowerShell',
      note: 'Windows PowerShell 5.1 or PowerShell 7.',
      code: toPowerShell(request),
    },
    {
      language: 'python',
      title: 'Python',
      note: 'Python 3.8 or later, with its standard library alone.',
      code: toPython(request),
    },
    {
      language: 'node',
      title: 'Node',
      note: 'Node 18 or later, in a file that ends in .mjs.',
      code: toNode(request),
    },
  ];
}
