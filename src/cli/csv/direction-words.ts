/**
 * Words that say which way money went. Words of paying are proof. Words of bookkeeping (debit,
 * Soll) are not: a bank's debit is money out, but in one's own books a debit of the bank is money
 * in.
 */

import { plainWords } from './header-words.ts';

/** A pair of words, or of lists of them, as an indicator column has them. */
export interface DirectionPair {
  readonly out: readonly string[];
  readonly in: readonly string[];
  /** Whether the words themselves say out and in; else `out` is debit and `in` credit. */
  readonly isPlain: boolean;
  /** Words without which the others mean something else. */
  readonly needs?: readonly string[];
  /** Whether each word alone says little: a payment may be made or received. */
  readonly isLoose?: boolean;
}

const PLAIN = [
  'money out / money in',
  'paid out / paid in',
  'outgoing / incoming',
  'bank payment / bank receipt',
  'af / bij',
  'ausgang / eingang',
  'ausgabe / einnahme',
  'auszahlung / einzahlung',
  'abgang / zugang',
  'belastung / gutschrift',
  'zahlungsausgang / zahlungseingang',
  'sortie / entrée',
  'dépense / recette',
  'uitgaven / inkomsten',
  'uttag / insättning',
  'obciążenie / uznanie',
  'wypłata / wpłata',
  'saída / entrada',
  'uscita / entrata',
  '出金 / 入金',
  '支払 / 預入',
];

const LOOSE = [
  'out / in',
  'ut / in',
  'ud / ind',
  'ut / inn',
  'withdrawal / deposit',
  'expense, expenses, expenditure / income',
];

const BOOKS = [
  'd / c',
  'db / cr',
  's / h',
  'd / k',
  'dr / cr',
  'dbit / crdt',
  'debit / credit',
  'soll / haben',
  'débit / crédit',
  'debet / credit',
  'debet / kredit',
  'débito / crédito',
  'dare / avere',
  'debe / haber',
  'cargo / abono',
  // Those who collect dues by direct debit have it above zero.
  'lastschrift / gutschrift',
  // A receipt may be a slip for what was paid, a payment one that was received.
  'payment / receipt',
  'wn / ma',
  '借方 / 貸方',
  '- / +',
];

function readPair(text: string, isPlain: boolean): DirectionPair {
  const [out = '', into = ''] = text.split(' / ');
  return { out: out.split(', '), in: into.split(', '), isPlain };
}

/** Every pair; those that are proof first. */
export const DIRECTION_PAIRS: readonly DirectionPair[] = [
  {
    ...readPair('bp, cp, vp, pp, pa, sp / br, cr, vr, pr, sr, sa', true),
    // Of Sage: CR alone is a credit.
    needs: ['bp', 'br'],
  },
  ...PLAIN.map((text) => readPair(text, true)),
  ...LOOSE.map((text) => ({ ...readPair(text, true), isLoose: true })),
  ...BOOKS.map((text) => readPair(text, false)),
];

/** The pair of which every one of the words is, if there is one. */
export function findPair(words: readonly string[]): DirectionPair | undefined {
  if (words.length === 0) return undefined;
  return DIRECTION_PAIRS.find(({ out, in: into, needs }) => {
    const isWhole = needs === undefined || words.some((word) => isAmong(word, needs));
    return isWhole && words.every((word) => isAmong(word, out) || isAmong(word, into));
  });
}

/** Whether a value is one of the words, whatever its case, accents and dots. */
export function isAmong(value: string, words: readonly string[]): boolean {
  const plain = plainSign(value);
  return words.some((word) => plainSign(word) === plain);
}

function plainSign(text: string): string {
  return /^[+-]$/.test(text.trim()) ? text.trim() : plainWords(text);
}

/** Kinds of payment that a bank's own column names, each of which goes one way. */
const BANK_OUT =
  'lastschrift|folgelastschrift|erstlastschrift|einmallastschrift|sepa lastschrift|dauerauftrag|' +
  'auszahlung|barauszahlung|direct debit|dd|d/d|standing order|s/o|faster payment out|fpo|' +
  'cash withdrawal|atm withdrawal|withdrawal|card purchase|visa purchase|prélèvement|retrait|' +
  'retrait dab|betaalautomaat|geldautomaat|incasso|kortköp|uttag|kortkøb|hævning|saque|wypłata|' +
  'money out|paid out|ausgang|outgoing|bank payment';
const BANK_IN =
  'gutschrift|gutschrift überweisung|gutschr. ueberweisung|einzahlung|bareinzahlung|' +
  'bank giro credit|bgc|bank credit|faster payment in|fpi|deposit|dslip|virement reçu|' +
  'virement en votre faveur|storting|bijschrijving|insättning|indbetaling|depósito|wpłata|' +
  'money in|paid in|eingang|incoming|bank receipt';

const OUT = new Set(BANK_OUT.split('|').map(plainWords));
const IN = new Set(BANK_IN.split('|').map(plainWords));

/** Which way a kind of payment goes; undefined for what may go both. */
export function directionOf(value: string): 'out' | 'in' | undefined {
  const plain = plainWords(value);
  if (OUT.has(plain)) return 'out';
  return IN.has(plain) ? 'in' : undefined;
}

/** Whether a word is of a pair or a kind of payment: it may say which way money went. */
export function isDirection(value: string): boolean {
  const isOf = (pair: DirectionPair) => isAmong(value, pair.out) || isAmong(value, pair.in);
  return directionOf(value) !== undefined || DIRECTION_PAIRS.some(isOf);
}

const SPENDING = anyWord(
  'expenditure|spend|spending|expenses?|ausgaben|depenses?|uitgaven|utgifter|udgifter|despesas?|' +
    'gastos|wydatki',
);
const SUPPLIER = anyWord(
  'supplier|vendor|creditor|lieferant|fournisseur|leverancier|leverantor|leverandor|proveedor|' +
    'fornecedor|fornitore|dostawca',
);
const RECEIVING = anyWord(
  'income|receipts?|einnahmen?|recettes?|inkomsten|intakter|indtaegter|receitas?|ingresos|' +
    'przychody|received|paid in|money in',
);

function anyWord(words: string): RegExp {
  return new RegExp(`\\b(?:${words})\\b`);
}

/** A column's name that says the file lists what was spent; none where another says received. */
export function findSpending(names: readonly string[]): string | undefined {
  const plain = names.map(plainWords);
  if (plain.some((name) => RECEIVING.test(name))) return undefined;
  // A bank calls its categories spending too; a list of payments names those who were paid.
  if (!plain.some((name) => SUPPLIER.test(name))) return undefined;
  return names[plain.findIndex((name) => SPENDING.test(name))];
}
