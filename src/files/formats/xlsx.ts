/**
 * A workbook of Excel as a table: the rows of one sheet, each in the line with its number. Cells
 * are what they state: days and numbers by value and format, formulas by their stored value.
 */

import { count } from '../../core/counts.ts';
import { isPauseDue, pause } from '../pace.ts';
import { FileError, MappingError } from '../problems.ts';
import type { FileSource } from '../text/text.ts';
import { attributeOf, Markup, type MarkupReader, VALUE_CHARACTERS } from './markup.ts';
import { numberShower } from './number-styles.ts';
import { CsvWriter, keepPieces, type Sheet, type Table, type TableChoice } from './table.ts';
import { unpack, type ZipEntry } from './zip.ts';

/** The most text of a sheet, and of the texts that its cells share. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
const [MOST_ROWS, MOST_COLUMNS] = [1_048_576, 16_384];
/** Of cells with something in them: each row has a field for every one before its last. */
const FILLED_COLUMNS = 1_000;
/** The most sheets, and the most styles that Excel writes. */
const [MOST_SHEETS, MOST_STYLES] = [500, 65_536];

type Entries = ReadonlyMap<string, ZipEntry>;

/** Opens a workbook. Rejects with FileError, or MappingError for an unknown sheet. */
export async function openWorkbook(
  { name, isReadOnce }: FileSource,
  entries: Entries,
  choice: TableChoice,
): Promise<Table> {
  const workbook = await Workbook.open(entries);
  const { sheets } = workbook;
  const visible = sheets.find(({ isHidden }) => !isHidden) ?? sheets[0];
  if (visible === undefined) throw new FileError('the workbook has no sheet.');
  const ofSheet = (sheet: string): Table => {
    const warnings: string[] = [];
    return {
      ...{ name, format: `Excel, sheet "${sheet}"`, sayings: [], warnings, leftOut: [], sheets },
      isSheet: true,
      open: keepPieces(workbook.read(sheet, warnings), isReadOnce),
      ofSheet,
    };
  };
  return ofSheet(choice.sheet === undefined ? visible.name : workbook.require(choice.sheet));
}

/** Reads a part of a workbook. */
async function readPart(entry: ZipEntry, reader: MarkupReader): Promise<void> {
  for await (const _ of readPieces(entry, reader)) if (isPauseDue()) await pause();
}

async function* readPieces(entry: ZipEntry, reader: MarkupReader): AsyncGenerator<void> {
  const markup = new Markup(reader);
  const decoder = new TextDecoder();
  for await (const piece of unpack(entry)) {
    markup.add(decoder.decode(piece, { stream: true }));
    yield;
  }
  markup.end();
}

/** The sheets of a workbook, where each is, and how its numbers are shown. */
class Workbook implements MarkupReader {
  readonly sheets: Sheet[] = [];
  #is1904 = false;
  readonly #entries: Entries;
  /** The part of each sheet. */
  readonly #parts = new Map<string, string>();
  readonly #targets = new Map<string, string>();
  /** The number formats that it writes, and the one of each style of a cell. */
  readonly #codes = new Map<number, string>();
  readonly #ids: number[] = [];
  readonly #showers = new Map<number, (text: string) => string>();
  #isOfCells = false;
  #texts: Promise<Texts> | undefined;

  private constructor(entries: Entries) {
    this.#entries = entries;
  }

  static async open(entries: Entries): Promise<Workbook> {
    const workbook = new Workbook(entries);
    for (const path of ['xl/_rels/workbook.xml.rels', 'xl/workbook.xml']) {
      const entry = entries.get(path);
      if (entry === undefined) throw new FileError('the workbook lacks its list of sheets.');
      await readPart(entry, workbook);
    }
    const styles = entries.get('xl/styles.xml');
    if (styles !== undefined) await readPart(styles, workbook);
    return workbook;
  }

  open(name: string, attributes: string): void {
    const of = (attribute: string) => attributeOf(attributes, attribute) ?? '';
    const id = () => Number(attributeOf(attributes, 'numFmtId') ?? 0);
    if (name === 'Relationship') {
      const target = of('Target');
      this.#targets.set(of('Id'), target.startsWith('/') ? target.slice(1) : `xl/${target}`);
    } else if (name === 'workbookPr') this.#is1904 = isTrue(of('date1904'));
    else if (name === 'sheet') this.#addSheet(of('name'), of('id'), of('state'));
    else if (name === 'numFmt') this.#codes.set(id(), of('formatCode'));
    else if (name === 'cellXfs') this.#isOfCells = true;
    else if (name === 'xf' && this.#isOfCells) this.#ids.push(id());
    if (this.#ids.length > MOST_STYLES || this.#codes.size > MOST_STYLES) {
      throw new FileError('the workbook has too many styles. Save it as CSV.');
    }
  }

  close(name: string): void {
    if (name === 'cellXfs') this.#isOfCells = false;
  }

  #addSheet(name: string, id: string, state: string): void {
    const part = this.#targets.get(id) ?? '';
    // Charts and macros are sheets too, but have no cells.
    if (!part.includes('worksheets/')) return;
    if (this.sheets.length === MOST_SHEETS) {
      throw new FileError('the workbook has more than 500 sheets.');
    }
    this.#parts.set(name, part);
    this.sheets.push({ name, isHidden: state.endsWith('idden') });
  }

  /** A number as a cell of this style states it. */
  showNumber(number: string, style: number): string {
    const id = this.#ids[style] ?? 0;
    let show = this.#showers.get(id);
    if (show === undefined) {
      show = numberShower(id, this.#codes.get(id), this.#is1904);
      this.#showers.set(id, show);
    }
    return show(number);
  }

  /** The name of a sheet as the workbook has it. Throws MappingError. */
  require(name: string): string {
    const plain = (text: string) => text.trim().toLowerCase();
    const found = this.sheets.find((sheet) => plain(sheet.name) === plain(name));
    if (found !== undefined) return found.name;
    const all = this.sheets.map((sheet) => `"${sheet.name}"`).join(', ');
    throw new MappingError(`The workbook has no sheet "${name}". Its sheets are: ${all}.`);
  }

  /** The rows of a sheet as CSV; says what to look at once all are read. */
  async *read(sheet: string, warnings: string[]): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(this.#parts.get(sheet) ?? '');
    if (entry === undefined) throw new FileError(`the workbook lacks its sheet "${sheet}".`);
    this.#texts ??= readTexts(this.#entries.get('xl/sharedStrings.xml'));
    const texts = await this.#texts;
    const writer = new CsvWriter();
    const reader = new SheetReader(this, texts, writer);
    let size = 0;
    for await (const _ of readPieces(entry, reader)) {
      for (const piece of writer.take()) {
        size += piece.length;
        yield piece;
      }
      if (size > MOST_CHARACTERS) throw new FileError('the sheet is too large. Save it as CSV.');
      if (isPauseDue()) await pause();
    }
    yield* writer.take(true);
    const { hidden } = reader;
    if (hidden > 0) warnings.push(`${count(hidden, 'hidden row is', 'hidden rows are')} read too.`);
  }
}

function isTrue(attribute: string | undefined): boolean {
  return attribute === '1' || attribute === 'true';
}

/** Very many texts, as bytes: as strings they would take several times as much memory. */
class Texts {
  readonly #blocks: { readonly bytes: Buffer; readonly ends: Uint32Array }[] = [];
  /** The texts of the next block, and where each ends. */
  #next = '';
  #ends: number[] = [];
  #size = 0;

  add(text: string): void {
    this.#next += text;
    this.#ends.push((this.#ends.at(-1) ?? 0) + Buffer.byteLength(text));
    if (this.#ends.length === BLOCK_TEXTS) this.end();
  }

  /** Keeps the texts of a block: as many as each has, or the last ones. Throws FileError. */
  end(): void {
    const [bytes, ends] = [Buffer.from(this.#next), Uint32Array.from(this.#ends)];
    this.#size += bytes.length + ends.byteLength;
    if (this.#size > MOST_CHARACTERS) {
      throw new FileError('the workbook is too large. Save it as CSV.');
    }
    this.#blocks.push({ bytes, ends });
    [this.#next, this.#ends] = ['', []];
  }

  get(index: number): string {
    const [block, at] = [this.#blocks[Math.floor(index / BLOCK_TEXTS)], index % BLOCK_TEXTS];
    const end = block?.ends[at];
    return end === undefined ? '' : (block?.bytes.toString('utf8', block.ends[at - 1], end) ?? '');
  }
}

const BLOCK_TEXTS = 1024;

/** The texts that cells share, each in one or several runs. */
async function readTexts(entry: ZipEntry | undefined): Promise<Texts> {
  const texts = new Texts();
  let [own, isText, isSound] = ['', false, false];
  if (entry === undefined) return texts;
  await readPart(entry, {
    open(name) {
      if (name === 'si') own = '';
      else if (name === 't') isText = true;
      else if (name === 'rPh') isSound = true;
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'rPh') isSound = false;
      else if (name === 'si') texts.add(own);
    },
    text(text) {
      if (isText && !isSound && own.length < VALUE_CHARACTERS) own += text;
    },
  });
  texts.end();
  return texts;
}

class SheetReader implements MarkupReader {
  hidden = 0;
  readonly #workbook: Workbook;
  readonly #texts: Texts;
  readonly #writer: CsvWriter;
  #row = 0;
  #isHidden = false;
  #fields: string[] = [];
  #column = 0;
  /** Attributes of the cell, read only if it has a value: most sheets have many empty cells. */
  #attributes = '';
  #value = '';
  /** Whether a text counts: that of a value, not that of a formula. */
  #isValue = false;

  constructor(workbook: Workbook, texts: Texts, writer: CsvWriter) {
    this.#workbook = workbook;
    this.#texts = texts;
    this.#writer = writer;
  }

  open(name: string, attributes: string): void {
    if (name === 'c') this.#openCell(attributes);
    else if (name === 'v' || name === 't') this.#isValue = true;
    else if (name === 'row') {
      const row = Number(attributeOf(attributes, 'r') ?? this.#row + 1);
      if (!(row > this.#row && row <= MOST_ROWS)) throw new FileError('the sheet is damaged.');
      this.#row = row;
      this.#column = 0;
      this.#fields = [];
      this.#isHidden = isTrue(attributeOf(attributes, 'hidden'));
    }
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#isValue = false;
    else if (name === 'c') {
      const text = this.#value === '' ? '' : this.#show();
      if (text !== '') {
        if (this.#column > FILLED_COLUMNS) {
          throw new FileError(
            'the sheet has more than 1,000 columns. Delete the columns on the far right.',
          );
        }
        while (this.#fields.length < this.#column - 1) this.#fields.push('');
        this.#fields[this.#column - 1] = text;
      }
    } else if (name === 'row' && this.#fields.length > 0) {
      if (this.#isHidden) this.hidden += 1;
      this.#writer.add(this.#fields, this.#row);
    }
  }

  text(text: string): void {
    const hasRoom = this.#value.length < VALUE_CHARACTERS;
    if (this.#isValue && hasRoom) this.#value += text;
  }

  #openCell(attributes: string): void {
    [this.#attributes, this.#value] = [attributes, ''];
    this.#column = columnOf(attributes) ?? this.#column + 1;
    if (this.#column > MOST_COLUMNS) throw new FileError('the sheet is damaged.');
  }

  #show(): string {
    const value = this.#value;
    const type = attributeOf(this.#attributes, 't') ?? 'n';
    if (type === 's') return showText(this.#texts.get(Number(value)));
    if (type === 'd') return value.slice(0, 10);
    if (type === 'b') return value === '0' ? 'FALSE' : 'TRUE';
    if (type !== 'n') return showText(value);
    const style = Number(attributeOf(this.#attributes, 's') ?? 0);
    return this.#workbook.showNumber(value.trim(), style);
  }
}

/** The number of the column that a cell names, from 1: 28 for `r="AB7"`. */
function columnOf(attributes: string): number | undefined {
  const place = attributeOf(attributes, 'r') ?? '';
  let column = 0;
  for (let at = 0; at < 3; at += 1) {
    const letter = place.charCodeAt(at) - 64;
    if (!(letter >= 1 && letter <= 26)) break;
    column = column * 26 + letter;
  }
  return column === 0 ? undefined : column;
}

/** A text as it is shown: without the apostrophe that makes a number a text. */
function showText(text: string): string {
  const plain = text.includes('_x')
    ? text.replace(/_x([\da-f]{4})_/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
  return /^'[-+\d]/.test(plain) ? plain.slice(1) : plain;
}
