/**
 * Words that show which way money went. Words for paying are proof. Words from bookkeeping (debit,
 * Soll) are not: at a bank, debit is money out, but in the organisation's books a debit to the bank
 * account is money in.
 */

import type { ColumnRole } from './column-names.ts';
import { anyWord, plainWords, readWords } from './words.ts';

/** The words for out and in that an indicator column can have. */
export interface DirectionPair {
  readonly out: readonly string[];
  readonly in: readonly string[];
  /** The side of each of them in plain words. */
  readonly sides: Sides;
  /** Whether the words mean out and in; otherwise `out` is debit and `in` is credit. */
  readonly isPlain: boolean;
  /** One of these must occur, or the other words mean something else. */
  readonly needs?: readonly string[];
  /** Whether one word alone is not proof, even at a bank: a payment can be made or received. */
  readonly isLoose?: boolean;
}

type Side = 'out' | 'in';
type Sides = ReadonlyMap<string, Side>;

// From Sage: CR alone is a credit.
const SAGE = 'bp, cp, vp, pp, pa, sp / br, cr, vr, pr, sr, sa';

const PLAIN = `money out / money in|paid out / paid in|outgoing / incoming
  bank payment / bank receipt|af / bij|ausgang / eingang|ausgabe / einnahme|auszahlung / einzahlung
  abgang / zugang|belastung / gutschrift|zahlungsausgang / zahlungseingang|sortie / entrée
  dépense / recette|uitgaven / inkomsten|uttag / insättning|obciążenie / uznanie|wypłata / wpłata
  saída / entrada|uscita / entrata|outflow / inflow|výdaj / příjem|kiadás / bevétel
  terhelés / jóváírás|addebito / accredito|出金 / 入金|支払 / 預入|支出 / 收入|支 / 收`;

const LOOSE = `out / in|ut / in|ud / ind|ut / inn|withdrawal / deposit
  expense, expenses, expenditure / income`;

const BOOKS = `d / c|db / cr|s / h|d / k|dr / cr|dbit / crdt|debit / credit|soll / haben
  débit / crédit|debet / credit|debet / kredit|débito / crédito|dare / avere|debe / haber
  cargo / abono|wn / ma|借方 / 貸方|借 / 贷|借 dr / 贷 cr|χ / π|χρέωση / πίστωση`;

// Organisations that collect dues by direct debit (Lastschrift) have it as a positive amount; a
// receipt can be a slip for what was paid, and a payment can be received.
const EITHER = 'lastschrift / gutschrift|payment / receipt|- / +';

/** `dr, debit / cr, credit` as a pair. */
function readPairs(
  text: string,
  more: Omit<DirectionPair, 'out' | 'in' | 'sides'>,
): DirectionPair[] {
  return [...readWords(text)].map((pair) => {
    const [out = [], into = []] = pair.split(' / ').map((side) => side.split(', '));
    return { out, in: into, sides: sidesOf(out, into), ...more };
  });
}

function sidesOf(out: Iterable<string>, into: Iterable<string>): Sides {
  const plain = (words: Iterable<string>, side: Side) =>
    [...words].map((word) => [plainSign(word), side] as const);
  return new Map([...plain(out, 'out'), ...plain(into, 'in')]);
}

/** Every pair; pairs that are proof come first. */
export const DIRECTION_PAIRS: readonly DirectionPair[] = [
  ...readPairs(SAGE, { isPlain: true, needs: ['bp', 'br'] }),
  ...readPairs(PLAIN, { isPlain: true }),
  ...readPairs(LOOSE, { isPlain: true, isLoose: true }),
  ...readPairs(BOOKS, { isPlain: false }),
  ...readPairs(EITHER, { isPlain: false, isLoose: true }),
];

/** The pair that contains every one of the words of a column, if it can show a direction. */
export function findPair(
  values: readonly string[],
  { words, roles }: { readonly words: string; readonly roles: ReadonlySet<ColumnRole> },
): DirectionPair | undefined {
  // A status, such as paid out, is the same for money in: a platform paid it out to its owner.
  return HOW_PAID.test(words) || roles.has('status') ? undefined : pairOf(values);
}

function pairOf(words: readonly string[]): DirectionPair | undefined {
  let fitting = DIRECTION_PAIRS;
  const plain = new Set<string>();
  for (const word of words) {
    const own = plainSign(word);
    plain.add(own);
    fitting = fitting.filter(({ sides }) => sides.has(own));
    if (fitting.length === 0) return undefined;
  }
  if (words.length === 0) return undefined;
  return fitting.find(({ needs }) => needs?.some((word) => plain.has(word)) ?? true);
}

/**
 * The pair in a column that is named for the direction: next to words of both sides, one more word,
 * such as `neutral`, can be neither.
 */
export function findNamedPair(words: readonly string[]): DirectionPair | undefined {
  const isBut = (pair: DirectionPair) => {
    const sides = words.map((word) => sideOf(word, pair));
    const others = sides.filter((side) => side === undefined);
    const isOfSides = pair.isPlain ? pair.needs === undefined : pair.isLoose !== true;
    return isOfSides && new Set(sides).size === 3 && others.length === 1;
  };
  return pairOf(words) ?? DIRECTION_PAIRS.find(isBut);
}

/** The side of a word, whatever its case, accents and dots; of a kind of payment if no pair. */
export function sideOf(word: string, pair?: DirectionPair): Side | undefined {
  return (pair?.sides ?? KINDS).get(plainSign(word));
}

/** A single letter can mean anything: only the name of the column shows that it is D or C. */
export function isSure(
  words: readonly string[],
  { roles }: { readonly roles: ReadonlySet<ColumnRole> },
): boolean {
  return words.every((word) => word === '' || word.length > 2) || roles.has('indicator');
}

function plainSign(text: string): string {
  return /^[+-]$/.test(text.trim()) ? text.trim() : plainWords(text);
}

const OUT = `lastschrift|folgelastschrift|erstlastschrift|einmallastschrift|sepa lastschrift
  dauerauftrag|auszahlung|barauszahlung|direct debit|dd|d/d|standing order|s/o|faster payment out
  fpo|cash withdrawal|atm withdrawal|withdrawal|card purchase|visa purchase|prélèvement|retrait
  retrait dab|betaalautomaat|geldautomaat|incasso|kortköp|uttag|kortkøb|hævning|saque|wypłata
  money out|paid out|ausgang|outgoing|bank payment|basislastschrift|sepa-basislastschrift
  sepa-lastschrift|lastschrift / belastung|lastschriftabbuchung|überweisungsauftrag
  einzelüberweisung|einzelueberweisung|online-überweisung|online-ueberweisung|dauerauftragsbelast
  kartenzahlung|kartenzahlung girocard|kartenverfügung|auszahlung girocard|paiement par carte
  prélèvement sepa|carte|pago con tarjeta|adeudo|addebito|addebito diretto|zlecenie stałe
  płatność kartą|kartbetalning|autogiro|outgoing transfer|card payment`;
const IN = `gutschrift|gutschrift überweisung|gutschr. ueberweisung|einzahlung|bareinzahlung
  bank giro credit|bgc|bank credit|faster payment in|fpi|deposit|dslip|virement reçu
  virement en votre faveur|storting|bijschrijving|insättning|indbetaling|depósito|wpłata|money in
  paid in|eingang|incoming|bank receipt|überweisungsgutschr.|dauerauftragsgutschr.
  gutschr. überweisung|gutschr. ueberw. dauerauftr|echtzeit-gutschrift|gutschrift aus dauerauftrag
  sepa-gutschrift|bargeldeinzahlung|bargeldeinzahlung sb|virement recu|przelew przychodzący
  bonifico a vostro favore|incoming transfer|directdep`;

/** Kinds of payment in bank files that always have one direction. */
const KINDS = sidesOf(readWords(OUT), readWords(IN));

/** Finds the name of a column that says how was paid: a debit card shows no direction. */
const HOW_PAID = anyWord('card|funding|method|kartenart|kartentyp|carte|tarjeta|zahlungsart');

/** Whether a word may show which way money went. */
export function isDirection(value: string): boolean {
  return [undefined, ...DIRECTION_PAIRS].some((pair) => sideOf(value, pair) !== undefined);
}

/**
 * Names that show a direction only next to their counterpart: a payment or deposit can be made or
 * received, dues are collected by Lastschrift, and the owner of a shop receives its payouts.
 */
export const LOOSE_NAMES = readWords(`payment|payments|receipt|receipts|deposit|deposits|out|in|ut
  ud|af|bij|ind|inn|lastschrift|gutschrift|gutschriften|auszahlung|auszahlungen|ausgezahlt|retiro
  retiros|deposito|depositos|withdrawal|withdrawals|paid out|withdrawal amount|withdrawal amt`);
