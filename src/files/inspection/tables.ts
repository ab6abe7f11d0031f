/**
 * Files of every kind: a text is read as it is, any other file as the table that it makes. Nothing
 * else in this room knows of tables.
 */

import { ROW_FIELDS } from '../../core/row-members.ts';
import { openTable } from '../formats/open-table.ts';
import { NO_CURRENCY } from '../formats/payments.ts';
import type { BankAccount, Table, TableChoice } from '../formats/table.ts';
import { CURRENCY_COLUMN } from '../mapping/columns.ts';
import { listNamed, type Mapping, OWN_NAMES, ruleOf } from '../mapping/mapping.ts';
import { FileError, MappingError } from '../problems.ts';
import { previewRecords } from '../reading/csv-records.ts';
import * as csv from '../reading/csv-rows.ts';
import type { Reading } from '../reading/rows.ts';
import { type FileSource, readSlices } from '../text/text.ts';
import { codesOf } from '../values/currency-signs.ts';
import { isPendingWord } from '../vocabulary/not-payments.ts';
import { checkFile } from './check.ts';
import { inspectEncoding } from './encoding.ts';
import {
  type Answer,
  AnswerError,
  type AnswerOf,
  ask,
  choice,
  collectAnswers,
  isAsked,
  type Question,
} from './found.ts';
import { type Inspection, inspectCsv } from './inspect.ts';
import { inspectLayout, rowTest } from './layout.ts';
import * as remembered from './remembered.ts';

/** A table, with the question which of its sheets is meant. */
interface Picked extends Table {
  readonly questions: readonly Question[];
}

/** Tables that are still in use, so that a file is not read again for each step. */
const OPEN = new WeakMap<
  FileSource,
  { readonly key: string; readonly table: Promise<Picked | undefined> }
>();

/** The table of a file; undefined for a text. */
async function tableOf(source: FileSource, choice: TableChoice): Promise<Picked | undefined> {
  const { sheet, bankAccounts } = choice;
  if (source.stored === undefined) return undefined;
  const key = JSON.stringify([sheet, bankAccounts]);
  const known = OPEN.get(source);
  if (known?.key === key) return known.table;
  const table = openTable(source, { sheet, bankAccounts }).then((found) => {
    return found && (sheet === undefined ? pickSheet(found) : asPicked(found));
  });
  OPEN.set(source, { key, table });
  return table;
}

/** With this many payments a sheet is meant rather than one with fewer. */
const LEAST_ROWS = 3;

/** The sheet with payments, or the question which one; hidden ones only if no other has any. */
async function pickSheet(table: Table): Promise<Picked> {
  const { sheets = [], ofSheet } = table;
  if (sheets.length < 2 || ofSheet === undefined) return asPicked(table);
  for (const isHidden of [false, true]) {
    const counted: { name: string; rows: number }[] = [];
    for (const { name } of sheets.filter((sheet) => sheet.isHidden === isHidden)) {
      counted.push({ name, rows: await countRows(ofSheet(name)) });
    }
    const many = counted.filter(({ rows }) => rows >= LEAST_ROWS);
    const own = many.length > 0 ? many : counted.filter(({ rows }) => rows > 0);
    const [first, second] = own;
    if (first === undefined) continue;
    if (second === undefined) return asPicked(ofSheet(first.name));
    const choices = own.map(({ name: sheet }) => choice({ kind: 'sheet', sheet }));
    const text = 'Several sheets of the workbook have payments. Which one is meant?';
    return { ...table, ...ask('sheet', text, choices) };
  }
  return asPicked(table);
}

/** A table without the others of its workbook, which then need not stay. */
function asPicked({ ofSheet: _, ...table }: Table): Picked {
  return { ...table, questions: [] };
}

/** How much of a sheet shows whether it has payments. */
const HEAD = { characters: 64 * 1024, records: 500 };

async function countRows(table: Table): Promise<number> {
  let text = '';
  for await (const piece of table.open()) {
    text += piece.toString();
    if (text.length > HEAD.characters) break;
  }
  const records = previewRecords(text, ',', HEAD.records);
  const isRow = rowTest();
  return records.filter(({ fields }) => isRow(fields)).length;
}

/** Inspects a file. Rejects with FileError, and with AnswerError for a contradicted answer. */
export async function inspectFile(
  source: FileSource,
  given: Parameters<typeof inspectCsv>[1],
): Promise<Inspection> {
  const { answers } = given;
  const { last } = collectAnswers(answers);
  const named = answers.flatMap((each) => (each.kind === 'bankAccounts' ? [each.bankAccount] : []));
  const chosen: TableChoice = {
    sheet: last.sheet?.sheet,
    bankAccounts: named.length === 0 ? undefined : named,
  };
  const table = await tableOf(source, chosen);
  const isStated = table?.bankAccounts !== undefined;
  const wrong = answers.find(({ kind }) => {
    if (kind === 'currency' && table?.bankAccounts?.some(hasNone)) return false;
    return kind === 'bankAccounts' ? !isStated : kind === 'sheet' ? !table?.sheets : isStated;
  });
  if (wrong !== undefined) {
    const why = isStated ? `: ${table?.format} states what it means.` : '.';
    throw new AnswerError(wrong, ` is not for this file${why}`);
  }
  if (table === undefined) return inspectCsv(source, given);
  if (isStated) return inspectStatements(table, chosen, last.currency);
  const { name, questions } = table;
  if (questions.length > 0) return { name, table: shownOf(table), questions };
  const look = (...more: readonly Answer[]) =>
    inspectCsv(table, { ...given, answers: [...answers, ...more, ...AS_TABLE] });
  let found = await look();
  // Rows of a sheet that say that they are not booked yet are omitted.
  const firsts = found.questions.flatMap(({ choices: [first] }) => first?.answers ?? []);
  const pending = firsts.filter((each) => {
    return each.kind === 'line' && !each.isRow && isPendingWord(each.text);
  });
  if (pending.length > 0) found = await look(...pending);
  const { sheet } = chosen;
  const own = found.mapping && { ...found.mapping, delimiter: undefined, fewestValues: undefined };
  const mapping = own && sheet !== undefined ? { sheet, ...own } : own;
  return { ...found, table: shownOf(table), mapping, encoding: undefined };
}

/** A table without its rows, which then need not stay. */
function shownOf({ open: _, ...table }: Table): Omit<Table, 'open'> {
  return table;
}

/** How tables are written. */
const AS_TABLE: readonly Answer[] = [
  { kind: 'encoding', encoding: 'utf-8' },
  { kind: 'delimiter', delimiter: ',' },
];

/** Statements say how they are read; several currencies are asked about, and a missing one. */
async function inspectStatements(
  table: Table,
  choice: TableChoice,
  said?: AnswerOf<'currency'>,
): Promise<Inspection> {
  const { name, bankAccounts = [] } = table;
  const isMeant = (bankAccount: string) => choice.bankAccounts?.includes(bankAccount) !== false;
  const own = bankAccounts.filter((each) => each.payments > 0 && isMeant(each.name));
  const currencies = [...new Set(own.map(({ currency }) => currency))];
  const [currency] = currencies;
  const isNone = own.some(hasNone);
  if (said !== undefined && codesOf(said.currency).length === 0) {
    throw new AnswerError(said, `: "${said.currency}" is not a currency code such as GBP.`);
  }
  const amount = isNone && said ? { column: 'amount', currency: said.currency } : 'amount';
  const plain = Object.fromEntries(ROW_FIELDS.map((field) => [field, field]));
  const isChoice = choice.bankAccounts !== undefined || amount !== 'amount';
  const mapping: Mapping = {
    ...(choice.bankAccounts && { bankAccounts: choice.bankAccounts }),
    ...(isChoice && { header: COLUMNS }),
    ...(currency && !isNone && { currency: { column: CURRENCY_COLUMN, is: currency } }),
    fields: { ...plain, amount },
  };
  const questions = [
    ...(currencies.length < 2 ? [] : askCurrency(currencies, own)),
    ...(currencies.length < 2 && isNone && said === undefined ? NO_CODE.questions : []),
  ];
  const found = { name, table: shownOf(table), questions };
  if (questions.length > 0) return found;
  return { ...found, mapping, check: await checkFile(table, withTable(mapping, table)) };
}

const COLUMNS: readonly string[] = [...ROW_FIELDS, CURRENCY_COLUMN];

function hasNone({ currency }: BankAccount): boolean {
  return currency === NO_CURRENCY;
}

const NO_CODE = ask(
  'currency',
  `The file states the currency ${NO_CURRENCY}, which means none. Which one are its amounts in?`,
  [],
  'one currency',
);

function askCurrency(currencies: readonly string[], bankAccounts: readonly BankAccount[]) {
  const choices = currencies.map((currency) => ({
    answers: bankAccounts
      .filter((each) => each.currency === currency)
      .map((each) => ({ kind: 'bankAccounts' as const, bankAccount: each.name })),
    meaning: `the payments in ${currency || 'no stated currency'}; the others are omitted`,
  }));
  const text = `The file has accounts in ${currencies.join(' and ')}. Which are yours?`;
  return ask('bankAccounts', text, choices).questions;
}

/** A mapping as it reads a table. Throws MappingError for one of another kind of file. */
function withTable(mapping: Mapping, { isSheet, format }: Table): Mapping {
  const plain = { ...mapping, delimiter: ',', encoding: undefined };
  if (isSheet) return { ...plain, fewestValues: 0 };
  if (listNamed(mapping).some((name) => !COLUMNS.includes(name))) {
    throw new MappingError(`The mapping is for another kind of file: ${format} needs none.`);
  }
  return { ...plain, decimal: '.', isAssumed: true };
}

/** What reads a file: the file itself with its mapping, or the table that it makes. */
async function settle(source: FileSource, mapping: Mapping): Promise<[FileSource, Mapping]> {
  const table = await tableOf(source, mapping);
  return table === undefined ? [source, mapping] : [table, withTable(mapping, table)];
}

/**
 * The mapping of a file: for one that is not text also with what the file states, or questions
 * that come first. Rejects with FileError, MappingError.
 */
export async function completeMapping(
  source: FileSource,
  mapping: Mapping,
): Promise<{ readonly mapping: Mapping; readonly questions: readonly Question[] }> {
  const table = await tableOf(source, mapping);
  if (mapping.sheet !== undefined && table?.sheets === undefined) {
    throw new MappingError('The file has no sheets to choose from.');
  }
  if (table?.bankAccounts === undefined) {
    if (mapping.bankAccounts !== undefined)
      throw new MappingError('The file has no accounts to choose.');
    return { mapping, questions: table?.questions ?? [] };
  }
  const { questions, mapping: found } = await inspectStatements(table, ...saidBy(mapping));
  withTable(mapping, table);
  const currency = found?.currency && { currency: found.currency };
  return { mapping: { ...OWN_NAMES, ...found, ...mapping, ...currency }, questions };
}

/** What a mapping says about a statement, which states all else. */
function saidBy(mapping: Mapping): [TableChoice, AnswerOf<'currency'> | undefined] {
  const { currency } = ruleOf(mapping, 'amount');
  return [mapping, currency === undefined ? undefined : { kind: 'currency', currency }];
}

/** Opens a file of rows with a mapping. Rejects with FileError, MappingError. */
export async function readTable(
  source: FileSource,
  mapping: Mapping,
  isPaced: boolean,
): Promise<Reading> {
  const table = await tableOf(source, mapping);
  if (table === undefined) {
    return csv.readCsv(isPaced ? readSlices(source) : source.open(), mapping);
  }
  const [open] = table.questions;
  if (open !== undefined) throw new FileError(open.text);
  const reading = await csv.readCsv(table.open(), withTable(mapping, table));
  return {
    ...reading,
    overlap: table.overlap,
    doubts: table.doubts,
    // A table knows these once its rows were read; the totals add up all bank accounts.
    get notes() {
      const bankAccounts = table.sayings.map(({ value, note }) => `${value}: ${note}.`);
      return [...reading.notes, ...bankAccounts, ...table.warnings];
    },
    get remarks() {
      return [...table.leftOut, ...reading.remarks];
    },
  };
}

/** Whether a file, as a table, has the columns of the file for which a mapping was made. */
export async function hasHeaderOf(source: FileSource, mapping: Mapping): Promise<boolean> {
  if (mapping.header === undefined) return false;
  try {
    const [own, how] = await settle(source, mapping);
    return await csv.hasCsvHeaderOf(own.open(), how);
  } catch (error) {
    if (error instanceof FileError || error instanceof MappingError) return false;
    throw error;
  }
}

/** Inspects a file with the mapping of an earlier one; undefined if the mapping does not fit. */
export async function inspectWith(
  source: FileSource,
  mapping: Mapping,
): Promise<Inspection | undefined> {
  const table = await tableOf(source, mapping);
  if (table === undefined) return remembered.inspectCsvWith(source, mapping);
  if (table.bankAccounts !== undefined) return inspectStatements(table, ...saidBy(mapping));
  if (table.questions.length > 0) return undefined;
  const found = await remembered.inspectCsvWith(table, withTable(mapping, table));
  return found && { ...found, mapping, table: shownOf(table) };
}

/** Whether a file contradicts what its mapping rests on; statements state what they mean. */
export async function isContradicted(source: FileSource, mapping: Mapping): Promise<boolean> {
  if ((mapping.rests ?? []).length === 0) return false;
  return remembered.isCsvContradicted(...(await settle(source, mapping)));
}

/** The names of a file's columns; undefined if it has none, or if a question comes before them. */
export async function readNames(source: FileSource): Promise<readonly string[] | undefined> {
  const table = await tableOf(source, {});
  if (table?.bankAccounts !== undefined) return COLUMNS;
  if (table !== undefined && table.questions.length > 0) return undefined;
  const known = { source: table ?? source, answers: collectAnswers([]) };
  const encoding = await inspectEncoding(known);
  if (isAsked(encoding)) return undefined;
  const layout = await inspectLayout({ ...known, encoding });
  return isAsked(layout) || layout.headerLine.value === 0 ? undefined : layout.names;
}
