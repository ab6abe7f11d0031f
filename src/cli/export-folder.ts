/**
 * A new folder of files that only their owner can read. It has its name only when every file is
 * whole and on the disk.
 */

import { closeSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Papa from 'papaparse';
import { Failure } from '../core/failures.ts';
import { removeUnfinished, requireFolderOf, synchronise } from '../database/copies.ts';
import { openPrivateFile } from '../database/private-files.ts';
import { BYTE_ORDER_MARK, defuse } from '../operations/report-csv.ts';

/** The folder while it is written. */
export class ExportFolder {
  readonly #path: string;
  readonly #unfinished: string;
  readonly #files: ExportFile[] = [];

  /** Throws `conflict` if the name is taken. */
  constructor(path: string) {
    this.#path = path;
    this.#unfinished = `${path}.${process.pid}.unfinished`;
    this.#refuseTaken();
    requireFolderOf(path);
    removeUnfinished(dirname(path), (name) => name === basename(path), true);
    mkdirSync(this.#unfinished, { mode: 0o700 });
  }

  /** A file with an entry on each line: NDJSON. */
  lines(name: string): ExportFile {
    const file = new ExportFile(this.#unfinished, name);
    this.#files.push(file);
    return file;
  }

  /** A file with one JSON document, which has this many entries. */
  document(name: string, document: unknown, entries = 1): void {
    this.lines(name).add(JSON.stringify(document, null, 2), entries);
  }

  /** A file for spreadsheets, with these columns, named with blanks in between. */
  table<const Names extends string>(name: string, ...names: Names[]): Table<Cells<Words<Names>>> {
    const columns = names.flatMap((each) => each.split(' ')) as Words<Names>[];
    const records = this.records(name, columns);
    const safe = (cell: Cell) => (typeof cell === 'string' ? defuse(cell) : String(cell ?? ''));
    return { add: (cells) => records.add(columns.map((column) => safe(cells[column]))) };
  }

  /** A file for spreadsheets whose cells are safe already. */
  records(name: string, titles: readonly string[]): Table<readonly string[]> {
    const file = this.lines(name);
    file.add(BYTE_ORDER_MARK + toRecord(titles), 0);
    return { add: (cells) => file.add(toRecord(cells)) };
  }

  /** Gives the folder its name, and lists its files, each with how many entries it has. */
  finish() {
    for (const file of this.#files) file.finish();
    for (const { name } of this.#files) synchronise(join(this.#unfinished, name), 'r+');
    if (process.platform !== 'win32') synchronise(this.#unfinished, 'r');
    this.#refuseTaken();
    renameSync(this.#unfinished, this.#path);
    if (process.platform !== 'win32') synchronise(dirname(this.#path), 'r');
    return this.#files.map(({ name, entries }) => ({ file: name, entries }));
  }

  /** Removes what was written, unless the folder has its name. */
  close(): void {
    for (const file of this.#files) file.close();
    rmSync(this.#unfinished, { recursive: true, force: true });
  }

  #refuseTaken(): void {
    if (!existsSync(this.#path)) return;
    const message = `${this.#path} already exists. Pass the name of a new folder.`;
    throw new Failure('conflict', message);
  }
}

/** A file with columns. */
interface Table<Item> {
  add(item: Item): void;
}

/** The cells of an entry by their columns. A text that a spreadsheet could run is made safe. */
type Cells<Name extends string> = Readonly<Record<Name, Cell>>;
type Cell = string | number | null | undefined;
type Words<Text> = Text extends `${infer First} ${infer Rest}`
  ? First | Words<Rest>
  : Text & string;

const BLOCK_UNITS = 256 * 1024;

class ExportFile {
  readonly name: string;
  entries = 0;
  #descriptor: number | undefined;
  #waiting = '';

  constructor(folder: string, name: string) {
    this.name = name;
    this.#descriptor = openPrivateFile(join(folder, name));
  }

  /** Adds a line, which counts as this many entries. */
  add(line: string, entries = 1): void {
    this.#waiting += `${line}\n`;
    this.entries += entries;
    if (this.#waiting.length >= BLOCK_UNITS) this.#write();
  }

  finish(): void {
    this.#write();
    this.close();
  }

  /** Closes the file without writing the lines that wait. */
  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #write(): void {
    const text = this.#waiting;
    this.#waiting = '';
    if (this.#descriptor !== undefined) writeFileSync(this.#descriptor, text);
  }
}

/** A record ends with the line: of CR and LF only the first is written here. */
function toRecord(cells: readonly string[]): string {
  return `${Papa.unparse([[...cells]])}\r`;
}
