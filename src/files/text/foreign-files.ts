/** Detects files that are not CSV, and explains how to export CSV instead. */

import { FileError } from '../problems.ts';

const EXCEL = 'In Excel: File > Save As > CSV UTF-8.';
const BANK = 'Download the statement as CSV from the bank.';
const PROGRAM = 'Export the transactions as CSV there.';
const OTHERS: Readonly<Record<string, string>> = {
  '.ods': 'In LibreOffice: File > Save As > Text CSV.',
  '.numbers': 'In Numbers: File > Export To > CSV.',
  '.pdf': BANK,
  '.zip': 'Unpack it first.',
  '.ofx': BANK,
  '.qfx': BANK,
  '.qif': 'Export CSV instead of QIF.',
  '.gnucash': 'In GnuCash: File > Export > Export Transactions to CSV.',
  '.kmy': 'In KMyMoney: File > Export > CSV.',
  '.skg': 'In Skrooge: File > Export, with the ending .csv.',
};

/** How to get a CSV instead of a file with this name; undefined for an unknown ending. */
export function adviseByName(name: string): string | undefined {
  const ending = /\.[^.]*$/.exec(name)?.[0].toLowerCase() ?? '';
  return /^\.xl[st][xmb]?$/.test(ending) ? EXCEL : OTHERS[ending];
}

/** A dated line, and below it an account, further to the right. */
const JOURNAL =
  /^\d{4}([-/.])\d{1,2}\1\d{1,2}(?:=\S+)? [^\n]+\n[ \t]+[\p{L}\x80-\xff]+:[^,;|\t\n]+(?:\s|$)/mu;

/** What files of other kinds begin with, after any mark and white space, the surest first. */
const SIGNATURES: readonly (readonly [begin: string | RegExp, what: string])[] = [
  ['PK\x03\x04', `it is an Excel file or a ZIP archive, not CSV. ${EXCEL}`],
  ['\xd0\xcf\x11\xe0', `it is an Excel file, not CSV. ${EXCEL}`],
  ['%PDF', `it is a PDF, not CSV. ${BANK}`],
  [
    '\x1f\x8b',
    'it is compressed with gzip, as the own files of GnuCash and KMyMoney are. If it comes from ' +
      `such a program: ${PROGRAM} Otherwise unpack it first.`,
  ],
  ['SQLite format 3\0', `it is a program's own file, a database, not CSV. ${PROGRAM}`],
  [/^!(?:Type|Account|Option|Clear)\b/i, 'it is a QIF file, not CSV. Export CSV instead of QIF.'],
  [
    /^!(?:TRNS|HDR|ACCNT)\t/,
    'it is an IIF file of QuickBooks, not CSV. Export a report of the transactions as CSV there.',
  ],
  [
    JOURNAL,
    'it is a journal in plain text, as hledger, Ledger and Beancount have, not CSV. Write its ' +
      'bank account as CSV, as `hledger register ACCOUNT -O csv` does.',
  ],
  [/^(?:OFXHEADER:|<OFX>|<\?OFX)|^<\?xml[^>]*>\s*<\?OFX/i, `it is an OFX file, not CSV. ${BANK}`],
  [/^(?:\{1:[FA]\d\d|:20:)/, `it is an MT940 statement, not CSV. ${BANK}`],
  [/^<\?xml[^>]*>.*<gnc-v2/s, `it is GnuCash's own file, not CSV. ${OTHERS['.gnucash']}`],
  [/^<\?xml[^>]*>.*<KMYMONEY-FILE/s, `it is KMyMoney's own file, not CSV. ${OTHERS['.kmy']}`],
  [/^<.*:camt\.05[234]/s, `it is a CAMT statement, not CSV. ${BANK}`],
  [
    /^<(?:!doctype html|html|head|body|table|meta)\b/i,
    'it is a web page (HTML), whatever its name says. Open it in a spreadsheet program and save ' +
      'it as CSV.',
  ],
  [/^<\?xml/, `it is XML, not CSV. Export it as CSV.`],
];

/** How many bytes say what a file is. */
export const SIGNATURE_BYTES = 512;

/** Refuses a file that begins like another kind of file. Throws FileError. */
export function refuseForeign(head: Buffer): void {
  const begin = head.toString('latin1', 0, SIGNATURE_BYTES).replace(/^(?:\xef\xbb\xbf)?\s*/, '');
  const what = SIGNATURES.find(([signature]) =>
    typeof signature === 'string' ? begin.startsWith(signature) : signature.test(begin),
  )?.[1];
  if (what !== undefined) throw new FileError(what);
}
