/**
 * The encodings that finance systems write: bytes to text, and text to bytes for the file of
 * rejected rows. Windows-1252 has a table because Node 20 decodes 0x80 to 0x9F incorrectly.
 */

import { isAscii, isUtf8 } from 'node:buffer';

/** The encodings that budgetd reads. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1254',
  'windows-1257',
  'iso-8859-2',
  'iso-8859-15',
  'macintosh',
  'ibm850',
  'windows-1251',
  'koi8-r',
  'ibm866',
  'windows-1253',
  'windows-1255',
  'windows-1256',
  'windows-874',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
  'euc-jp',
] as const;
export type Encoding = (typeof ENCODINGS)[number];

const ALIASES: ReadonlyMap<string, Encoding> = new Map(
  Object.entries<Encoding>({
    utf8: 'utf-8',
    'utf-16': 'utf-16le',
    utf16le: 'utf-16le',
    utf16be: 'utf-16be',
    cp1252: 'windows-1252',
    'iso-8859-1': 'windows-1252',
    latin1: 'windows-1252',
    cp1250: 'windows-1250',
    latin2: 'iso-8859-2',
    cp850: 'ibm850',
    cp866: 'ibm866',
    'shift-jis': 'shift_jis',
    cp932: 'shift_jis',
    cp1251: 'windows-1251',
    cp1253: 'windows-1253',
    cp1254: 'windows-1254',
    cp1255: 'windows-1255',
    cp1256: 'windows-1256',
    cp874: 'windows-874',
    cp1257: 'windows-1257',
    gbk: 'gb18030',
    gb2312: 'gb18030',
    cp936: 'gb18030',
    cp950: 'big5',
    cp949: 'euc-kr',
  }),
);

/** Finds an encoding by its name or an alias, in any case. */
export function findEncoding(name: string): Encoding | undefined {
  const plain = name.trim().toLowerCase();
  return ENCODINGS.find((each) => each === plain) ?? ALIASES.get(plain);
}

/** A byte order mark of UTF-8 that another program has converted to UTF-8 once more. */
const TWICE_MARK = Buffer.from('\u00ef\u00bb\u00bf');

/** The byte order mark that a file begins with, if any: its encoding, and its length in bytes. */
export function findMark(
  bytes: Uint8Array,
): { encoding: Encoding; length: number; isTwice?: boolean } | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: 'utf-8', length: 3 };
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', length: 2 };
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', length: 2 };
  const { length } = TWICE_MARK;
  const isTwice = TWICE_MARK.equals(bytes.subarray(0, length));
  return isTwice ? { encoding: 'utf-8', length, isTwice } : undefined;
}

/** The share of zero bytes in UTF-16; low, because letters such as Greek ones have none. */
const UTF16_SHARE = 0.1;

/** UTF-16 without a mark, by its zero bytes; undefined for anything else. */
export function findUtf16(head: Buffer): Encoding | undefined {
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = head.length * UTF16_SHARE;
  if (odd > most && even === 0) return 'utf-16le';
  return even > most && odd === 0 ? 'utf-16be' : undefined;
}

/** The characters from 0x80 on where they are not those of Latin-1; U+FFFD for none. */
const CODE_PAGES: Readonly<Partial<Record<Encoding, string>>> = {
  'windows-1252': '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd' + '\ufffd‘’“”•–—˜™š›œ\ufffdžŸ',
  ibm850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ' +
    'áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
    '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀' +
    'ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
};

/** Decodes whole characters; undefined if the bytes are not valid in the encoding. */
export function decodeBytes(bytes: Buffer, encoding: Encoding): string | undefined {
  if (encoding === 'utf-8') return isUtf8(bytes) ? decodeUtf8(bytes) : undefined;
  const page = CODE_PAGES[encoding];
  if (page !== undefined) return decodeWith(page, bytes);
  if (encoding === 'utf-16be') return decodeBytes(Buffer.from(bytes).swap16(), 'utf-16le');
  if (encoding === 'utf-16le') {
    const text = bytes.toString('utf16le');
    return /\p{Cs}/u.test(text) ? undefined : text;
  }
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    // Bytes that an encoding does not have become controls or private characters.
    return /[\x80-\x9f\p{Co}]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Whether a line is UTF-8, not ASCII, and not just an accident, such as `CAFÉ»`. */
export function isUtf8Line(bytes: Buffer): boolean {
  return !isAscii(bytes) && isUtf8(bytes) && NO_ACCIDENT.test(bytes.toString('utf8'));
}

const NO_ACCIDENT = /[^\0-\x7f].*[^\0-\x7f]|[\xa0-\u024f\u0800-\uffff]/su;

/** What was converted twice begins like UTF-8: a control is only half of it. */
const CONTROLS = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\x80-\x9f]/g;

/** UTF-8 with the characters of Windows-1252 where their numbers were taken for controls. */
function decodeUtf8(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!bytes.includes(0xc2) || !/[\x80-\x9f]/.test(text)) return text;
  return text.replace(CONTROLS, (found) => {
    if (!/[\x80-\x9f]/.test(found)) return found;
    const own = Buffer.from(found, 'latin1');
    if (isUtf8(own)) return own.toString('utf8');
    return (found.length === 1 && decodeBytes(own, 'windows-1252')) || found;
  });
}

/** Decodes bytes with a code page: its characters from 0x80 on. */
export function decodeWith(page: string, bytes: Buffer): string | undefined {
  const own = page.length === 32 ? /[\x80-\x9f]/g : /[\x80-\xff]/g;
  const text = bytes.toString('latin1').replace(own, (character) => {
    return page.charAt(character.charCodeAt(0) - 0x80);
  });
  return text.includes('\ufffd') ? undefined : text;
}

/** The encodings that budgetd writes. */
export type WrittenEncoding = Exclude<Encoding, (typeof ONLY_READ)[number]>;
const ONLY_READ = ['gb18030', 'big5', 'euc-kr', 'euc-jp'] as const;

/** The encoding for a file beside one in this encoding: UTF-8 if budgetd only reads it. */
export function encodingBeside(encoding: Encoding): WrittenEncoding {
  const isRead = (each: Encoding): each is (typeof ONLY_READ)[number] =>
    ONLY_READ.some((only) => only === each);
  return isRead(encoding) ? 'utf-8' : encoding;
}

/** Encodes a text, with `?` for characters that the encoding does not have. */
export function encodeText(text: string, encoding: WrittenEncoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const table = tableOf(encoding);
  const parts: number[] = [];
  for (const character of text) parts.push(...(table.get(character) ?? [0x3f]));
  return Buffer.from(parts);
}

const TABLES = new Map<WrittenEncoding, ReadonlyMap<string, readonly number[]>>();

/** The bytes of every character, found by decoding all bytes and, in Shift_JIS, all pairs. */
function tableOf(encoding: WrittenEncoding): ReadonlyMap<string, readonly number[]> {
  const known = TABLES.get(encoding);
  if (known !== undefined) return known;
  const table = new Map<string, readonly number[]>();
  const add = (...bytes: number[]) => {
    const text = decodeBytes(Buffer.from(bytes), encoding);
    if (text !== undefined && [...text].length === 1 && !table.has(text)) table.set(text, bytes);
  };
  for (let byte = 0; byte < 256; byte += 1) add(byte);
  for (let first = 0x81; encoding === 'shift_jis' && first < 0xfd; first += 1) {
    for (let second = 0x40; second < 0xfd; second += 1) add(first, second);
  }
  TABLES.set(encoding, table);
  return table;
}
