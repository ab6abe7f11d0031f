/** The findings of an inspection as text, 80 columns wide, with the evidence for each. */

import { count } from '../../core/counts.ts';
import { cleanText, widthOf, wrapText } from '../../core/text-width.ts';
import type { Check, Total } from '../../inspect/check.ts';
import { type Columns, titlesOf } from '../../inspect/column-facts.ts';
import { type Finding, type Question, quote } from '../../inspect/found.ts';
import type { Inspection } from '../../inspect/inspect.ts';
import { showDelimiter } from '../../inspect/layout.ts';
import type { Separators } from '../../inspect/separators.ts';
import type { Signed } from '../../inspect/sign-context.ts';
import { showSum } from '../../rows/exact-sums.ts';
import { columnsOf, listNamed, ruleOf, statedCurrency } from '../../rows/mapping.ts';
import { explainProblem } from '../../rows/rejected-rows.ts';
import { worded } from '../advice.ts';
import { explainEvidence, OTHER_WAYS, showChoice } from './options.ts';

/** The widest line. */
export const PAGE_WIDTH = 80;
const LABEL_WIDTH = 15;

/** The page of an inspection, without what comes next; `readBy` is an earlier file's mapping. */
export function formatPage(inspection: Inspection, readBy: string | null = null): string[] {
  const { name, questions, check } = inspection;
  const lines = [`${cleanText(name)}: what was found, and the evidence for it`, ''];
  const remembered: Fact[] = readBy === null ? [] : [['Read by', readBy, REMEMBERED]];
  for (const [label, value, because] of [...remembered, ...listFacts(inspection)]) {
    lines.push(...indent(value, label.padEnd(LABEL_WIDTH), ' '.repeat(LABEL_WIDTH)));
    if (because !== '') lines.push(...indent(because, ' '.repeat(LABEL_WIDTH + 2)));
  }
  if (check !== undefined) lines.push('', ...formatTotals(inspection, check));
  if (questions.length > 0) lines.push('', ...formatQuestions(questions));
  return lines;
}

const REMEMBERED =
  'the mapping of an earlier file with the same columns. To inspect this one, add an answer, ' +
  'such as --money-out negative';

type Fact = readonly [label: string, value: string, because: string];

/** What was found, and why; nothing if it was not found. */
function fact<Value>(
  label: string,
  finding: Finding<Value> | undefined,
  show: (value: Value) => string,
): Fact[] {
  return finding === undefined
    ? []
    : [[label, show(finding.value), explainEvidence(finding.evidence)]];
}

function listFacts(inspection: Inspection): Fact[] {
  const { encoding, layout, date, amount, cellCurrency, currency } = inspection;
  const isInColumn = currency?.value !== undefined && cellCurrency?.value === undefined;
  return [
    ...fact('Encoding', encoding, String),
    ...fact('Delimiter', layout?.delimiter, showDelimiter),
    ...fact('Header', layout?.headerLine, (line) => (line === 0 ? 'none' : `line ${line}`)),
    ...describePreamble(inspection),
    ...fact('Date', date, (column) => join([column])),
    ...fact('  format', inspection.dateFormat, ({ text }) => text),
    ...fact('Amount', amount, join),
    ...fact('  format', inspection.decimal, (signs) => describeFormat(signs, inspection)),
    ...(isInColumn ? [] : fact('  currency', cellCurrency, (code) => code ?? 'not stated')),
    ...fact('Money out', inspection.sign, ({ shape }) => describeSign(shape, inspection)),
    ...(currency?.value ? fact('Currency', currency, (own) => `only ${own?.is}`) : []),
    ...describeStatus(inspection),
    ...fact('Description', inspection.description, join),
    ...fact('Contact', inspection.contact, join),
    ...fact('Account code', inspection.accountCode, join),
    ...describeNotSent(inspection),
    ...describeIdentity(inspection),
  ];
}

function describePreamble({ layout }: Inspection): Fact[] {
  const preamble = layout?.preamble ?? [];
  const [first] = preamble;
  const last = preamble.at(-1);
  if (first === undefined || last === undefined) return [];
  const where = first === last ? `line ${first.line}` : `lines ${first.line}–${last.line}`;
  const shown = quote(first.fields.filter((field) => field.trim() !== '').join(' '));
  return [['Skipped', where, `before the header: ${shown}${first === last ? '' : ' …'}`]];
}

function describeStatus({ mapping }: Inspection): Fact[] {
  if (mapping?.status === undefined) return [];
  const { column, is } = mapping.status;
  return [
    ['Status', [is].flat().join(', '), `rows with any other value in ${column} are rejected`],
  ];
}

function describeIdentity({ externalId, mapping }: Inspection): Fact[] {
  const columns = mapping && columnsOf(mapping, 'externalId');
  const made = columns === undefined ? 'made by push' : `made from ${joinTitles(columns)}`;
  const means = 'If the bank changes the text of a row later, the row counts as new';
  return fact('External id', externalId, (column) => column?.title ?? made).map(
    ([label, value, why]) => [label, value, externalId?.value === null ? `${why}. ${means}` : why],
  );
}

/** The columns that push does not read; without a header they have numbers. */
function describeNotSent({ facts, layout, mapping }: Inspection): Fact[] {
  if (mapping === undefined) return [];
  const sent = new Set(listNamed(mapping));
  for (const guard of [mapping.currency, mapping.status]) if (guard) sent.add(guard.column);
  const isHeaderless = layout?.headerLine.value === 0;
  const shown = (facts?.columns ?? []).filter(({ name }) => isHeaderless || name !== '');
  const titles = shown.map(({ name, title }) => (isHeaderless ? title : name));
  const others = titles.filter((title) => !sent.has(title));
  return others.length === 0 ? [] : [['Not sent', others.join(', '), '']];
}

function join(columns: Columns): string {
  return columns.length === 0 ? 'none' : joinTitles(titlesOf(columns));
}

function joinTitles(titles: readonly string[]): string {
  return titles.map((title) => title.replace(/\s+/g, ' ')).join(' + ');
}

/** How amounts are written, as an example: `like 1,234.56`. */
function describeFormat({ decimal, thousands }: Separators, { mapping }: Inspection): string {
  const fraction = decimal === undefined ? '' : `${decimal}56`;
  const forms = { brackets: `(7${fraction})`, 'trailing minus': `7${fraction}-` } as const;
  const written = (mapping && ruleOf(mapping, 'amount').negative) ?? [];
  const negative = [written].flat().map((form) => `${forms[form]} is negative`);
  return [`like 1${thousands ?? ''}234${fraction}`, ...negative].join(', ');
}

function describeSign(shape: Signed['shape'], { mapping }: Inspection): string {
  const [first, second] = mapping === undefined ? [] : columnsOf(mapping, 'amount');
  if (shape.kind === 'signed') return shape.isTurned ? 'negative amounts' : 'positive amounts';
  if (shape.kind === 'two') return `amounts in ${first ?? 'the first column'}`;
  const words = shape.out.map((word) => word || 'no mark').join(', ');
  if (first === undefined) return words;
  return `${words} ${shape.isInCell ? 'in the cell' : `in ${second}`}`;
}

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

/** A key that may only push cannot read, so push never learns which currency the service uses. */
function describeCurrency({ mapping }: Inspection): string {
  const currency = mapping === undefined ? undefined : statedCurrency(mapping);
  return currency === undefined
    ? "The file does not state a currency: push assumes the organisation's."
    : `The amounts are in ${currency}. Check that the organisation uses it: push cannot.`;
}

function formatTotal(label: string, { rows, sum }: Total): string {
  const amount = showSum(sum < 0n ? -sum : sum);
  return `  ${label.padEnd(LABEL_WIDTH - 2)}${amount.padStart(18)}  ${count(rows, 'row')}`;
}

function formatQuestions(questions: readonly Question[]): string[] {
  const open = questions.length === 1 ? 'one question' : `${questions.length} questions`;
  const all = questions.flatMap((question, at) => ['', ...formatQuestion(question, at + 1)]);
  return [`The file leaves ${open} open:`, ...all];
}

/** One question with its choices: each option, then its meaning. */
export function formatQuestion({ text, choices, other }: Question, number: number): string[] {
  const way = `${choices.length === 0 ? '' : 'or '}${other && OTHER_WAYS[other]}`;
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
