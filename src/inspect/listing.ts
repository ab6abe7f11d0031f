/**
 * What an inspection found, in the order in which it is shown. A door adds its own words for the
 * evidence, such as the option that changes a finding.
 */

import { columnsOf, listNamed, ruleOf } from '../rows/mapping.ts';
import { type Columns, titlesOf } from './column-facts.ts';
import { type Evidence, type Finding, quote } from './found.ts';
import type { Inspection } from './inspect.ts';
import { showDelimiter } from './layout.ts';
import type { Separators } from './separators.ts';
import type { Signed } from './sign-context.ts';

/** One thing that was found, and why. */
export interface Fact {
  /** What it is; one that belongs to the fact before begins with two spaces. */
  readonly label: string;
  readonly value: string;
  readonly evidence?: Evidence;
  /** What else there is to say; empty if nothing. */
  readonly note: string;
}

/** What was found; nothing if it was not found. */
function fact<Value>(
  label: string,
  finding: Finding<Value> | undefined,
  show: (value: Value) => string,
  note = '',
): Fact[] {
  if (finding === undefined) return [];
  return [{ label, value: show(finding.value), evidence: finding.evidence, note }];
}

/** Everything that was found. */
export function listFacts(inspection: Inspection): Fact[] {
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
  const note = `before the header: ${shown}${first === last ? '' : ' …'}`;
  return [{ label: 'Skipped', value: where, note }];
}

function describeStatus({ mapping }: Inspection): Fact[] {
  if (mapping?.status === undefined) return [];
  const { column, is } = mapping.status;
  const note = `rows with any other value in ${column} are rejected`;
  return [{ label: 'Status', value: [is].flat().join(', '), note }];
}

function describeIdentity({ externalId, mapping }: Inspection): Fact[] {
  const columns = mapping && columnsOf(mapping, 'externalId');
  const made = columns === undefined ? 'made by push' : `made from ${joinTitles(columns)}`;
  const means = 'If the bank changes the text of a row later, the row counts as new';
  const note = externalId?.value === null ? means : '';
  return fact('External id', externalId, (column) => column?.title ?? made, note);
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
  return others.length === 0 ? [] : [{ label: 'Not sent', value: others.join(', '), note: '' }];
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
