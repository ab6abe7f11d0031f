/** The findings of an inspection as text, 80 columns wide, with the evidence for each. */

import { count } from '../../core/counts.ts';
import { cleanText, widthOf, wrapText } from '../../core/text-width.ts';
import type { Check, Total } from '../../inspect/check.ts';
import type { ColumnFacts } from '../../inspect/column-facts.ts';
import { type Evidence, type Finding, type Question, quote } from '../../inspect/found.ts';
import type { Inspection } from '../../inspect/inspect.ts';
import { showDelimiter } from '../../inspect/layout.ts';
import { showSum } from '../../rows/exact-sums.ts';
import { columnsOf, listNamed, ruleOf, statedCurrency } from '../../rows/mapping.ts';
import { explainProblem } from '../../rows/rejected-rows.ts';
import { worded } from '../advice.ts';
import { explainEvidence, OTHER_WAYS, showChoice } from './options.ts';

/** The widest line. */
export const PAGE_WIDTH = 80;
const LABEL_WIDTH = 15;

/** The page of an inspection, without what comes next. */
export function formatPage(inspection: Inspection): string[] {
  const { name, questions, check } = inspection;
  const lines = [`${cleanText(name)}: what was found, and the evidence for it`, ''];
  for (const [label, value, because] of listFacts(inspection)) {
    lines.push(...formatFact(label, value, because));
  }
  if (check !== undefined) lines.push('', ...formatTotals(inspection, check));
  if (questions.length > 0) lines.push('', ...formatQuestions(questions));
  return lines;
}

type Fact = readonly [label: string, value: string, because: string];

/** A line of the page: what was found, and why. */
function fact(label: string, value: string, { evidence }: { readonly evidence: Evidence }): Fact {
  return [label, value, explainEvidence(evidence)];
}

function listFacts(inspection: Inspection): Fact[] {
  const { encoding, layout } = inspection;
  const facts: Fact[] = [];
  if (encoding !== undefined) facts.push(fact('Encoding', encoding.value, encoding));
  if (layout !== undefined) {
    const { delimiter, headerLine } = layout;
    facts.push(fact('Delimiter', showDelimiter(delimiter.value), delimiter));
    const header = headerLine.value === 0 ? 'none' : `line ${headerLine.value}`;
    facts.push(fact('Header', header, headerLine));
    facts.push(...describePreamble(inspection));
  }
  return [...facts, ...listColumns(inspection), ...listOthers(inspection)];
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

function listColumns(inspection: Inspection): Fact[] {
  const { date, dateFormat, amount, decimal, sign, cellCurrency, currency } = inspection;
  const facts: Fact[] = [];
  if (date !== undefined) facts.push(fact('Date', join([date.value]), date));
  if (dateFormat !== undefined) facts.push(fact('  format', dateFormat.value.text, dateFormat));
  if (amount !== undefined) facts.push(fact('Amount', join(amount.value), amount));
  if (decimal !== undefined) facts.push(fact('  format', describeFormat(inspection), decimal));
  const isInColumn = currency?.value !== undefined && cellCurrency?.value === undefined;
  if (cellCurrency !== undefined && !isInColumn) {
    facts.push(fact('  currency', cellCurrency.value ?? 'not stated', cellCurrency));
  }
  if (sign !== undefined) facts.push(fact('Money out', describeSign(inspection), sign));
  if (currency?.value !== undefined) {
    facts.push(fact('Currency', `only ${currency.value.is}`, currency));
  }
  const status = inspection.mapping?.status;
  if (status !== undefined) {
    const because = `rows with any other value in ${status.column} are rejected`;
    facts.push(['Status', [status.is].flat().join(', '), because]);
  }
  return facts;
}

function listOthers(inspection: Inspection): Fact[] {
  const { description, contact, accountCode, externalId, mapping } = inspection;
  const facts: Fact[] = [];
  const add = (label: string, text: Finding<readonly ColumnFacts[]> | undefined) => {
    if (text === undefined) return;
    facts.push(fact(label, text.value.length === 0 ? 'none' : join(text.value), text));
  };
  add('Description', description);
  add('Contact', contact);
  add('Account code', accountCode);
  const notSent = mapping === undefined ? [] : listNotSent(inspection);
  if (notSent.length > 0) facts.push(['Not sent', notSent.join(', '), '']);
  if (externalId === undefined) return facts;
  const { value: column } = externalId;
  if (column !== null) return [...facts, fact('External id', column.title, externalId)];
  const columns = mapping && columnsOf(mapping, 'externalId');
  const made = columns === undefined ? 'made by push' : `made from ${joinTitles(columns)}`;
  const means = 'If the bank changes the text of a row later, the row counts as new';
  return [...facts, ['External id', made, `${explainEvidence(externalId.evidence)}. ${means}`]];
}

/** The columns that push does not read; without a header they have numbers. */
function listNotSent({ facts, layout, mapping }: Inspection): string[] {
  const sent = new Set(mapping === undefined ? [] : listNamed(mapping));
  for (const guard of [mapping?.currency, mapping?.status]) if (guard) sent.add(guard.column);
  const isHeaderless = layout?.headerLine.value === 0;
  const shown = (facts?.columns ?? []).filter(({ name }) => isHeaderless || name !== '');
  const titles = shown.map(({ name, title }) => (isHeaderless ? title : name));
  return titles.filter((title) => !sent.has(title));
}

function join(columns: readonly ColumnFacts[]): string {
  return joinTitles(columns.map(({ title }) => title));
}

function joinTitles(titles: readonly string[]): string {
  return titles.map((title) => title.replace(/\s+/g, ' ')).join(' + ');
}

/** How amounts are written, as an example: `like 1,234.56`. */
function describeFormat(inspection: Inspection): string {
  const { decimal: sign, thousands = '' } = inspection.decimal?.value ?? {};
  const fraction = sign === undefined ? '' : `${sign}56`;
  const forms = { brackets: `(7${fraction})`, 'trailing minus': `7${fraction}-` } as const;
  const { mapping } = inspection;
  const written = (mapping && ruleOf(mapping, 'amount').negative) ?? [];
  const negative = [written].flat().map((form) => `${forms[form]} is negative`);
  return [`like 1${thousands}234${fraction}`, ...negative].join(', ');
}

function describeSign({ sign, mapping }: Inspection): string {
  const shape = sign?.value.shape;
  const [first, second] = mapping === undefined ? [] : columnsOf(mapping, 'amount');
  if (shape?.kind === 'signed') return shape.isTurned ? 'negative amounts' : 'positive amounts';
  if (shape?.kind !== 'indicator') return `amounts in ${first ?? 'the first column'}`;
  const words = shape.out.map((word) => word || 'no mark').join(', ');
  if (first === undefined) return words;
  return `${words} ${shape.isInCell ? 'in the cell' : `in ${second}`}`;
}

function formatFact(label: string, value: string, because: string): string[] {
  const indent = ' '.repeat(LABEL_WIDTH);
  const own = wrap(cleanText(value), PAGE_WIDTH - LABEL_WIDTH);
  const why = because === '' ? [] : wrap(cleanText(because), PAGE_WIDTH - LABEL_WIDTH - 2);
  return [
    ...own.map((line, at) => (at === 0 ? label.padEnd(LABEL_WIDTH) : indent) + line),
    ...why.map((line) => `${indent}  ${line}`),
  ];
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
    ...wrap(describeSent(inspection), PAGE_WIDTH),
    ...wrap(describeCurrency(inspection), PAGE_WIDTH),
  ];
  if (notRows.length > 0) {
    lines.push('', 'Skipped because they are not rows:');
    for (const text of notRows) lines.push(...indent(text));
  }
  if (refusedCount > 0) {
    lines.push('', `${count(refusedCount, 'row')} will be rejected:`);
    for (const { line, problems } of refused) {
      const reasons = problems.map((problem) => explainProblem(worded(problem), {})).join(' ');
      lines.push(...indent(`line ${line}: ${reasons}`));
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

function indent(text: string): string[] {
  return wrap(cleanText(text), PAGE_WIDTH - 4).map((line, at) => (at === 0 ? '  ' : '    ') + line);
}

function formatQuestions(questions: readonly Question[]): string[] {
  const [only, second] = questions;
  const begin =
    only !== undefined && second === undefined
      ? 'The file leaves one question open:'
      : `The file leaves ${questions.length} questions open:`;
  return [begin, ...questions.flatMap((question, at) => ['', ...formatQuestion(question, at + 1)])];
}

/** One question with its choices: each option, then its meaning. */
export function formatQuestion({ text, choices, other }: Question, number: number): string[] {
  const head = wrap(cleanText(text), PAGE_WIDTH - 4);
  const lines = head.map((line, at) => (at === 0 ? `${number}.`.padEnd(4) : '    ') + line);
  for (const choice of choices) {
    const [shown, meaning] = [showChoice(choice), choice.meaning].map(cleanText);
    lines.push(...wrap(shown ?? '', PAGE_WIDTH - 6).map((line) => `      ${line}`));
    lines.push(...wrap(meaning ?? '', PAGE_WIDTH - 10).map((line) => `          ${line}`));
  }
  if (other === undefined) return lines;
  const way = `${choices.length === 0 ? '' : 'or '}${OTHER_WAYS[other]}`;
  lines.push(...wrap(way, PAGE_WIDTH - 6).map((line) => `      ${line}`));
  return lines;
}
