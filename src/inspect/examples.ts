/** Shows two lines of the file as each answer to a question would read them. */

import type { CsvRecord } from '../rows/csv-records.ts';
import type { DateFormat } from '../rows/date-formats.ts';
import type { Answer, ColumnUse } from './answers.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import type { Facts } from './facts.ts';
import { type Finding, type Question, quote } from './found.ts';

/** What is known about a file while a question is open. */
interface Known {
  readonly date?: Finding<ColumnFacts> | undefined;
  readonly dateFormat?: Finding<DateFormat> | undefined;
  readonly amount?: Finding<Columns> | undefined;
  readonly description?: Finding<Columns> | undefined;
}

/** The question with two lines for each choice, which the choices read differently if possible. */
export function withExamples(question: Question, facts: Facts, known: Known): Question {
  const said = question.choices.flatMap(({ answers }) => answers);
  const words = said.flatMap((each) => (each.kind === 'moneyOut' ? each.moneyOut.split(',') : []));
  const own = said.flatMap((each) => (each.kind === 'line' ? each.text : []));
  const columns = new Map(facts.columns.map((column) => [column.title, column]));
  const looked = question.choices.length > FEW ? 2 : facts.samples.length;
  const records = facts.samples.slice(0, looked).filter(({ fields }) => {
    return own.length === 0 || fields.some((field) => own.includes(field.trim()));
  });
  const shown = records.map((record) => {
    return question.choices.map(({ answers }) => {
      return `line ${record.line}: ${showRow(record, answers, { columns, known, words })}`;
    });
  });
  const telling = shown.filter((texts) => new Set(texts).size === texts.length);
  const [first, ...more] = telling.length > 0 ? telling : shown;
  const isOut = (texts: typeof first) => texts?.[0]?.includes(OUT);
  const second = more.find((texts) => isOut(texts) !== isOut(first)) ?? more[0];
  const choices = question.choices.map((choice, at) => {
    return { ...choice, examples: [first, second].flatMap((texts) => texts?.[at] ?? []) };
  });
  return { ...question, choices };
}

/** Columns by their titles. */
type Titled = ReadonlyMap<string, ColumnFacts>;
/** For more choices only the first records are looked at. */
const FEW = 12;
const OUT = ' money out';
/** How much of a text is shown. */
const TEXT = 28;
const MINUS = /^\D{0,4}[-−(]\D{0,4}\d|\d-$/;

/** The date, the amount and the texts of a record, as far as they are known with these answers. */
function showRow(
  { fields }: CsvRecord,
  answers: readonly Answer[],
  { columns, known, words }: { columns: Titled; known: Known; words: readonly string[] },
): string {
  const cellsOf = (some: Columns = []) =>
    some.map(({ index }) => (fields[index] ?? '').trim()).filter((cell) => cell !== '');
  const named = answers.flatMap((each) => (each.kind === 'column' ? each : []));
  const said = (...uses: readonly ColumnUse[]) => {
    const titles = named.flatMap(({ use, column }) => (uses.includes(use) ? (column ?? []) : []));
    return titles.flatMap((title) => columns.get(title) ?? []);
  };
  const or = (own: Columns, found?: Columns) => cellsOf(own.length > 0 ? own : found);
  const [day = ''] = or(said('date'), known.date && [known.date.value]);
  const stated = answers.find((each) => each.kind === 'dateFormat')?.dateFormat;
  const amounts = or(said('amount', 'out', 'in'), known.amount?.value);
  const amount = amounts.find((cell) => /[1-9]/.test(cell)) ?? '';
  const has = (word: string) =>
    fields.some((field) => field.trim() === word) ||
    (word !== '' && amount.endsWith(word)) ||
    cellsOf([columns.get(word) ?? []].flat()).includes(amount);
  const out = answers.find((each) => each.kind === 'moneyOut')?.moneyOut ?? said('out')[0]?.title;
  const isOut = () => {
    if (out === 'negative' || out === 'positive')
      return MINUS.test(amount) === (out === 'negative');
    return out === '' ? !words.some((word) => word !== '' && has(word)) : out?.split(',').some(has);
  };
  const side = out === undefined || amount === '' ? '' : isOut() ? OUT : ' money in';
  const texts = or(said('description'), known.description?.value);
  const others = cellsOf(said('contact', 'accountCode', 'externalId', 'indicator'));
  const shown = [texts.join(' '), ...others].map((text) => text && quote(text, TEXT));
  const date = (stated ?? known.dateFormat?.value)?.read(day) ?? day;
  const row = [date, amount + side, ...shown].filter((part) => part !== '').join(', ');
  return answers.some((each) => each.kind === 'line' && !each.isRow) ? `not sent: ${row}` : row;
}
