/** `budgetd csv inspect`: works out how a CSV file is to be read (contract 8). */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { type Call, type Command, EXIT, readPositionals, UsageError } from '../command.ts';
import { isAnswer, readAnswers, type WrittenAnswer } from '../csv/answers.ts';
import { Asker, canAsk } from '../csv/asking.ts';
import { type Inspection, inspectCsv } from '../csv/inspect.ts';
import { formatPage, quoteArgument } from '../csv/page.ts';
import { toReport, type Written } from '../csv/report.ts';
import { type CsvSource, openSource } from '../csv/source.ts';
import { printJson, printLines, printNotes } from '../output.ts';
import { isPair } from '../push/mapping.ts';
import { formOf } from '../push/row-files.ts';
import { FileError } from '../push/rows.ts';

/** `budgetd csv inspect FILE`. `--json` prints what was found, with the lines that prove it. */
export const inspectCsvFile: Command = {
  usage: 'csv inspect FILE [--map OUT.json] [answers]',
  summary: 'works out how to read a CSV file, for push',
  details: `
Works out the encoding, the delimiter, the header and what stands around the
rows, the days, the amounts with their signs, and which column is which field,
each with the line that proves it. What the file does not prove is asked on a
terminal, and else listed with the options that answer it; then nothing is
written.

  --map OUT.json      where the mapping goes; else beside the file, as
                      FILE.map.json
  --map FIELD=COLUMN  which column is which: the fields of push, and out, in,
                      indicator and currency. FIELD= for none, #3 for the third
                      column where it has no name, externalId=made to make ids,
                      date=COLUMN:DD/MM/YYYY with the format, amount=-COLUMN and
                      out=-COLUMN where money out is below zero
  --date-format F     how days are written: DD/MM/YYYY; MMM for a month by its
                      name; DDMM@2016 where the file has no year; @hr, @pl
                      or @cs behind it where months are doubtful
  --decimal ,         the sign before the pence
  --money-out W       what is money out: negative, positive, or the column or
                      the word that says so
  --currency C        the currency of the amounts, where the file does not state
                      it or has several
  --encoding E        such as windows-1252
  --delimiter ;       the sign between values (the word tab for a tab)
  --header LINE       the line of the header, or the word none
  --not-row TEXT      lines that say TEXT, such as a balance, are no rows
  --row TEXT          they are; all: so is every line of a journal that has
                      both sides of its entries

Exit: 0 the mapping is written, 1 questions are open or it failed, 2 wrong
usage.

Example: budgetd csv inspect january.csv --money-out negative`,
  options: {
    map: { type: 'string', multiple: true },
    'not-row': { type: 'string', multiple: true },
    row: { type: 'string', multiple: true },
    encoding: { type: 'string' },
    delimiter: { type: 'string' },
    header: { type: 'string' },
    'date-format': { type: 'string' },
    decimal: { type: 'string' },
    'money-out': { type: 'string' },
    currency: { type: 'string' },
  },
  async run(call) {
    const [path] = readPositionals(call, 'FILE');
    try {
      return await run(call, path);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      printNotes(call.io, `budgetd csv inspect: ${path}: ${error.message}`);
      return EXIT.failed;
    }
  },
};

async function run(call: Call, path: string): Promise<number> {
  const { io } = call;
  const source = openSource(path, io.cwd);
  const written = listAnswers(call);
  const mapPath = chooseMapPath(call, path);
  const inspection = await inspectAndAsk(call, source, written);
  const { mapping } = inspection;
  const refusal = mapping === undefined ? undefined : writeMapping(call, mapPath, mapping);
  const isWritten = mapping !== undefined && refusal === undefined;
  const push = isWritten ? pushLine(path, mapPath) : null;
  if (call.json) {
    printJson(io, toReport(inspection, { mapFile: isWritten ? mapPath : null, push }));
  } else {
    printLines(
      io,
      ...formatPage(inspection),
      '',
      ...formatEnd({ mapFile: mapPath, push, isOpen: mapping === undefined }, written, path),
    );
  }
  if (refusal !== undefined) printNotes(io, `budgetd csv inspect: ${refusal}`);
  return isWritten ? EXIT.done : EXIT.failed;
}

/** The answers among the options, in the order in which they were written. */
function listAnswers({ written }: Call): WrittenAnswer[] {
  return written.flatMap(({ name, value = '' }) => {
    if (!isAnswer(name) || (name === 'map' && !isPair(value))) return [];
    return [{ name, value }];
  });
}

function chooseMapPath({ values }: Call, path: string): string {
  const maps = Array.isArray(values['map']) ? values['map'].map(String) : [];
  const files = maps.filter((value) => !isPair(value));
  const [stated, second] = files;
  if (second !== undefined) throw new UsageError('--map takes one mapping file.');
  return stated ?? mapPathBeside(path);
}

function mapPathBeside(path: string): string {
  return `${path.slice(0, path.length - extname(path).length)}.map.json`;
}

async function inspectAndAsk(
  { io, json }: Call,
  source: CsvSource,
  written: WrittenAnswer[],
): Promise<Inspection> {
  const look = (more: readonly WrittenAnswer[] = []) =>
    inspectCsv(source, { answers: readAnswers([...written, ...more]), lastDay: lastDay() });
  let inspection = await look();
  if (json || !canAsk(io)) return inspection;
  const asker = new Asker(io);
  try {
    while (inspection.questions.length > 0) {
      const answers = await asker.ask(inspection.questions);
      if (answers.length === 0) break;
      try {
        inspection = await look(answers);
        written.push(...answers);
      } catch (error) {
        // A slip of the fingers costs one round of answers, not all of them.
        if (!(error instanceof UsageError)) throw error;
        printNotes(io, '', `${error.message} The answers to these questions are asked again.`);
      }
    }
  } finally {
    asker.close();
  }
  return inspection;
}

/** Payments are dated a little ahead at most. */
const DAYS_AHEAD = 366;

function lastDay(): string {
  return new Date(Date.now() + DAYS_AHEAD * 86_400_000).toISOString().slice(0, 10);
}

/** Writes the file; gives back why not. One that says the same already is as good as written. */
function writeMapping({ io }: Call, path: string, mapping: unknown): string | undefined {
  const full = resolve(io.cwd, path);
  const text = `${JSON.stringify(mapping, null, 2)}\n`;
  if (!existsSync(full)) {
    writeFileSync(full, text, { flag: 'wx' });
    return undefined;
  }
  if (readFileSync(full, 'utf8') === text) return undefined;
  return `${path} is there already and says otherwise: name another with --map, or remove it.`;
}

function pushLine(path: string, mapPath: string): string {
  return `budgetd push ${quoteArgument(path)} --map ${quoteArgument(mapPath)} --url …`;
}

function formatEnd(
  { mapFile, push, isOpen }: Written & { readonly isOpen: boolean },
  written: readonly WrittenAnswer[],
  path: string,
): string[] {
  if (push === null) {
    const given = written.map(({ name, value }) => ` --${name} ${quoteArgument(value)}`).join('');
    const into = mapFile === mapPathBeside(path) ? '' : `--map ${quoteArgument(String(mapFile))} `;
    const [what, more] = isOpen
      ? ['Answer with options:', `${into}--…`]
      : ['With the same answers, written elsewhere:', '--map OTHER.json'];
    return [what, `  budgetd csv inspect ${quoteArgument(path)}${given} ${more}`];
  }
  const lines = [`The mapping is in ${mapFile}. Next:`, `  ${push}`];
  return isPushed(path) ? lines : [...lines, 'push takes .csv, .tsv and .tab: name the file so.'];
}

function isPushed(path: string): boolean {
  try {
    return formOf(path) === 'csv';
  } catch {
    return false;
  }
}
