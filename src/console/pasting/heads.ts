/** What the columns of a pasted table are, as far as their heads tell. */

import { type Days, monthOf, monthsBetween } from '../../core/calendar.ts';
import { findMonth, isMonthName, MONTH_LANGUAGES, plainName } from '../../core/months.ts';
import { LINE_KINDS, type LineKind } from '../../core/projects.ts';
import type { Reader } from '../session/reader.ts';

/** The texts of a line, with the heads that our own tables have for them. */
export const TEXTS = {
  code: 'Code',
  name: 'Line',
  category: 'Category',
  kind: 'Kind',
  accountCodes: 'Account codes',
} as const;
export type TextName = keyof typeof TEXTS;

/** The kind that a cell names, or a heading for the rows below it; undefined for other texts. */
export function findKind(text: string): LineKind | undefined {
  return LINE_KINDS.find((kind) => KIND_WORDS[kind].has(simple(text)));
}

export type PastedColumn =
  | { readonly is: 'text'; readonly name: TextName }
  | { readonly is: 'month'; readonly month: string }
  /** A sum of months; of a quarter, its number. */
  | { readonly is: 'sum'; readonly quarter: number | undefined }
  /** The name of a month that the project does not have just as often. */
  | { readonly is: 'doubtful'; readonly months: readonly string[] }
  /** Not a part of a budget: it is not read. */
  | { readonly is: 'other' }
  | { readonly is: 'unknown' };

/** The project of a table, and who reads it. */
interface HeadContext extends Days {
  readonly reader: Reader;
}

/** Longer texts are not read as heads. */
const HEAD_CHARACTERS = 60;

/** Reads the heads of a table for one project. */
export class HeadReader {
  readonly #context: HeadContext;
  readonly #months: readonly string[];
  readonly #labels: ReadonlyMap<string, NamedMonth>;

  constructor(context: HeadContext) {
    this.#context = context;
    this.#months = monthsBetween(context.startDate, context.endDate);
    this.#labels = labelsOf(this.#months, context.reader);
  }

  /** Whether a cell is a head. A number can be an amount. */
  isHead(cell: string): boolean {
    if (!/\p{L}/u.test(cell) && !/^\d{4}-\d{2}$/.test(cell)) return false;
    const { is = 'unknown' } = this.read([cell])[0] ?? {};
    return is !== 'unknown' && is !== 'other';
  }

  /** What the columns with these heads are. */
  read(heads: readonly string[]): readonly PastedColumn[] {
    const names = heads.map((head) => readMonth(head, this.#labels, this.#context));
    const texts = heads.map((head) => TEXT_HEADS.get(simple(head)));
    return heads.map((head, at): PastedColumn => {
      const text = texts[at];
      if (text !== undefined) {
        const isBest = texts.every((each) => each?.name !== text.name || each.rank >= text.rank);
        return isBest ? { is: 'text', name: text.name } : { is: 'unknown' };
      }
      const named = names[at];
      if (named === undefined) return readOther(head);
      const { month, year } = named;
      if (year !== undefined) return { is: 'month', month: `${year}-${digits(month)}` };
      // Without years: as often as the project has the month, in its order.
      const months = this.#months.filter((each) => Number(each.slice(5)) === month);
      const same = [...names.keys()].filter((each) => isSame(names[each], named));
      const found = months.length === same.length ? months[same.indexOf(at)] : undefined;
      return found === undefined ? { is: 'doubtful', months } : { is: 'month', month: found };
    });
  }
}

/** A month, without a year where a head has none. */
interface NamedMonth {
  readonly month: number;
  readonly year: number | undefined;
}

function isSame(one: NamedMonth | undefined, other: NamedMonth): boolean {
  return one?.month === other.month && one.year === other.year;
}

function digits(month: number): string {
  return String(month).padStart(2, '0');
}

/** Months as pages write them for this reader. */
function labelsOf(months: readonly string[], reader: Reader): ReadonlyMap<string, NamedMonth> {
  const labels = new Map<string, NamedMonth>();
  for (const key of months) {
    const [year, month] = [key.slice(0, 4), Number(key.slice(5))];
    const name = reader.period({ key, startDate: `${key}-01`, endDate: `${key}-01` });
    labels.set(simple(name), { month, year: undefined });
    const whole = { month, year: Number(year) };
    for (const text of [`${name} ${year.slice(2)}`, `${name} ${year}`, reader.months([key])]) {
      labels.set(simple(text), whole);
    }
  }
  return labels;
}

/** The month that a head names, in whichever way spreadsheets write it. */
function readMonth(head: string, labels: ReadonlyMap<string, NamedMonth>, context: HeadContext) {
  if (head.length > HEAD_CHARACTERS) return undefined;
  const label = labels.get(simple(head));
  if (label !== undefined) return label;
  const numbers = head.split(/[-/.\s]+/);
  return numbers.every((each) => /^\d+$/.test(each))
    ? readNumbers(numbers, context)
    : readWords(head, context);
}

/** `2026-01`, `1/2026`, and days such as `2026-01-31` and `31/01/26`. */
function readNumbers(numbers: readonly string[], context: HeadContext): NamedMonth | undefined {
  const [first = '', second = '', third, ...more] = numbers;
  const isYear = (text: string | undefined) => text?.length === 4;
  if (more.length > 0 || numbers.length < 2) return undefined;
  if (isYear(first)) return toMonth(second, first, context);
  if (third === undefined) return isYear(second) ? toMonth(first, second, context) : undefined;
  // The first day of a month, or one that can be no month.
  const isDay = (text: string) => Number(text) === 1 || Number(text) > 12;
  if (isDay(first) && Number(second) <= 12) return toMonth(second, third, context);
  return isDay(second) ? toMonth(first, third, context) : undefined;
}

/** `Jan 26`, `January 2026`, `01-Jan-26`, `Budget Jan-26 (£)`, and `Jan`. */
function readWords(head: string, context: HeadContext): NamedMonth | undefined {
  const words = head.match(/\p{L}+|\d+/gu) ?? [];
  const names = words.filter((word) => isMonthName(word));
  const numbers = words.filter((word) => /^\d+$/.test(word));
  const isRest = (word: string) => BESIDE.has(plainName(word)) || /^[A-Z]{3}$/.test(word);
  const isPlain = words.every((each) => {
    return names.includes(each) || numbers.includes(each) || isRest(each);
  });
  const [name = '', other] = names;
  if (!isPlain || name === '' || other !== undefined || numbers.length > 2) return undefined;
  const language = MONTH_LANGUAGES.find((each) => context.reader.locale.startsWith(each));
  const month = findMonth(name, language);
  if (month === undefined) return undefined;
  const year = numbers.find((each) => each.length === 4) ?? numbers.at(-1);
  return year === undefined ? { month, year } : toMonth(String(month), year, context);
}

/** Undefined unless it can be a month. Years of two digits are the project's. */
function toMonth(month: string, year: string, { startDate, endDate }: HeadContext) {
  const number = Number(month);
  if (number < 1 || number > 12 || month.length > 2) return undefined;
  if (year.length === 4) return { month: number, year: Number(year) };
  if (year.length !== 2) return undefined;
  const key = (century: string) => `${century}${year}-${digits(number)}`;
  const [first, last] = [monthOf(startDate), monthOf(endDate)];
  const isWithin = (century: string) => first <= key(century) && key(century) <= last;
  const century = ['20', '19', '21'].find(isWithin) ?? '20';
  return { month: number, year: Number(century + year) };
}

/** Heads that name no text and no month. */
function readOther(head: string): PastedColumn {
  const words = simple(head).split(' ');
  if (words.some((word) => OTHERS.has(word))) return { is: 'other' };
  const [, before, after] = QUARTER.exec(simple(head)) ?? [];
  const quarter = before ?? after;
  if (quarter !== undefined) return { is: 'sum', quarter: Number(quarter) };
  const isMonths = words.filter((word) => isMonthName(word)).length === 2;
  if (isMonths || HALF.test(simple(head))) return { is: 'sum', quarter: undefined };
  const isSum = words.some((word) => SUMS.has(word) || /^fy\d*$/.test(word));
  const isBeside = (word: string) => {
    return SUMS.has(word) || BESIDE.has(word) || /^(?:(?:fy)?\d{2}|\d{4}|[a-z]{3})$/.test(word);
  };
  const isYear = /^\d{4}(?: \d{2}| \d{4})?$/.test(words.join(' '));
  const isWhole = isYear || (isSum && words.every(isBeside));
  return isWhole ? { is: 'sum', quarter: undefined } : { is: 'unknown' };
}

/** In lower case, without accents and with one blank between words. */
function simple(head: string): string {
  if (head.length > HEAD_CHARACTERS) return '';
  return plainName(head)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const KIND_WORDS: Readonly<Record<LineKind, ReadonlySet<string>>> = {
  income: wordSet('income revenue receipts funding einnahmen recettes ingresos inkomsten'),
  expense: wordSet('expense expenses expenditure costs spending ausgaben depenses gastos uitgaven'),
};

const TEXT_WORDS: Readonly<Record<TextName, string>> = {
  code: 'code/budget code/line code/cost code/project code/ref/reference/id/kurzel/codigo/codice',
  name:
    'line/budget line/line item/budget item/name/item/budget heading/cost heading/heading/' +
    'description/details/detail/expense/expenses/expenditure/cost/costs/particulars/activity/' +
    'title/account name/position/bezeichnung/kostenart/libelle/intitule/poste/concepto/partida/' +
    'omschrijving/kostensoort/voce/descrizione/descricao/rubrica/nazwa/pozycja',
  category: 'category/group/section/type/area/kategorie/categorie/categoria/gruppe/rubrik',
  kind: 'kind/kind of line/income or expense/income expense',
  accountCodes:
    'account codes/account code/accounts/account/nominal code/nominal codes/nominal/gl code/' +
    'ledger code/konto/konten/kontonummer/compte/comptes/cuenta/rekening/conto/conta',
};
/** The texts by their heads, the best head of each first. */
const TEXT_HEADS = new Map(
  (Object.keys(TEXTS) as TextName[]).flatMap((name) => {
    return TEXT_WORDS[name].split('/').map((words, rank) => [words, { name, rank }] as const);
  }),
);

const SUMS = wordSet(
  'total totals sum annual year yearly overall amount budget budgeted summe gesamt gesamtsumme ' +
    'jahr somme annee totaal jaar totale anno suma ano razem rok summa',
);
/** What can be beside a sum, or beside the name of a month. */
const BESIDE = wordSet(
  'full whole grand fy plan planned budget budgeted month for of the cost costs value',
);
const QUARTERS = '(?:q|qtr|quarter|quartal|kwartaal|kvartal|trimestre|trim)';
const QUARTER = new RegExp(
  `(?:^| )(?:${QUARTERS} ?([1-4])|([1-4])(?:st|nd|rd|th|er|e|o)? ?${QUARTERS})(?: |$)`,
);
const HALF = /(?:^| )(?:h ?[12]|half|semester)(?: |$)/;
/** Words of columns that have no budget, such as notes. */
const OTHERS = wordSet(
  'actual actuals spent spend paid variance difference remaining left forecast last prior ' +
    'previous ytd note notes comment comments remark remarks basis justification no nr',
);
