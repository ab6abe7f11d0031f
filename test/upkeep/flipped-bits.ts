/**
 * Flips single bits in stored transactions, and counts what finds them. `node
 * dist/test/upkeep/flipped-bits.js 1000` does it a thousand times.
 */

import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../src/database/database.ts';
import type { Db } from '../../src/database/driver.ts';
import { checkDatabase } from '../../src/upkeep/check.ts';
import { UNCHANGED } from '../../src/upkeep/rules.ts';
import { Random } from '../core/random.ts';
import { excludeTransaction } from '../store/single-changes.ts';
import { rows, Workshop } from '../store/workshop.ts';

/** How many of the flips were found: by `check`, by the hashes alone, by SQLite alone. */
export interface Found {
  readonly flips: number;
  readonly check: number;
  readonly hashes: number;
  readonly sqlite: number;
}

/** A part of the file that belongs to a transaction. */
interface Stretch {
  readonly start: number;
  readonly bytes: number;
}

/** Flips `count` bits, one at a time. */
export function flipBits(folder: string, count: number, seed: number): Found {
  const random = new Random(seed);
  const file = join(folder, 'flipped.db');
  const stretches = buildFile(file);
  const total = stretches.reduce((sum, { bytes }) => sum + bytes, 0);
  const found = { flips: count, check: 0, hashes: 0, sqlite: 0 };
  for (let turn = 0; turn < count; turn += 1) {
    const bit = random.whole(0, total * 8 - 1);
    const offset = placeOf(stretches, Math.floor(bit / 8));
    flip(file, offset, bit % 8);
    const wrong = brokenRules(file);
    flip(file, offset, bit % 8);
    if (wrong.length > 0) found.check += 1;
    if (wrong.includes(UNCHANGED)) found.hashes += 1;
    if (wrong.includes('the file is intact')) found.sqlite += 1;
  }
  return found;
}

/** Transactions in every state, with short and long raw data. Returns where they are. */
function buildFile(file: string): Stretch[] {
  const shop = new Workshop(file);
  const [line = 0] = shop.project();
  const memo = (at: number) => 'A memo. '.repeat(at === 7 ? 1000 : at % 5);
  shop.push(
    rows(60, (at) => ({
      contact: `Contact ${at}`,
      accountCode: 'A',
      memo: memo(at),
      amount: at,
    })),
  );
  for (const id of [11, 12, 13]) shop.allocate(id, [[line, (id - 1) * 100]]);
  shop.push([{ externalId: 'INV-10', date: '2026-01-30', description: 'Röd', amount: 3 }]);
  const exclusion = { transactionId: 20, reason: 'A copy' };
  excludeTransaction(shop, exclusion, shop.actor());
  shop.db.pragma('wal_checkpoint(truncate)');
  const stretches = listStretches(shop.db, readFileSync(file));
  shop.db.close();
  return stretches;
}

/** Where the cells of the table and their overflow pages are (sqlite.org/fileformat2.html). */
function listStretches(db: Db, bytes: Buffer): Stretch[] {
  const pageSize = Number(db.pragma('page_size', { simple: true }));
  const text = `select pageno from dbstat where name = 'transactions' and pagetype = 'leaf'`;
  const pages = db.prepare<[], number>(text).pluck().all();
  return pages.flatMap((page) => {
    const start = (page - 1) * pageSize;
    const cells = Array.from({ length: bytes.readUInt16BE(start + 3) }, (_, at) => {
      return start + bytes.readUInt16BE(start + 8 + 2 * at);
    });
    return cells.flatMap((cell) => stretchesOf(bytes, cell, pageSize));
  });
}

/** A cell: the length of its record, its number, the record, and the rest on overflow pages. */
function stretchesOf(bytes: Buffer, cell: number, pageSize: number): Stretch[] {
  const length = readVarint(bytes, cell);
  const number = readVarint(bytes, length.end);
  const [most, least] = [pageSize - 35, Math.floor(((pageSize - 12) * 32) / 255) - 23];
  const ifSplit = least + ((length.value - least) % (pageSize - 4));
  const local = length.value <= most ? length.value : ifSplit <= most ? ifSplit : least;
  const stretches = [{ start: cell, bytes: number.end - cell + local }];
  let rest = length.value - local;
  let next = rest > 0 ? bytes.readUInt32BE(number.end + local) : 0;
  while (rest > 0) {
    const start = (next - 1) * pageSize;
    const size = Math.min(rest, pageSize - 4);
    stretches.push({ start: start + 4, bytes: size });
    rest -= size;
    next = bytes.readUInt32BE(start);
  }
  return stretches;
}

function readVarint(bytes: Buffer, start: number): { value: number; end: number } {
  let [value, end] = [0, start];
  for (;;) {
    const byte = bytes.readUInt8(end);
    value = value * 128 + (byte & 0x7f);
    end += 1;
    if (byte < 0x80) return { value, end };
  }
}

function placeOf(stretches: readonly Stretch[], offset: number): number {
  let rest = offset;
  for (const { start, bytes } of stretches) {
    if (rest < bytes) return start + rest;
    rest -= bytes;
  }
  throw new Error('beyond the last transaction');
}

function flip(file: string, offset: number, bit: number): void {
  const byte = readFileSync(file).readUInt8(offset) ^ (1 << bit);
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.from([byte]), 0, 1, offset);
  closeSync(descriptor);
}

function brokenRules(file: string): string[] {
  const db = openDatabase({ file, create: false, busyTimeoutMs: 20 });
  try {
    return checkDatabase(db)
      .filter(({ ok }) => !ok)
      .map(({ name }) => name);
  } finally {
    db.close();
  }
}

const [, script = '', count = ''] = process.argv;
if (script === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-bits-'));
  const found = flipBits(folder, Number(count), 1);
  rmSync(folder, { recursive: true });
  process.stdout.write(`${JSON.stringify(found)}\n`);
  process.exitCode = found.check === found.flips ? 0 : 1;
}
