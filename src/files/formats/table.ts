/** A table: a file of another kind as CSV, which every reader takes like a text. */

import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Mapping } from '../mapping/mapping.ts';
import type { Overlap } from '../reading/rows.ts';
import { type FileSource, piecesOf } from '../text/text.ts';

/** What a mapping or an answer chooses of a file that has several tables. */
export type TableChoice = Pick<Mapping, 'sheet' | 'bankAccounts'>;

/** A sheet of a workbook. */
export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
}

/** A file of another kind, as CSV in UTF-8 with commas. */
export interface Table extends FileSource {
  /** The format, to be shown. */
  readonly format: string;
  /** What it says besides its rows. */
  readonly sayings: readonly {
    readonly label: string;
    readonly value: string;
    readonly note: string;
  }[];
  /** What should be looked at, as sentences; complete once the rows were read. */
  readonly warnings: readonly string[];
  /** The warnings that say why it may lack payments. */
  readonly doubts?: readonly string[];
  /** What the table omits, as sentences; complete once the rows were read. */
  readonly leftOut: readonly string[];
  /** Where what another message of the bank has as a sum, or in parts, can be stored already. */
  readonly overlap?: Overlap | undefined;
  /** The sheets of a workbook; the rows are those of the first visible one, or the chosen one. */
  readonly sheets?: readonly Sheet[];
  /** The table of another sheet. */
  readonly ofSheet?: (name: string) => Table;
  /** The accounts of a statement, which states how it is read, each with its currency. */
  readonly bankAccounts?: readonly BankAccount[];
}

/** An account of a statement. */
export interface BankAccount {
  /** Its number as it is chosen. */
  readonly name: string;
  readonly currency: string;
  readonly payments: number;
}

/** What is kept together, and what a reader gets at once. */
const [KEPT_BYTES, READ_BYTES] = [256 * 1024, 16 * 1024];
const [pack, unpack] = [promisify(deflateRaw), promisify(inflateRaw)];

/** The bytes of a table, each made once, and kept packed for the next reading, if there is one. */
export function keepPieces(
  made: AsyncGenerator<Buffer>,
  isReadOnce = false,
): () => AsyncGenerator<Buffer> {
  if (isReadOnce) return () => made;
  const kept: Buffer[] = [];
  // What has made all of it need not stay.
  let maker: AsyncIterator<Buffer> | undefined = made;
  let making: Promise<void> | undefined;
  const make = async () => {
    const pieces: Buffer[] = [];
    for (let size = 0; size < KEPT_BYTES && maker !== undefined; ) {
      const next = await maker.next();
      if (next.done === true) maker = undefined;
      else size += pieces[pieces.push(next.value) - 1]?.length ?? 0;
    }
    kept.push(await pack(Buffer.concat(pieces), { level: 1 }));
    making = undefined;
  };
  return async function* read() {
    for (let at = 0; ; at += 1) {
      // After an error the promise stays, and says the same again.
      while (at >= kept.length && maker !== undefined) {
        making ??= make();
        await making;
      }
      const own = kept[at];
      if (own === undefined) return;
      const bytes = await unpack(own);
      yield* piecesOf(bytes, READ_BYTES);
    }
  };
}

/** About how many characters a piece has. */
const PIECE = 8 * 1024;

/** Writes records of CSV, each in the line that it is to have or, if that is taken, the next. */
export class CsvWriter {
  #text = '';
  #line = 1;

  add(fields: readonly string[], line = this.#line): void {
    if (line > this.#line) {
      this.#text += '\n'.repeat(line - this.#line);
      this.#line = line;
    }
    this.#text += `${fields.map(quoteField).join(',')}\n`;
    this.#line += 1;
  }

  /** What was written, once it is enough for a piece, or at the end. */
  *take(isEnd = false): Generator<Buffer> {
    if (this.#text.length < PIECE && !(isEnd && this.#text !== '')) return;
    const bytes = Buffer.from(this.#text);
    this.#text = '';
    yield* piecesOf(bytes, 2 * PIECE);
  }
}

/** A value in one line, in quotation marks where it needs them. */
function quoteField(text: string): string {
  const line = BREAKS.test(text) ? text.replace(new RegExp(BREAKS, 'gu'), ' ') : text;
  return /[",]|^ | $/.test(line) ? `"${line.replaceAll('"', '""')}"` : line;
}

const BREAKS = /[\p{Cc}\ufeff]+/u;
