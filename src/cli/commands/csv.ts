/** `budgetd csv inspect`: works out how to read a CSV file (contract 8). */

import { existsSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { lastPaymentDay } from '../../core/calendar.ts';
import { TEXT_FIELDS } from '../../core/row-members.ts';
import {
  AnswerError,
  columnsOf,
  FileError,
  type FileSource,
  type Finding,
  type Inspection,
  isAnswer,
  loadTables,
  type Mapping,
  type Question,
  readAnswers,
  showDelimiter,
  storedFile,
  type Total,
  titlesOf,
  type WrittenAnswer,
  WrittenAnswerError,
  writeAnswer,
  writeSum,
} from '../../files/index.ts';
import { explain, worded } from '../advice.ts';
import { readNamed } from '../bounded.ts';
import { type Call, type Command, EXIT, type Io, isUsageError, UsageError } from '../command.ts';
import {
  explainEvidence,
  formatPage,
  formatQuestion,
  otherWays,
  showChoice,
  showOption,
} from '../csv/page.ts';
import { isPair, splitMaps } from '../mapping-options.ts';
import { readPositionals } from '../options.ts';
import { printJson, printLines, printNotes } from '../output.ts';
import { isTerminal } from '../paint.ts';
import { quoted } from '../quoted.ts';
import { findRemembered, mapPathBeside } from '../remembered-mappings.ts';

const inspectCsvFile: Command = {
  name: 'csv inspect',
  summary: 'works out how to read a file, for push',
  usage: 'FILE [--map OUT.json] [--maps DIR] [answers]',
  details: `
Finds the encoding, the delimiter, the header, the dates, the amounts and their
signs, the currency, and the column of each field, each with the evidence for
it. It asks about the rest: directly on a terminal; otherwise it lists the
options to add and writes nothing. Without answers, a file with the columns of
an earlier one is read with the mapping of that one, and it says so.

  --map OUT.json      the mapping file to write; by default beside the file: for
                      may.csv it is may.map.json
  --maps DIR          where the mappings of earlier files are; by default beside
                      the file (their names end in .map.json)
  --map FIELD=COLUMN  the column of a field: those of push, and out, in,
                      indicator and currency. FIELD= for no column; #3 for the
                      third column if it has no name; externalId=made to make
                      ids; date=COLUMN:DD/MM/YYYY with the format;
                      amount=-COLUMN or out=-COLUMN if money out is negative
  --date-format F     the format of dates: DD/MM/YYYY; MMM for the name of a
                      month; DDMM@2016 if the file has no year; @hr, @pl or @cs
                      at the end for the language of ambiguous month names
  --decimal ,         the decimal separator
  --money-out W       what marks money out: negative, positive, or the name of a
                      column or a word in it
  --currency C        the currency of the amounts, if the file states none or
                      several
  --encoding E        the encoding, such as windows-1252
  --delimiter ;       the delimiter (the word tab for a tab)
  --sheet NAME        a sheet of a workbook that has several
  --account N         an account of a statement that has several; can be
                      repeated
  --header LINE       the line number of the header, or the word none
  --not-row TEXT      lines with TEXT, such as a balance, are not rows
  --row TEXT          lines with TEXT are rows; the word all: every line is,
                      also in a journal with both sides of each entry, and if
                      push will reject many of them

Also exits with 1 if questions are open.

Example: budgetd csv inspect january.csv --money-out negative`,
  repeatable: ['map', 'account', 'not-row', 'row'],
  shared: ['json'],
  async run(call) {
    const [path] = readPositionals(call, 'FILE');
    try {
      return await run(call, path);
    } catch (error) {
      if (!(error instanceof FileError)) throw asWrongOption(error);
      printNotes(call.io, `budgetd csv inspect: ${path}: ${explain(error)}`);
      return EXIT.failed;
    }
  },
};

/** An answer that is wrong, or that the file contradicts, as wrong usage of its option. */
function asWrongOption(error: unknown): unknown {
  if (error instanceof WrittenAnswerError) {
    return new UsageError(`--${error.answer}${error.message}`);
  }
  if (!(error instanceof AnswerError)) return error;
  const { answer, message } = error;
  return new UsageError(answer === undefined ? message : `--${writeAnswer(answer).name}${message}`);
}

async function run(call: Call, path: string): Promise<number> {
  const { io } = call;
  const full = resolve(io.cwd, path);
  if (!statSync(full).isFile()) {
    throw new UsageError(`${path} is not a file. csv inspect reads it several times.`);
  }
  const source = storedFile(full);
  const written = call.written.flatMap(({ name, value = '' }) => {
    if (!isAnswer(name) || (name === 'map' && !isPair(value))) return [];
    return [{ name, value }];
  });
  const recalled = written.length > 0 ? undefined : await recall(call, path, source);
  const mapPath = splitMaps(call).file ?? recalled?.path ?? mapPathBeside(path);
  const inspection = recalled?.inspection ?? (await inspectAndAsk(call, source, written));
  const { mapping } = inspection;
  const isThere = mapPath === recalled?.path;
  // A statement states how it is read: only a choice of what it leaves open is to be remembered.
  const isStated = inspection.table?.bankAccounts !== undefined && mapping?.header === undefined;
  const isToSave = mapping !== undefined && !isThere && !isStated;
  const refusal = isToSave ? saveMapping(call, mapPath, mapping) : undefined;
  const isWritten = mapping !== undefined && refusal === undefined;
  const how = isStated ? '' : ` --map ${quoted(mapPath)}`;
  const next = `budgetd push ${quoted(path)}${how} --url …`;
  const [mapFile, push] = isWritten ? [isStated ? null : mapPath, next] : [null, null];
  const readBy = recalled?.path ?? null;
  if (call.json) printJson(io, { ...toReport(inspection), readBy, mapFile, push });
  else {
    const done = isThere || isStated ? 'Next:' : `Wrote the mapping to ${mapPath}. Next:`;
    const end = isWritten
      ? [done, `  ${next}`]
      : adviseAgain(path, written, mapping === undefined ? mapPath : undefined);
    printLines(io, ...formatPage(inspection, readBy), '', ...end);
  }
  if (refusal !== undefined) printNotes(io, `budgetd csv inspect: ${refusal}`);
  return isWritten ? EXIT.done : EXIT.failed;
}

/** The document of `--json`, without what was done with the mapping. */
function toReport(inspection: Inspection) {
  const { name, encoding, layout, check, questions, mapping } = inspection;
  return {
    file: name,
    format: inspection.table?.format ?? null,
    bankAccounts: inspection.table?.sayings ?? [],
    notes: [...(inspection.table?.warnings ?? []), ...(inspection.table?.leftOut ?? [])],
    encoding: show(encoding, (value) => value),
    delimiter: show(inspection.table ? undefined : layout?.delimiter, showDelimiter),
    header: show(layout?.headerLine, (line) => (line === 0 ? null : line)),
    preamble: (layout?.preamble ?? []).map(({ line }) => line),
    ...listColumns(inspection),
    rows: check?.rows ?? inspection.facts?.rows ?? null,
    moneyOut: showTotal(check?.moneyOut),
    moneyIn: showTotal(check?.moneyIn),
    from: check?.from ?? null,
    to: check?.to ?? null,
    repeated: { count: check?.repeated.total ?? 0, first: check?.repeated.items ?? [] },
    notRows: check?.notRows ?? [],
    rejected: {
      count: check?.refusedCount ?? 0,
      first: (check?.refused ?? []).map(({ line, problems }) => ({
        line,
        errors: problems.map(worded),
      })),
    },
    questions: questions.map(showQuestion),
    mapping: mapping ?? null,
  };
}

function listColumns(inspection: Inspection) {
  const { date, dateFormat, amount, decimal, sign, currency, cellCurrency } = inspection;
  const { externalId, mapping } = inspection;
  const made = mapping === undefined ? null : columnsOf(mapping, 'externalId');
  return {
    date: show(date, (column) => titlesOf([column]), 'columns'),
    dateFormat: show(dateFormat, ({ text }) => text),
    amount: showNamed(amount),
    decimal: show(decimal, (signs) => signs.decimal ?? null),
    thousands: show(decimal, (signs) => signs.thousands ?? null),
    shape: show(sign, ({ shape }) => shape),
    currency:
      currency?.value === undefined
        ? show(cellCurrency, (text) => text ?? null)
        : show(currency, (guard) => guard?.is ?? null),
    ...Object.fromEntries(TEXT_FIELDS.map((name) => [name, showNamed(inspection[name])])),
    externalId: show(externalId, (column) => column?.title ?? { made }),
  };
}

function show<Value>(
  finding: Finding<Value> | undefined,
  how: (value: Value) => unknown,
  name = 'value',
) {
  if (finding === undefined) return null;
  const { value, evidence } = finding;
  const { line, text } = 'because' in evidence ? evidence : { line: null, text: '' };
  return { [name]: how(value), evidence: { line, text, because: explainEvidence(evidence) } };
}

function showNamed(finding: Finding<readonly { readonly title: string }[]> | undefined) {
  return show(finding, titlesOf, 'columns');
}

/** Money in is negative (Spec 2.5). */
function showTotal(total: Total | undefined) {
  return total === undefined ? null : { rows: total.rows, total: Number(writeSum(total.sum)) };
}

function showQuestion(question: Question) {
  const { kind, text, choices } = question;
  return {
    id: kind,
    text,
    choices: choices.map((choice) => {
      const { meaning = null, examples = [] } = choice;
      return { option: showChoice(choice), meaning, examples };
    }),
    other: otherWays(question) ?? null,
  };
}

/** Inspects the file with the mapping of an earlier one with the same columns, if there is one. */
async function recall({ io, values }: Call, path: string, source: FileSource) {
  const folder = values['maps'] === undefined ? undefined : String(values['maps']);
  const found = await findRemembered(path, { cwd: io.cwd, folder }, source);
  if (found === undefined) return undefined;
  const { inspectWith } = await loadTables();
  const inspection = await inspectWith(source, found.mapping);
  return inspection && { path: found.path, inspection };
}

async function inspectAndAsk({ io, json }: Call, source: FileSource, written: WrittenAnswer[]) {
  const lastDay = lastPaymentDay(Date.now());
  const { inspectFile } = await loadTables();
  const look = (more: readonly WrittenAnswer[] = []) =>
    inspectFile(source, { answers: readAnswers([...written, ...more]), lastDay });
  let inspection = await look();
  if (json || !(isTerminal(io.stdin) && isTerminal(io.stderr))) return inspection;
  const asker = new Asker(io);
  try {
    while (inspection.questions.length > 0) {
      const answers = await asker.ask(inspection.questions);
      if (answers.length === 0) break;
      try {
        inspection = await look(answers);
        written.push(...answers);
      } catch (error) {
        // A typing mistake must not lose the answers of earlier rounds.
        const wrong = asWrongOption(error);
        if (!isUsageError(wrong)) throw wrong;
        printNotes(io, '', `${explain(wrong)} Answer these questions again.`);
      }
    }
  } finally {
    asker.close();
  }
  return inspection;
}

/** Writes the file unless another mapping is there; returns why it could not. */
function saveMapping({ io }: Call, path: string, mapping: Mapping): string | undefined {
  const full = resolve(io.cwd, path);
  const text = `${JSON.stringify(mapping, null, 2)}\n`;
  if (!existsSync(full)) {
    writeFileSync(full, text, { flag: 'wx' });
    return undefined;
  }
  const before = readNamed(full, '--map').toString();
  if (before === text) return undefined;
  if (isSameButRests(before, text)) {
    writeFileSync(full, text);
    return undefined;
  }
  return `${path} already exists with another mapping. Remove it, or name another file with --map.`;
}

/** Whether two mapping files differ only in what the mapping rests on, as after an answer. */
function isSameButRests(...texts: readonly string[]): boolean {
  try {
    const plain = texts.map((text) => JSON.stringify({ ...JSON.parse(text), rests: undefined }));
    return new Set(plain).size === 1;
  } catch {
    return false;
  }
}

/** What to type when no mapping was written: answers, or another file if no question is open. */
function adviseAgain(path: string, written: readonly WrittenAnswer[], mapPath: string | undefined) {
  const given = [quoted(path), ...written.map(showOption)].join(' ');
  const again = `  budgetd csv inspect ${given}`;
  if (mapPath === undefined) return ['To write it to another file:', `${again} --map OTHER.json`];
  const into = mapPath === mapPathBeside(path) ? '' : ` --map ${quoted(mapPath)}`;
  return ['To answer, run it again with options:', `${again}${into} --…`];
}

export const commands = [inspectCsvFile];

/** Reads answers line by line, over several rounds of questions. */
class Asker {
  readonly #io: Io;
  readonly #reader: ReturnType<typeof createInterface>;
  readonly #lines: AsyncIterator<string>;

  constructor(io: Io) {
    this.#io = io;
    this.#reader = createInterface({ input: io.stdin, terminal: false });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /** Asks each question once and returns the answers as options. */
  async ask(questions: readonly Question[]): Promise<WrittenAnswer[]> {
    const answers: WrittenAnswer[] = [];
    for (const [at, question] of questions.entries()) {
      printNotes(this.#io, '', ...formatQuestion(question, at + 1));
      const answer = await this.#askOne(question);
      if (answer === 'end') break;
      if (answer !== undefined) answers.push(...answer);
    }
    return answers;
  }

  close(): void {
    this.#reader.close();
  }

  async #askOne(question: Question): Promise<WrittenAnswer[] | 'end' | undefined> {
    const { choices } = question;
    const last = choices.length;
    const numbers = last === 0 ? '' : `${last === 1 ? '1' : `1 to ${last}`}, or `;
    for (;;) {
      this.#io.stderr.write(`    ${numbers}an option as above; Enter to skip: `);
      const next = await this.#lines.next();
      if (next.done === true) return 'end';
      const text = next.value.trim();
      if (text === '') return undefined;
      const answer = readLine(text, question);
      if (answer !== undefined) return answer;
      printNotes(this.#io, '    That is not one of the answers.');
    }
  }
}

/** Reads the number of a choice, or options with their values. */
function readLine(text: string, { choices }: Question): WrittenAnswer[] | undefined {
  const choice = choices[Number(text) - 1];
  if (choice !== undefined) return choice.answers.map(writeAnswer);
  const answers: WrittenAnswer[] = [];
  for (const part of text.split(/\s+(?=--[a-z])/)) {
    const [, name, value] = /^--([a-z-]+)[ =](.+)$/.exec(part) ?? [];
    if (name === undefined || value === undefined || !isAnswer(name)) return undefined;
    answers.push({ name, value: unquote(value.trim()) });
  }
  return answers;
}

/** `"a b"` or `map="a b"` without the quotation marks that a shell would remove. */
function unquote(text: string): string {
  return text.replace(/^([^"=]*=)?"(.*)"$/, '$1$2').replace(/\\(["\\$`])/g, '$1');
}
