/** The findings of an inspection as text, 80 columns wide, with the evidence for each. */

import { count } from '../../core/counts.ts';
import { cleanText, widthOf, wrapText } from '../../core/text-width.ts';
import type { Check, Total } from '../../inspect/check.ts';
import { titleOf } from '../../inspect/facts.ts';
import { type Choice, type Question, quote } from '../../inspect/found.ts';
import type { Inspection } from '../../inspect/inspect.ts';
import { showDelimiter } from '../../inspect/layout.ts';
import { listMade, listSent, toMapping } from '../../inspect/mapping-document.ts';
import { nameColumn } from '../../rows/columns.ts';
import { statedCurrency } from '../../rows/currency-signs.ts';
import { showSum } from '../../rows/exact-sums.ts';
import { worded } from '../advice.ts';
import { explainProblem } from '../push/rejected-file.ts';

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

function listFacts(inspection: Inspection): Fact[] {
  const { encoding, layout } = inspection;
  const facts: Fact[] = [];
  if (encoding !== undefined) {
    facts.push(['Encoding', encoding.value, encoding.evidence.because]);
  }
  if (layout !== undefined) {
    const { delimiter, headerLine } = layout;
    facts.push(['Delimiter', showDelimiter(delimiter.value), delimiter.evidence.because]);
    const header = headerLine.value === 0 ? 'none' : `line ${headerLine.value}`;
    facts.push(['Header', header, headerLine.evidence.because]);
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
  if (date !== undefined) facts.push(['Date', join(date.columns), date.evidence.because]);
  if (dateFormat !== undefined) {
    facts.push(['  format', dateFormat.value.text, dateFormat.evidence.because]);
  }
  if (amount !== undefined) facts.push(['Amount', join(amount.columns), amount.evidence.because]);
  if (decimal !== undefined) {
    facts.push(['  format', describeSigns(inspection), decimal.evidence.because]);
  }
  const isInColumn = currency?.value !== undefined && cellCurrency?.value === undefined;
  if (cellCurrency !== undefined && !isInColumn) {
    const { value = 'not stated', evidence } = cellCurrency;
    facts.push(['  currency', value, evidence.because]);
  }
  if (sign !== undefined) {
    facts.push(['Money out', describeSign(inspection), sign.evidence.because]);
  }
  if (currency?.value !== undefined) {
    facts.push(['Currency', `only ${currency.value.is}`, currency.evidence.because]);
  }
  const status = inspection.found?.status;
  if (status !== undefined) {
    const because = `rows with any other value in ${status.column} are rejected`;
    facts.push(['Status', status.is.join(', '), because]);
  }
  return facts;
}

function listOthers({ texts = {}, externalId, found, layout }: Inspection): Fact[] {
  const sent = found === undefined ? [] : listSent(found);
  const names = layout?.names ?? [];
  const isHeaderless = layout?.headerLine.value === 0;
  const shown = names.filter((name) => isHeaderless || name !== '');
  const titles = isHeaderless ? shown.map((_, index) => nameColumn(index, names)) : shown;
  const notSent = titles.filter((title) => !sent.includes(title));
  const facts: Fact[] = [];
  const labels = { description: 'Description', contact: 'Contact', accountCode: 'Account code' };
  for (const field of ['description', 'contact', 'accountCode'] as const) {
    const text = texts[field];
    if (text === undefined) continue;
    const value = text.columns.length === 0 ? 'none' : join(text.columns);
    facts.push([labels[field], value, text.evidence.because]);
  }
  if (found !== undefined && notSent.length > 0) {
    facts.push(['Not sent', notSent.join(', '), '']);
  }
  if (externalId === undefined) return facts;
  const { value: identity, evidence } = externalId;
  if ('column' in identity) {
    const column = layout === undefined ? '' : titleOf(identity.column, { layout });
    return [...facts, ['External id', column, evidence.because]];
  }
  const made = found === undefined ? 'made by push' : `made from ${join(listMade(found))}`;
  const means = 'If the bank changes the text of a row later, the row counts as new';
  return [...facts, ['External id', made, `${evidence.because}. ${means}`]];
}

function join(columns: readonly string[]): string {
  return columns.map((column) => column.replace(/\s+/g, ' ')).join(' + ');
}

/** How amounts are written, as an example: `like 1,234.56`. */
function describeSigns({ decimal, found }: Inspection): string {
  const { decimal: sign, thousands = '' } = decimal?.value ?? {};
  const fraction = sign === undefined ? '' : `${sign}56`;
  const forms = { brackets: `(7${fraction})`, 'trailing minus': `7${fraction}-` } as const;
  const negative = (found?.amount.negative ?? []).map((form) => `${forms[form]} is negative`);
  return [`like 1${thousands}234${fraction}`, ...negative].join(', ');
}

function describeSign({ sign, found }: Inspection): string {
  const shape = sign?.value.shape;
  const columns = found?.amount.columns ?? [];
  if (shape?.kind === 'signed') return shape.isTurned ? 'negative amounts' : 'positive amounts';
  if (shape?.kind === 'two') return `amounts in ${columns[0] ?? 'the first column'}`;
  const words = (shape?.kind === 'indicator' ? shape.out : []).map((word) => word || 'no mark');
  const where = shape?.kind === 'indicator' && shape.isInCell ? 'in the cell' : `in ${columns[1]}`;
  return `${words.join(', ')} ${columns.length === 0 ? '' : where}`.trim();
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
function formatTotals({ found }: Inspection, check: Check): string[] {
  const { rows, moneyOut, moneyIn, zeros, from, to, notRows, refused, refusedCount } = check;
  const days = from === undefined ? '' : `, ${from} to ${to}`;
  const lines = [
    `${count(rows, 'row')}${days}`,
    formatTotal('Money out', moneyOut),
    formatTotal('Money in', moneyIn),
    ...(zeros > 0 ? [`  ${count(zeros, 'row')} with the amount 0`] : []),
    ...wrap(describeSent(found), PAGE_WIDTH),
    ...wrap(describeCurrency(found), PAGE_WIDTH),
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
function describeSent(found: Inspection['found']): string {
  const shape = found?.amount.shape;
  const sent = 'push sends money out as positive amounts and money in as negative ones';
  if (shape?.kind !== 'signed') return `${sent}.`;
  return shape.isTurned
    ? `${sent}: it reverses every sign in this file.`
    : `${sent}, as they are in this file.`;
}

/** A key that may only push cannot read, so push never learns which currency the service uses. */
function describeCurrency(found: Inspection['found']): string {
  const currency = found === undefined ? undefined : statedCurrency(toMapping(found));
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
  const way = choices.length === 0 ? other : `or ${other}`;
  lines.push(...wrap(way, PAGE_WIDTH - 6).map((line) => `      ${line}`));
  return lines;
}

/** The options of a choice as they are typed, quoted for a shell where necessary. */
export function showChoice({ option, and }: Choice): string {
  const options = and === undefined ? [option] : [option, and];
  return options.map(([name, value]) => `--${name} ${quoteArgument(value)}`).join(' ');
}

/** A command-line argument, quoted where necessary. */
export function quoteArgument(text: string): string {
  if (/^[\p{L}\p{N}_.,:=/@%+#-]+$/u.test(text) && !text.startsWith('#')) return text;
  return `"${text.replace(/(["\\`]|\$(?=[\w{(]))/g, '\\$1')}"`;
}
