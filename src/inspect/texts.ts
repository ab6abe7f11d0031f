/** Finds the columns of the description, the contact and the account code. */

import type { Answers } from './answers.ts';
import type { ColumnFacts } from './column-facts.ts';
import { isDateColumn } from './dates.ts';
import { findPair } from './direction-words.ts';
import { type Facts, provenByNames, requireColumn, titleOf } from './facts.ts';
import { type Answer, type Choice, type Question, quote, stated } from './found.ts';
import { plainWords, type Role, rolesOf } from './header-words.ts';

/** The text fields of a row. */
export type TextField = 'description' | 'contact' | 'accountCode';

/** Works out the columns of a text field, in the order to join them; never one of `taken`. */
export function inspectText(
  field: TextField,
  facts: Facts,
  answers: Answers,
  taken: readonly number[],
): Answer<readonly number[]> {
  const said = answers.columns.get(field);
  if (said !== undefined && (said.length > 0 || field !== 'description')) {
    const indexes = said.map((name) => requireColumn(name, facts));
    return stated(indexes, `--map ${field}=${said.join(', ')}`);
  }
  const free = facts.columns.filter((column) => {
    const isWords = field === 'accountCode' || column.letters >= column.filled / 2;
    return (
      column.filled > 0 && isWords && !taken.includes(column.index) && !isNoText(column, facts)
    );
  });
  if (field === 'description') return inspectDescription(facts, free);
  return inspectOptional(field, facts, free);
}

/** Dates, currency codes and words such as debit do not describe a payment. */
function isNoText(column: ColumnFacts, { rows }: Facts): boolean {
  if (isDateColumn(column, rows) || column.isCurrency) return true;
  if (column.numbers.isNumeric && column.letters > 0) return true;
  const values = column.values;
  return values !== undefined && findPair([...values.keys()]) !== undefined;
}

function inspectDescription(facts: Facts, free: readonly ColumnFacts[]): Answer<readonly number[]> {
  const first = withRole(free, 'description');
  const second = withRole(free, 'description2');
  const best = first.length > 0 ? first : second;
  const [only, other] = best;
  if (only === undefined) return { question: askDescription(facts, free) };
  if (other !== undefined) return { question: ask('description', facts, best) };
  // A row without a description is rejected, so a second column fills the gaps.
  const more = only.filled < facts.rows ? second.filter((column) => column !== only) : [];
  const value = [only, ...more].map(({ index }) => index);
  if (more.length === 0) return { value, evidence: provenByNames([only.name], facts) };
  const title = titleOf(only.index, facts);
  const because = `joined because ${title} is empty in line ${only.firstBlankLine}`;
  return { value, evidence: { line: only.firstBlankLine ?? null, text: only.name, because } };
}

function inspectOptional(
  field: 'contact' | 'accountCode',
  facts: Facts,
  free: readonly ColumnFacts[],
): Answer<readonly number[]> {
  const all = withRole(free, field);
  const special = all.filter(({ name }) => !NAMES.has(plainWords(name)));
  const found = special.length > 0 ? special : all;
  const [only, second] = found;
  if (second !== undefined) return { question: ask(field, facts, found) };
  if (only !== undefined) {
    return { value: [only.index], evidence: provenByNames([only.name], facts) };
  }
  const because = `no column name matches; use --map ${field}=COLUMN to set one`;
  return { value: [], evidence: { line: null, text: '', because } };
}

/** Names that say less than others do; usually the payee's. */
const NAMES: ReadonlySet<string> = new Set([
  'name',
  'namn',
  'navn',
  'naam',
  'nom',
  'nome',
  'nombre',
]);

function withRole(columns: readonly ColumnFacts[], role: Role): ColumnFacts[] {
  return columns.filter(({ name }) => rolesOf(name).has(role));
}

function choicesOf(field: TextField, facts: Facts, columns: readonly ColumnFacts[]): Choice[] {
  return columns.map(({ index, values, firstText }) => {
    const [first] = values?.values() ?? [];
    const sample = first ?? firstText;
    const meaning = `line ${sample?.line} has ${quote(sample?.text ?? '')}`;
    return { option: ['map', `${field}=${titleOf(index, facts)}`] as const, meaning };
  });
}

function ask(field: TextField, facts: Facts, columns: readonly ColumnFacts[]): Question {
  const names = columns.map(({ index }) => titleOf(index, facts));
  const could = `Several columns could be the ${WORDS[field]}`;
  const text = `${could}: ${names.join(', ')}. Which one is right?`;
  const choices = choicesOf(field, facts, columns);
  if (field === 'description') return { id: field, text, choices, other: JOINED };
  const none = { option: ['map', `${field}=`] as const, meaning: 'none of them' };
  return { id: field, text, choices: [...choices, none] };
}

const WORDS: Readonly<Record<TextField, string>> = {
  description: 'description',
  contact: 'contact',
  accountCode: 'account code',
};
const JOINED = '--map description=ONE --map description=TWO to join two columns';

/** No column is named as the description, so any column with words could be it. */
function askDescription(facts: Facts, free: readonly ColumnFacts[]): Question {
  const worded = free.filter(({ letters, filled, values }) => {
    const isConstant = values?.size === 1 && filled > 1;
    return letters > 0 && filled >= facts.rows / 2 && !isConstant;
  });
  const text = 'No column is named as the description. Which one says what each payment was for?';
  return {
    id: 'description',
    text,
    choices: choicesOf('description', facts, worded.length > 0 ? worded : free),
    other: JOINED,
  };
}
