/**
 * What an inspection found, in the order in which it is shown. A door adds its own words for the
 * evidence, such as the option that changes a finding.
 */

import { type RareField, ROW_MEMBERS, TEXT_FIELDS } from '../../core/row-members.ts';
import { columnsOf, listNamed, ruleOf } from '../mapping/mapping.ts';
import { showDelimiter } from '../mapping/mapping-values.ts';
import type { Separators } from './amount-cells.ts';
import type { Columns } from './column-facts.ts';
import { type Evidence, type Finding, type QuestionKind, quote, titlesOf } from './found.ts';
import type { Inspection } from './inspect.ts';
import type { Signed } from './sides.ts';

/** What a finding is about: what a question can be about, and where the id comes from. */
export type Subject = QuestionKind | 'externalId' | RareField;

/** One thing that was found, and why. */
export interface Fact {
  /** Undefined for what no answer changes. */
  readonly subject?: Subject;
  /** What it is; one that belongs to the fact before begins with two spaces. */
  readonly label: string;
  readonly value: string;
  readonly evidence?: Evidence;
  /** What else there is to say; empty if nothing. */
  readonly note: string;
}

/** What was found; nothing if it was not found. */
function fact<Value>(
  subject: Subject,
  label: string,
  finding: Finding<Value> | undefined,
  show: (value: Value) => string,
): Fact[] {
  if (finding === undefined) return [];
  return [{ subject, label, value: show(finding.value), evidence: finding.evidence, note: '' }];
}

/** Everything that was found. */
export function listFacts(inspection: Inspection): Fact[] {
  const { table, layout, cellCurrency, currency } = inspection;
  const isInColumn = currency?.value !== undefined && cellCurrency?.value === undefined;
  const cells = isInColumn ? undefined : cellCurrency;
  return [
    ...describeTable(inspection),
    ...fact('encoding', 'Encoding', inspection.encoding, String),
    ...fact('delimiter', 'Delimiter', table ? undefined : layout?.delimiter, showDelimiter),
    ...fact('header', 'Header', layout?.headerLine, (line) => (line ? `line ${line}` : 'none')),
    ...describePreamble(inspection),
    ...fact('date', 'Date', inspection.date, (column) => join([column])),
    ...fact('dateFormat', '  format', inspection.dateFormat, ({ text }) => text),
    ...fact('amount', 'Amount', inspection.amount, join),
    ...fact('decimal', '  format', inspection.decimal, (own) => describeFormat(own, inspection)),
    ...fact('currency', '  currency', cells, (code) => code ?? 'not stated'),
    ...fact('moneyOut', 'Money out', inspection.sign, ({ shape }) =>
      describeSign(shape, inspection),
    ),
    ...fact('currency', 'Currency', currency?.value && currency, (own) => `only ${own?.is}`),
    ...describeStatus(inspection),
    ...TEXT_FIELDS.flatMap((field) =>
      fact(field, ROW_MEMBERS[field].title, inspection[field], join),
    ),
    ...describeUnused(inspection),
    ...describeIdentity(inspection),
  ];
}

/** What a file that is not text says; what should be looked at comes after it. */
function describeTable({ table }: Inspection): Fact[] {
  if (table === undefined) return [];
  const notes = [...table.warnings, ...table.leftOut];
  return [
    { label: 'Format', value: table.format, note: '' },
    ...table.sayings,
    ...notes.map((value) => ({ label: 'Note', value, note: '' })),
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
  const made = columns === undefined ? 'made from the row' : `made from ${joinTitles(columns)}`;
  const means = 'If the bank changes the text of a row later, the row counts as new';
  const note = externalId?.value === null ? means : '';
  const found = fact('externalId', 'External id', externalId, (column) => column?.title ?? made);
  return found.map((each) => ({ ...each, note }));
}

/** The columns that are not read; without a header they have numbers. */
function describeUnused({ facts, layout, mapping }: Inspection): Fact[] {
  if (mapping === undefined) return [];
  const sent = new Set(listNamed(mapping));
  for (const guard of [mapping.currency, mapping.status]) if (guard) sent.add(guard.column);
  const isHeaderless = layout?.headerLine.value === 0;
  const shown = (facts?.columns ?? []).filter(({ name }) => isHeaderless || name !== '');
  const titles = shown.map(({ name, title }) => (isHeaderless ? title : name));
  const others = titles.filter((title) => !sent.has(title));
  return others.length === 0 ? [] : [{ label: 'Not used', value: others.join(', '), note: '' }];
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
