/** Makes ZIP archives for tests. */

import { crc32, deflateRawSync } from 'node:zlib';

/** What is odd about each file. */
interface Oddity {
  readonly flags?: number;
  readonly method?: number;
  /** The size that the archive states. */
  readonly size?: number;
  /** How many bytes each file says it has before its own, and has not. */
  readonly more?: number;
  /** What the archive states the sum of. */
  readonly other?: string;
  /** Where the archive says that the file begins. */
  readonly start?: number;
}

/** An archive with these files, all of which have the same oddity. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>, odd: Oddity = {}): Buffer {
  const [parts, heads]: [Buffer[], Buffer[]] = [[], []];
  let start = 0;
  for (const [name, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    const packed = odd.method === 0 ? bytes : deflateRawSync(bytes);
    const own = Buffer.from(name);
    const head = Buffer.alloc(46);
    head.writeUInt32LE(0x02014b50, 0);
    head.writeUInt16LE(odd.flags ?? 0, 8);
    head.writeUInt16LE(odd.method ?? 8, 10);
    head.writeUInt32LE(crc32(odd.other ?? bytes), 16);
    head.writeUInt32LE(packed.length, 20);
    head.writeUInt32LE(odd.size ?? bytes.length, 24);
    head.writeUInt16LE(own.length, 28);
    head.writeUInt32LE(odd.start ?? start, 42);
    heads.push(head, own);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(own.length, 26);
    local.writeUInt16LE(odd.more ?? 0, 28);
    parts.push(local, own, packed);
    start += 30 + own.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(heads.length / 2, 8);
  end.writeUInt16LE(heads.length / 2, 10);
  end.writeUInt32LE(Buffer.concat(heads).length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([...parts, ...heads, end]);
}
