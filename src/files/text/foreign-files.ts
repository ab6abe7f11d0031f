/** Detects files that are not CSV, and explains how to export CSV instead. */

import { FileError } from '../problems.ts';

const EXCEL = 'In Excel: File > Save As > CSV UTF-8.';
const OTHERS: Readonly<Record<string, string>> = {
  '.ods': 'In LibreOffice: File > Save As > Text CSV.',
  '.numbers': 'In Numbers: File > Export To > CSV.',
  '.pdf': 'Download the statement as CSV from the bank.',
  '.zip': 'Unpack it first.',
};

/** How to get a CSV instead of a file with this name; undefined for an unknown ending. */
export function adviseByName(name: string): string | undefined {
  const ending = /\.[^.]*$/.exec(name)?.[0].toLowerCase() ?? '';
  return /^\.xl[st][xmb]?$/.test(ending) ? EXCEL : OTHERS[ending];
}

const SIGNATURES: readonly (readonly [begin: string, what: string])[] = [
  ['PK\x03\x04', `it is an Excel file or a ZIP archive, not CSV. ${EXCEL}`],
  ['\xd0\xcf\x11\xe0', `it is an Excel file, not CSV. ${EXCEL}`],
  ['%PDF', `it is a PDF, not CSV. ${OTHERS['.pdf']}`],
  ['\x1f\x8b', 'it is compressed with gzip. Unpack it first.'],
];

/** Refuses a file that begins with the bytes of another kind of file. Throws FileError. */
export function refuseForeign(head: Buffer): void {
  const begin = head.toString('latin1', 0, 4);
  const what = SIGNATURES.find(([signature]) => begin.startsWith(signature))?.[1];
  if (what !== undefined) throw new FileError(what);
}
