/** Tells files by their first bytes, and explains what to do with those that are not read. */

import { FileError } from '../problems.ts';
import { decodeBytes, findMark, findUtf16 } from './encodings.ts';

const EXCEL = 'In Excel: File > Save As > Excel Workbook (.xlsx), or CSV UTF-8.';
const BANK = 'Download the statement as CSV, or in another format, from the bank.';
const PROGRAM = 'Export the transactions as CSV there.';

/** A dated line, and below it, after any comments, an account, further to the right. */
const JOURNAL =
  /^\d{4}([-/.])\d\d?\1\d\d?\S* [^\n]+\n[ \t]+(;[^\n]*\n[ \t]+)*[\p{L}\x80-\xff]+:[^,;|\t\n]+\s/mu;

/** BAI2, and the first record of CODA, CFONB 120 and Norma 43. */
const BAI2 = /^01,[^,\n]*,[^,\n]*,\d{6},\d{4},[^\n]*\n02,/;
const FIXED = /^(?:0{5}\d{9}05|01\d{5} {4}\d{5}[A-Z]{3}\d|11\d{30}[12]\d{17})/;

const OFX = /^(?:OFXHEADER|<OFX>|<\?OFX)|^<\?xml[^>]*>\s*(?:<!--(?:(?!-->).)*-->\s*)*<\??OFX/is;
const CAMT = /^<.*(?:\bcamt\.05[234]\b|<(?:\w+:)?BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)>)/s;
/** Two tags of SWIFT at the beginning of a line; before the first one some banks write a head. */
const MT940 = /(?:^|[^ -~]|\{4:\s*):20:[^\r\n]*[\r\n](?:[\s\S]*[\r\n])?:(?:25P?|28C?|60[FM]):/;

/** The kinds of files that are read as tables. */
export type FileKind = 'ofx' | 'camt' | 'mt940' | 'zip';

/** What is a table is never read as a text: only a pipe, or another format, comes here. */
const NAMED = 'It is read from a file, not from a pipe or as JSON.';

/**
 * What files of other kinds begin with, after any mark and white space, the surest first: those
 * that are read as tables by their kind.
 */
const SIGNATURES: readonly (readonly [begin: RegExp | string, what: string, kind?: FileKind])[] = [
  [/^PK[^ -~]{2}/, `it is an Excel file or a ZIP archive. ${NAMED}`, 'zip'],
  [
    '\xd0\xcf\x11\xe0',
    `it is an older Excel file, or one with a password, which budgetd does not read. ${EXCEL}`,
  ],
  ['%PDF', `it is a PDF, not CSV. ${BANK}`],
  ['{\\rtf', `it is an RTF document, as word processors write, not CSV. ${BANK}`],
  [
    '\x1f\x8b',
    'it is compressed with gzip, like the files of GnuCash and KMyMoney. If it comes from such a ' +
      `program: ${PROGRAM} Otherwise unpack it first.`,
  ],
  [/^SQLite format 3\0|^SKROOGE_/, `it is a program's own file, a database, not CSV. ${PROGRAM}`],
  [/^!(?:Type|Account|Option|Clear)\b/i, 'it is a QIF file, not CSV. Export CSV instead of QIF.'],
  [BAI2, `it is a BAI2 file, not CSV. ${BANK}`],
  [FIXED, `it is a statement in CODA, CFONB 120 or Norma 43, not CSV. ${BANK}`],
  [
    /^!(?:TRNS|HDR|ACCNT)\t/,
    'it is an IIF file of QuickBooks, not CSV. Export a report of the transactions as CSV there.',
  ],
  [
    JOURNAL,
    'it is a journal in plain text, as hledger, Ledger and Beancount have, not CSV. Write its ' +
      'bank account as CSV, as `hledger register ACCOUNT -O csv` does.',
  ],
  [OFX, `it is an OFX file. ${NAMED}`, 'ofx'],
  [CAMT, `it is a CAMT statement. ${NAMED}`, 'camt'],
  [MT940, `it is an MT940 statement. ${NAMED}`, 'mt940'],
  [
    /^<\?xml[^>]*>.*<gnc-v2/s,
    `it is GnuCash's own file, not CSV. In GnuCash: File > Export > Export Transactions to CSV.`,
  ],
  [/^<.*<KMYMONEY-FILE/s, `it is KMyMoney's own file, not CSV. In KMyMoney: File > Export > CSV.`],
  [
    /^<(?:\?xml.*<\?mso-application|.*urn:schemas-microsoft-com:office:spreadsheet)/s,
    `it is Excel 2003 XML, whatever its name says. ${EXCEL}`,
  ],
  [
    /^<(?:!doctype html|html|head|body|table|meta)\b/i,
    'it is a web page (HTML), whatever its name says. Open it in a spreadsheet program and save ' +
      'it as CSV.',
  ],
  [/^<(?:\?xml|!doctype)/i, `it is XML, not CSV. ${PROGRAM}`],
];

/** How many bytes say what a file is. */
export const SIGNATURE_BYTES = 2048;

/** What a file is that begins with these bytes; undefined for a text. */
export function kindOf(head: Buffer): FileKind | undefined {
  const begin = beginOf(head);
  return SIGNATURES.find(([sign, , kind]) => kind !== undefined && begins(begin, sign))?.[2];
}

/** Refuses a file that begins like another kind of file. Throws FileError. */
export function refuseForeign(head: Buffer): void {
  const begin = beginOf(head);
  const what = SIGNATURES.find(([sign]) => begins(begin, sign))?.[1];
  if (what !== undefined) throw new FileError(what);
}

function begins(text: string, sign: RegExp | string): boolean {
  return typeof sign === 'string' ? text.startsWith(sign) : sign.test(text);
}

/** Two ASCII characters in UTF-16. */
const WIDE = /^(?:[\t-~]\0[\t-~]\0|\0[\t-~]\0[\t-~])/;

function beginOf(head: Buffer): string {
  const own = head.subarray(0, SIGNATURE_BYTES);
  const plain = own.toString('latin1');
  const found = WIDE.test(plain) ? findUtf16(own) : undefined;
  const encoding = findMark(own)?.encoding ?? found ?? 'utf-8';
  const wide =
    encoding === 'utf-8' ? undefined : decodeBytes(own.subarray(0, own.length & ~1), encoding);
  return (wide ?? plain).replace(/^(?:\ufeff|\xef\xbb\xbf)?\s*/, '');
}
