/** Shows two lines of the file as each answer to a question would read them. */

import type { CsvRecord } from '../reading/csv-records.ts';
import { valueReader } from '../reading/csv-values.ts';
import { isBlankAmount, readAnyAmount } from '../values/amount-writing.ts';
import { type DateFormat, withoutDay } from '../values/date-formats.ts';
import { millionthsOf, showSum } from '../values/exact-sums.ts';
import { findCurrencyColumn, findSeparators } from './amount-cells.ts';
import { type AmountColumns, readAnswered } from './amounts.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import { inspectDateFormat } from './dates.ts';
import { type Context, type Facts, findSaid } from './facts.ts';
import {
  type Answer,
  type Answers,
  type ColumnUse,
  collectAnswers,
  type Finding,
  isAsked,
  type Question,
  quote,
  titlesOf,
} from './found.ts';
import { makeAmount } from './mapping.ts';
import type { Relations } from './relations.ts';
import { type Signed, signTwo } from './sides.ts';
import { inspectSign } from './signs.ts';

/** What is known about a file while questions are open. */
interface Known {
  readonly date?: Finding<ColumnFacts> | undefined;
  readonly amounts?: AmountColumns | undefined;
  readonly relations?: Relations | undefined;
  readonly sign?: Finding<Signed> | undefined;
  readonly cellCurrency?: Finding<string | undefined> | undefined;
  readonly description?: Finding<Columns> | undefined;
}

type Show = (record: CsvRecord) => string;

/** For more choices only the first records are looked at. */
const FEW = 12;
/** How much of a text is shown. */
const TEXT = 28;

/** The question with two lines for each choice, which the choices read differently if possible. */
export async function withExamples(
  question: Question,
  { facts, given }: { readonly facts: Facts; readonly given: readonly Answer[] },
  known: Known,
): Promise<Question> {
  const { choices, record, lines } = question;
  if (choices.some(({ examples }) => examples !== undefined)) return question;
  const looked = choices.length > FEW ? 2 : facts.samples.length;
  const records = facts.samples.slice(0, looked).filter(({ line }) => {
    return line !== record?.line && lines?.includes(line) !== false;
  });
  if (record !== undefined) records.unshift(record);
  const shows: Show[] = [];
  for (const { answers } of choices) {
    const context = { facts, answers: collectAnswers([...given, ...answers]) };
    shows.push(await rowShower(context, answers, known));
  }
  const shown = records.map((record) =>
    shows.map((show) => `line ${record.line}: ${show(record)}`),
  );
  const isTelling = (all: readonly string[]) => new Set(all).size === all.length;
  const [first, ...more] = [...shown.filter(isTelling), ...shown.filter((all) => !isTelling(all))];
  const second = more.find((all) => isOut(all[0]) !== isOut(first?.[0])) ?? more[0];
  const examples = (at: number) => [first, second].flatMap((all) => all?.[at] ?? []);
  return { ...question, choices: choices.map((each, at) => ({ ...each, examples: examples(at) })) };
}

const OUT = ' money out';

function isOut(line: string | undefined): boolean {
  return line?.includes(OUT) === true;
}

/** Shows the date, the amount and the texts of a record, as far as these answers tell them. */
async function rowShower(context: Context, own: readonly Answer[], known: Known): Promise<Show> {
  const { facts, answers } = context;
  const named = collectAnswers(own);
  const columnsOf = (...uses: readonly ColumnUse[]) =>
    findSaid({ facts, answers: named }, ...uses)?.value ?? [];
  const or = (found: Columns, other: Columns = []) => (found.length > 0 ? found : other);
  const [date] = or(columnsOf('date'), known.date && [known.date.value]);
  const format = answers.last.dateFormat?.dateFormat ?? findFormat(date, context);
  const showAmount = await amountShower(context, named, known);
  const texts = or(columnsOf('description'), known.description?.value);
  const others = columnsOf('contact', 'accountCode', 'externalId', 'indicator');
  const left = named.lines.flatMap(({ text, isRow }) => (isRow ? [] : withoutDay(text)));
  const wanted = named.last.currency?.currency;
  const guard = findCurrencyColumn(facts, known.amounts?.value ?? []);
  const isOther = (cell: string) =>
    wanted !== undefined && guard?.values?.has(wanted) && cell !== wanted;
  return ({ fields }) => {
    const cellOf = (column: ColumnFacts) => column.cellOf(fields);
    const day = date === undefined ? '' : cellOf(date);
    const described = texts.map(cellOf).filter((text) => text !== '');
    const words = [described.join(' '), ...others.map(cellOf)].filter((text) => text !== '');
    const parts = [
      format?.read(day) ?? day,
      showAmount(fields),
      ...words.map((text) => quote(text, TEXT)),
    ];
    const row = parts.filter((part) => part !== '').join(', ');
    if (guard && isOther(cellOf(guard))) return `rejected: ${row}`;
    const isSent = left.length === 0 || !fields.some((cell) => left.includes(withoutDay(cell)));
    return isSent ? row : `skipped: ${row}`;
  };
}

/** The format that the dates of a column prove. */
function findFormat(column: ColumnFacts | undefined, context: Context): DateFormat | undefined {
  const found = column && inspectDateFormat({ ...context, date: { value: column } });
  return found === undefined || isAsked(found) ? undefined : found.value;
}

/** Shows the amount as `push` will read it; without a side while that is open. */
async function amountShower(
  { facts, answers }: Context,
  own: Answers,
  { amounts, relations, sign, cellCurrency }: Known,
): Promise<(fields: readonly string[]) => string> {
  const said = readAnswered({ facts, answers: own });
  const chosen = said ?? amounts;
  const columns: Columns = chosen?.value ?? [];
  const separators = findSeparators(columns, { facts, answers });
  const textsOf = (fields: readonly string[]) => columns.map(({ index }) => fields[index] ?? '');
  if (chosen === undefined || separators === undefined) {
    return (fields) => textsOf(fields).find((text) => text.trim() !== '') ?? '';
  }
  const isSide =
    own.last.moneyOut !== undefined || (sign === undefined && own.lines.some(({ isRow }) => isRow));
  const found =
    isSide && relations !== undefined
      ? await inspectSign({ facts, answers, amounts: chosen, relations })
      : sign;
  const known = found === undefined || isAsked(found) ? undefined : found.value;
  const [out, into] = columns;
  const two = out && into && signTwo(answers, [out, into]);
  const signed = said === undefined ? known : two;
  if (signed === undefined) {
    return (fields) => {
      const texts = textsOf(fields).map((text) => text.trim());
      const values = texts.map((text) => readAnyAmount(text, separators));
      const unread = texts.find((text, at) => values[at] === undefined && !isBlankAmount(text));
      if (unread !== undefined) return `${unread} is rejected`;
      const value = values.find((each) => (each ?? 0) !== 0) ?? 0;
      return showSum(millionthsOf(value));
    };
  }
  const [seen] = columns.flatMap(({ numbers }) => [...numbers.currencies.keys()]);
  const currency = answers.last.currency?.currency ?? cellCurrency?.value ?? seen;
  const names = titlesOf(signed.columns);
  const indexes = signed.columns.map(({ index }) => index);
  const fields = { amount: makeAmount(signed, currency) };
  const read = valueReader({ field: 'amount', names, indexes }, { fields, ...separators });
  return (cells) => {
    const reading = read(cells);
    if (typeof reading !== 'number') {
      const written = textsOf(cells).join(' ').trim();
      // Whether that is skipped, as an opening balance is, or rejected is not known yet.
      return written === '' ? 'no amount' : `${written} is rejected`;
    }
    const value = millionthsOf(reading);
    if (value === 0) return showSum(value);
    return value > 0 ? `${showSum(value)}${OUT}` : `${showSum(-value)} money in`;
  };
}
