/**
 * Works out how to read a CSV file. Each step is proven by a line of the file, was answered by the
 * user, or becomes a question. This module knows bytes and answers, but not command-line options,
 * terminals or how findings are shown.
 */

import type { Mapping } from '../mapping/mapping.ts';
import type { Source } from '../text/text.ts';
import { type AmountColumns, askAddition, chooseAmounts, decideAmounts } from './amounts.ts';
import { type Answer, collectAnswers } from './answers.ts';
import { type Check, checkFile } from './check.ts';
import type { Columns } from './column-facts.ts';
import { inspectCellCurrency, inspectCurrency } from './currencies.ts';
import { inspectDateFormat, isDateColumn } from './dates.ts';
import { askDoubleEntry } from './double-entry.ts';
import { inspectEncoding } from './encoding.ts';
import { withExamples } from './examples.ts';
import { type Context, gatherFacts } from './facts.ts';
import { type Finding, isAsked, type Outcome, type Question } from './found.ts';
import { inspectIdentity } from './identities.ts';
import { inspectLayout, type Layout } from './layout.ts';
import { listRests, makeMapping, type Parts } from './mapping.ts';
import { inspectMembers, reservedColumns } from './members.ts';
import { inspectNotRows } from './not-payments.ts';
import { isPauseDue, paced, pause } from './pace.ts';
import { inspectDateColumn } from './payment-date.ts';
import { askRejected } from './rejections.ts';
import { type CellReader, findIdle, relate } from './relations.ts';
import { inspectSeparators } from './separators.ts';
import { inspectSign } from './signs.ts';
import { withoutNotRows } from './statuses.ts';
import { inspectText } from './texts.ts';

/** The parts of a mapping, as far as they are known. */
type KnownParts = { readonly [Name in keyof Parts]?: Parts[Name] | undefined };

/** What is known about a file. */
export interface Inspection extends KnownParts {
  readonly name: string;
  readonly questions: readonly Question[];
  readonly layout?: Layout | undefined;
  readonly amount?: Finding<Columns> | undefined;
  /** How to read the file; set when no question is open. */
  readonly mapping?: Mapping;
  /** What push will do with the file; set when no question about its columns is open. */
  readonly check?: Check;
}

/** What an inspection needs besides the file. */
interface InspectOptions {
  readonly answers: readonly Answer[];
  /** The last date that a payment can have. */
  readonly lastDay: string;
}

/** Takes the finding of a step; undefined if it asks instead. */
type Take = <Found extends object>(
  outcome: Outcome<Found> | Promise<Outcome<Found>>,
) => Promise<Found | undefined>;

/** Inspects a file. Throws FileError, and AnswerError for an answer that the file contradicts. */
export async function inspectCsv(source: Source, options: InspectOptions): Promise<Inspection> {
  const answers = collectAnswers(options.answers);
  const { name } = source;
  const questions: Question[] = [];
  const take: Take = async (outcome) => {
    const found = await outcome;
    if (isPauseDue()) await pause();
    if (!isAsked(found)) return found;
    questions.push(...found.questions);
    return undefined;
  };
  const encoding = await take(inspectEncoding(source, answers));
  const layout = encoding && (await take(inspectLayout(source, encoding.value, answers)));
  if (encoding === undefined || layout === undefined) return { name, questions, encoding };
  const cut = { encoding: encoding.value, delimiter: layout.delimiter.value };
  const facts = await gatherFacts(source, cut, layout, options.lastDay);
  const { amount, amounts, relations, ...columns } = await inspectColumns({ facts, answers }, take);
  const parts = { encoding, facts, ...columns };
  const known = { ...parts, name, questions, layout, amount };
  const open = async () => {
    const shown: Question[] = [];
    const context = { facts, given: options.answers };
    const found = { ...columns, amounts, relations };
    for await (const each of paced(questions)) {
      shown.push(await withExamples(each, context, found));
    }
    return { ...known, questions: shown };
  };
  if (questions.length > 0 || !isWhole(parts)) return open();

  const draft = makeMapping(parts);
  const own = parts.sign.value.columns;
  const balances = relations?.others.map((each) =>
    relations.balanceOf(amounts?.columns ?? own, each),
  );
  const idle = balances?.flatMap((each) => findIdle(facts, each) ?? [])[0];
  const places = { date: parts.date.value, amounts: own, idle };
  const found = await take(inspectNotRows({ facts, answers, mapping: draft, ...places }));
  if (found === undefined) return open();
  const { rules } = found;
  const notRows = rules.length === 0 ? undefined : rules;
  const mapping = { ...draft, notRows, status: withoutNotRows(draft.status, rules) };
  const check = await checkFile(source, mapping, notRows === undefined ? found.check : undefined);
  await take(askRejected(answers, check, places.date) ?? {});
  if (questions.length > 0) return { ...known, check };
  const rests = listRests(parts, answers, check);
  return { ...known, mapping: { ...mapping, rests }, check };
}

function isWhole(parts: KnownParts): parts is Parts {
  return Object.values(parts).every((part) => part !== undefined);
}

/** What each column is. Later steps run even if an earlier one asks, to ask everything at once. */
async function inspectColumns(context: Context, take: Take) {
  const date = await take(inspectDateColumn(context));
  const dateFormat = date && (await take(inspectDateFormat(date.value, context)));
  const candidates = await take(chooseAmounts(context));
  const columns = candidates?.columns ?? [];
  const decimal = candidates && (await take(inspectSeparators(columns, context)));
  const reader = decimal && readerOf(context, { date, dateFormat, decimal });
  const money = reader && (await inspectMoney(context, candidates, reader, take));
  const { amounts, relations, sign, cellCurrency } = money ?? {};
  // Which columns they are is shown, and no other field takes them, while the decimals are open.
  const own: Columns = decimal === undefined ? columns : (amounts?.columns ?? []);
  const isShown = candidates !== undefined && candidates.kind !== 'undecided' && !decimal;
  const amount = isShown ? { value: columns, evidence: candidates.evidence } : money?.amount;

  const dates = date === undefined ? [] : [date.value];
  const used = [...dates, ...own, ...(sign?.value.columns ?? []), ...reservedColumns(context)];
  const description = await take(inspectText('description', context, used));
  const texts = description?.value ?? [];
  // A contact that describes payments for want of other texts is the contact too.
  const isSaid = context.answers.columns.has('description');
  used.push(...texts.filter(({ roles }) => isSaid || !roles.has('contact')));
  const contact = await take(inspectText('contact', context, used));
  used.push(...(contact?.value ?? []));
  const accountCode = await take(inspectText('accountCode', context, used));
  const currency = await take(inspectCurrency(context, own));
  const told = [...dates, ...own, ...texts, ...reservedColumns(context)];
  const externalId = inspectIdentity(context, told);
  const last = [accountCode?.value ?? [], externalId.value ?? [], currency?.value?.column ?? []];
  const members = inspectMembers(context, [...used, ...last.flat()]);
  const named = { description, contact, accountCode, ...members };
  const found = { date, dateFormat, amount, decimal, sign, cellCurrency, currency, externalId };
  return { ...found, ...named, amounts: amounts ?? (isShown ? candidates : undefined), relations };
}

/** Which of the candidates is the amount, its currency, and which side is money out. */
async function inspectMoney(
  context: Context,
  candidates: AmountColumns,
  reader: CellReader,
  take: Take,
) {
  const { facts } = context;
  const tryOut = (columns: Columns) => relate(facts, columns, reader);
  const trial = await tryOut(candidates.columns);
  const amounts = await take(decideAmounts(candidates, trial, facts, tryOut));
  if (amounts === undefined) return undefined;
  const { columns, evidence } = amounts;
  const relations = amounts === candidates ? trial : await tryOut(columns);
  const amount = await take(
    (await askAddition(context, columns, relations, tryOut)) ?? {
      value: columns as Columns,
      evidence,
    },
  );
  if (amount === undefined) return { amounts, relations };
  const cellCurrency = await take(inspectCellCurrency(context, columns));
  const known = { ...context, amounts, relations };
  const sign = await take(inspectSign(known));
  await take((await askDoubleEntry(known, sign?.value)) ?? {});
  return { amounts, relations, amount, cellCurrency, sign };
}

/** Reads a record's numbers and its date, only to see whether dates ascend: any column will do. */
function readerOf(
  { facts }: Context,
  found: Pick<KnownParts, 'date' | 'dateFormat'> & Pick<Parts, 'decimal'>,
): CellReader {
  const separators = found.decimal.value;
  const column = found.date?.value ?? facts.columns.find((each) => isDateColumn(each, facts.rows));
  if (column === undefined) return { separators, days: () => [] };
  const candidates = column.dates.listCandidates().filter(({ readable }) => readable > 0);
  const formats = found.dateFormat
    ? [found.dateFormat.value]
    : candidates.map((each) => each.format);
  const days: CellReader['days'] = (fields) => {
    const text = (fields[column.index] ?? '').trim();
    return formats.map((format) => format.read(text));
  };
  return { separators, days };
}
