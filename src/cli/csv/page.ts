/**
 * The findings of an inspection as text, 80 columns wide, with the evidence for each, and the
 * answers to its questions as options of the command line.
 */

import { statSync } from 'node:fs';
import { lastPaymentDay } from '../../core/calendar.ts';
import { count, nounFor } from '../../core/counts.ts';
import { Failure } from '../../core/failures.ts';
import { cleanText, widthOf, wrapText } from '../../core/text-width.ts';
import {
  type Check,
  type Choice,
  type Evidence,
  explainProblem,
  type Fact,
  FileError,
  type Inspection,
  listFacts,
  loadTables,
  type Mapping,
  type OtherWay,
  type Question,
  showSum,
  statedCurrency,
  storedFile,
  type Total,
  type WrittenAnswer,
  writeAnswer,
} from '../../files/index.ts';
import { worded } from '../advice.ts';
import type { Io } from '../command.ts';
import { printNotes } from '../output.ts';
import { quoted } from '../quoted.ts';

/** The widest line. */
const PAGE_WIDTH = 80;
const LABEL_WIDTH = 15;

/** The page of an inspection, without what comes next; `readBy` is an earlier file's mapping. */
export function formatPage(inspection: Inspection, readBy: string | null = null): string[] {
  const { name, questions, check } = inspection;
  const lines = [`${cleanText(name)}: what was found, and the evidence for it`, ''];
  const remembered: Fact[] =
    readBy === null ? [] : [{ label: 'Read by', value: readBy, note: REMEMBERED }];
  for (const each of [...remembered, ...listFacts(inspection)]) {
    const { label, value } = each;
    const why = each.evidence === undefined ? '' : explainEvidence(each.evidence);
    const because = [why, each.note].filter((text) => text !== '').join('. ');
    lines.push(...indent(value, label.padEnd(LABEL_WIDTH), ' '.repeat(LABEL_WIDTH)));
    if (because !== '') lines.push(...indent(because, ' '.repeat(LABEL_WIDTH + 2)));
  }
  if (check !== undefined) lines.push('', ...formatTotals(inspection, check));
  if (questions.length > 0) {
    lines.push('', `The file leaves ${count(questions.length, 'question')} open:`);
    lines.push(...questions.flatMap((each, at) => ['', ...formatQuestion(each, at + 1)]));
  }
  return lines;
}

const REMEMBERED =
  'the mapping of an earlier file with the same columns. To inspect this one, add an answer, ' +
  'such as --money-out negative';

/** The text in lines of the page, with something before its first line and before the others. */
function indent(text: string, first: string, others = first): string[] {
  const lines = wrap(cleanText(text), PAGE_WIDTH - others.length);
  return lines.map((line, at) => (at === 0 ? first : others) + line);
}

/** Wraps text; words longer than a line are split. */
function wrap(text: string, width: number): string[] {
  return wrapText(text, width).flatMap((line) => {
    if (widthOf(line) <= width) return [line];
    const parts: string[] = [];
    let part = '';
    for (const character of line) {
      if (widthOf(part + character) > width) {
        parts.push(part);
        part = '';
      }
      part += character;
    }
    return [...parts, part];
  });
}

/** Always shows both directions, so that a reversed sign is noticed. */
function formatTotals(inspection: Inspection, check: Check): string[] {
  const { rows, moneyOut, moneyIn, zeros, from, to, notRows, refused, refusedCount } = check;
  const { total: repeated, items, more } = check.repeated;
  const days = from === undefined ? '' : `, ${from} to ${to}`;
  const lines = [
    `${count(rows, 'row')}${days}`,
    formatTotal('Money out', moneyOut),
    formatTotal('Money in', moneyIn),
    ...(zeros > 0 ? [`  ${count(zeros, 'row')} with the amount 0`] : []),
    ...(inspection.mapping === undefined
      ? []
      : [describeSent, describeCurrency].flatMap((describe) => indent(describe(inspection), ''))),
  ];
  if (repeated > 0) {
    const have = nounFor(repeated, 'row has', 'rows have');
    lines.push('', `${repeated} more ${have} the externalId of a later row, which counts instead:`);
    for (const { line, byLine, externalId } of items) {
      lines.push(...indent(`line ${line}: ${externalId} is in line ${byLine} too`, '  ', '    '));
    }
    if (more > 0) lines.push('  …');
  }
  if (notRows.length > 0) {
    lines.push('', 'Skipped because they are not rows:');
    for (const text of notRows) lines.push(...indent(text, '  ', '    '));
  }
  if (refusedCount > 0) {
    lines.push('', `${count(refusedCount, 'row')} will be rejected:`);
    for (const { line, problems } of refused) {
      const reasons = problems.map((problem) => explainProblem(worded(problem), {})).join(' ');
      lines.push(...indent(`line ${line}: ${reasons}`, '  ', '    '));
    }
    if (refusedCount > refused.length) lines.push('  …');
  }
  return lines;
}

/** The sign that push sends is often not the one in the file, so the page says so. */
function describeSent({ mapping, sign }: Inspection): string {
  const shape = mapping && sign?.value.shape;
  const sent = 'push sends money out as positive amounts and money in as negative ones';
  if (shape?.kind !== 'signed') return `${sent}.`;
  return shape.isTurned
    ? `${sent}: it reverses every sign in this file.`
    : `${sent}, as they are in this file.`;
}

function describeCurrency({ mapping }: Inspection): string {
  const currency = mapping === undefined ? undefined : statedCurrency(mapping);
  return currency === undefined
    ? "The file does not state a currency: push assumes the organisation's."
    : `The amounts are in ${currency}: push refuses them if the organisation uses another.`;
}

function formatTotal(label: string, { rows, sum }: Total): string {
  const amount = showSum(sum < 0 ? -sum : sum);
  return `  ${label.padEnd(LABEL_WIDTH - 2)}${amount.padStart(18)}  ${count(rows, 'row')}`;
}

/** One question with its choices: each option, then its meaning. */
export function formatQuestion(question: Question, number: number): string[] {
  const { text, choices } = question;
  const other = otherWays(question);
  const way = `${choices.length === 0 ? '' : 'or '}${other}`;
  return [
    ...indent(text, `${number}.`.padEnd(4), ' '.repeat(4)),
    ...choices.flatMap((choice) => [
      ...indent(showChoice(choice), ' '.repeat(6)),
      ...(choice.meaning === undefined ? [] : indent(choice.meaning, ' '.repeat(10))),
      ...(choice.examples ?? []).flatMap((line) => indent(line, ' '.repeat(10), ' '.repeat(12))),
    ]),
    ...(other === undefined ? [] : indent(way, ' '.repeat(6))),
  ];
}

/** The options of a choice as they are typed, quoted for a shell where necessary. */
export function showChoice({ answers }: Choice): string {
  return answers.map(writeAnswer).map(showOption).join(' ');
}

/** One option as it is typed. */
export function showOption({ name, value }: WrittenAnswer): string {
  return `--${name} ${quoted(value)}`;
}

const OTHER_WAYS: Readonly<Record<OtherWay, string>> = {
  'another amount': '--map amount=COLUMN for another column',
  'whole units': 'export whole units',
  totals: 'add a column of totals',
  'two amounts': '--map out=COLUMN --map in=COLUMN for separate columns',
  'one currency': '--map currency= if all amounts are in one currency anyway',
  'any date': '--map date=COLUMN:FORMAT, such as DD/MM/YYYY',
  'any date format': '--date-format FORMAT, such as DD/MM/YYYY',
  'a date format with a year': '--date-format DDMM@YYYY, with the year in place of YYYY',
  'one account': 'export only the bank account, and inspect that file',
  'export as UTF-8': 'export the file again, as UTF-8',
  'any encoding': '--encoding NAME',
  indicator: '--map indicator=COLUMN if a column shows the direction of each payment',
  signs: 'export the file with signs',
  'several words': '--money-out ONE,TWO for several words; the others are then money in',
  neither: '--map indicator= if the words mean neither',
  'joined descriptions': '--map description=ONE --map description=TWO to join two columns',
};

/** What to type when no choice of a question is right; undefined if nothing helps. */
export function otherWays({ others }: Question): string | undefined {
  return others.length === 0 ? undefined : others.map((each) => OTHER_WAYS[each]).join(', or ');
}

/** Why something was found, as a clause. */
export function explainEvidence(evidence: Evidence): string {
  if ('because' in evidence) {
    const { because, instead = [], otherColumn } = evidence;
    const other = otherColumn === undefined ? [] : [`--map ${otherColumn}=COLUMN`];
    const ways = [...instead.map(writeAnswer).map(showOption), ...other].join(' or ');
    return ways === '' ? because : `${because}. To change it, add ${ways}`;
  }
  if ('missing' in evidence) {
    return evidence.missing === 'currency'
      ? 'to state it, add for example --currency GBP'
      : `no column name matches; use --map ${evidence.missing}=COLUMN to set one`;
  }
  const options = evidence.said.map(writeAnswer);
  return `you set ${options.map(({ name, value }) => `--${name} ${value}`).join(' ')}`;
}

/**
 * The mapping to read a file with: also with what a file that is not text states. Refuses a file
 * that leaves a question open, or whose days, decimals or signs contradict what its mapping rests
 * on, unless the file itself proves the same. Prints the questions, and throws Failure. What makes
 * a file unreadable is left to who reads it next, and says it with the name and the counts.
 */
export async function settleMapping(io: Io, path: string, mapping: Mapping): Promise<Mapping> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return mapping;
  try {
    return await settle(io, path, mapping);
  } catch (error) {
    if (error instanceof FileError) return mapping;
    throw error;
  }
}

async function settle(io: Io, path: string, mapping: Mapping): Promise<Mapping> {
  const source = storedFile(path);
  const { name } = source;
  const refuse = (open: readonly Question[], what: string) => {
    printNotes(io, ...open.flatMap((each, at) => formatQuestion(each, at + 1)));
    const way = `budgetd csv inspect ${quoted(path)} shows how it can be read`;
    return new Failure('conflict', `${what}. Nothing was sent. ${way}.`);
  };
  const { completeMapping, inspectFile, isContradicted } = await loadTables();
  if (await isContradicted(source, mapping)) {
    const now = { answers: [], lastDay: lastPaymentDay(Date.now()) };
    const { questions, mapping: found } = await inspectFile(source, now);
    const what = `${name} contradicts the mapping, which was made for an earlier file`;
    if (found === undefined || !isSame(found, mapping)) throw refuse(questions, what);
  }
  const { mapping: complete, questions } = await completeMapping(source, mapping);
  if (questions.length > 0) throw refuse(questions, `${name} leaves a question open`);
  return complete;
}

function isSame(one: Mapping, other: Mapping): boolean {
  const [own, old] = [one, other].map(({ decimal = '.', fields: { date, amount } }) =>
    JSON.stringify([decimal, date, amount]),
  );
  return own === old;
}
