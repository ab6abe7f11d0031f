/** Words at the start of lines that are totals, balances or counts, not payments. */

import { isMonthName } from '../rows/months.ts';
import { withoutDay } from '../rows/not-rows.ts';

const WORDS =
  'grand total|sub-total|subtotal|total|totals|opening balance|closing balance|beginning balance|' +
  'ending balance|starting balance|balance brought forward|balance carried forward|balance b/f|' +
  'balance c/f|brought forward|carried forward|running balance|balance|net movement|' +
  'number of transactions|transaction count|record count|summe|gesamtsumme|zwischensumme|' +
  'endsumme|gesamt|anfangssaldo|endsaldo|schlusssaldo|saldovortrag|alter saldo|neuer saldo|saldo|' +
  'alter kontostand|neuer kontostand|kontostand|anfangsbestand|endbestand|eb-wert|' +
  'anzahl buchungen|anzahl|total général|sous-total|totaux|solde initial|solde final|' +
  'solde en début de période|solde en fin de période|solde au|solde|report|totaal|eindtotaal|' +
  'subtotaal|beginsaldo|eindsaldo|oud saldo|nieuw saldo|summa|ingående saldo|utgående saldo|' +
  'ingående balans|utgående balans|i alt|ialt|primosaldo|ultimosaldo|sluttsaldo|inngående saldo|' +
  'saldo anterior|saldo inicial|saldo final|saldo do dia|s a l d o|totais|totales|total geral|' +
  'razem|suma|saldo końcowe|saldo początkowe|totale|totale generale|saldo iniziale|saldo finale|' +
  '合計|小計|前月繰越|繰越残高|前残高|残高';

/** Longer words first, so that a rule is as specific as possible. */
export const CLOSING_WORDS: readonly string[] = WORDS.split('|').sort(
  (one, other) => other.length - one.length,
);

/** Words for a payment that was not made, or not yet. */
const UNPAID_WORDS = new Set(
  (
    'pending|cancelled|canceled|declined|failed|reverted|refused|rejected|void|voided|unpaid|' +
    'expired|draft|forecast|planned|projected|overdue|bounced|awaiting payment|on hold|' +
    'authorised|authorized|processing|scheduled|vorgemerkt|storniert|' +
    'abgelehnt|ausstehend|nicht ausgeführt|en attente|annulé|annulée|refusé|refusée|rejeté|' +
    'geannuleerd|afgewezen|geweigerd|in behandeling|gereserveerd|venter|afvist|annulleret|' +
    'slettet|väntar|reserverat|reserverad|avvisad|makulerad|venter på godkjenning|pendente|' +
    'cancelado|cancelada|recusado|pendiente|rechazado|rechazada|in attesa|annullato|rifiutato|' +
    'oczekująca|oczekujące|odrzucona|odrzucone|anulowana'
  ).split('|'),
);

/** Whether a whole value means that its row was not paid. */
export function isUnpaidWord(value: string): boolean {
  return UNPAID_WORDS.has(value.trim().toLowerCase());
}

/** Names of columns that mark a row as void, and of those that mark it as paid. */
const VOID_NAMES = new Set(
  'void|voided|cancelled|canceled|deleted|reversed|storno|storniert|annulé|annulée'.split('|'),
);
const PAID_NAMES = new Set(
  (
    'paid|settled|bezahlt|gezahlt|beglichen|payé|payée|betaald|betald|betalt|' +
    'pagado|pago|pagato'
  ).split('|'),
);
const NO_WORDS = new Set('n|no|false|nein|non|nee|nej|nei|não|-|0'.split('|'));
const YES_WORDS = new Set('y|yes|true|ja|j|oui|o|si|sí|sim|s|tak|ano|da|igen|x'.split('|'));

/** Whether a column, by its name, marks rows as paid. */
export function isPaidName(name: string): boolean {
  return PAID_NAMES.has(plainTitle(name));
}

/** `Is paid?` and `Paid (Y/N)` are `paid`. */
function plainTitle(name: string): string {
  const words = name.toLowerCase().replace(/\([^)]*\)|[^\p{L} ]/gu, '');
  return words.trim().replace(/^is /, '');
}

export function isYes(word: string): boolean {
  return YES_WORDS.has(word.trim().toLowerCase());
}

/** Whether a yes or no means unpaid: yes in `Void`, no in `Paid`. */
export function isUnpaidFlag(name: string, value: string): boolean {
  const [title, word] = [plainTitle(name), value.trim().toLowerCase()];
  if (word === '') return false;
  if (VOID_NAMES.has(title)) return !NO_WORDS.has(word);
  return PAID_NAMES.has(title) && NO_WORDS.has(word) && word !== '0';
}

const OPENING = firstWord(
  'opening|beginning|starting|balance b|brought|saldovortrag|eb-wert|' +
    'anfang|alter|ingående|inngående|primo|begin|oud|solde initial|' +
    'saldo (?:anterior|inicial|początkowe|iniziale)',
);
const CLOSING = firstWord(
  'closing|ending|balance c|carried|' +
    'end|schluss|neuer|utgående|ultimo|slutt|eind|nieuw|solde final|' +
    'saldo (?:final|końcowe|finale)',
);

function firstWord(words: string): RegExp {
  return new RegExp(`^(?:${words})`, 'i');
}

const BALANCES = new Set(CLOSING_WORDS.map(withoutDay));

/** Whether a text is a balance, not the name of a payment; a date may follow it. */
export function isBalanceWord(value: string): boolean {
  const plain = withoutDay(value);
  return BALANCES.has(plain) || isOfBalances(plain);
}

/** `bal b/f`, `page total`: a word for a balance, and only words that go with it. */
function isOfBalances(text: string): boolean {
  const words = text
    .replace(/\b([bc])\/(f|d|fwd)\b/g, '$1$2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const isOfPage = words.some((word) => PAGES.has(word));
  const isPassed = (word: string) => isOfPage && (PAGES.has(word) || PASSED.has(word));
  if (!words.some((word) => KEYS.has(word) || (isOfPage && PASSED.has(word)))) return false;
  const isOfDay = (word: string) => /^\d+$/.test(word) || isMonthName(word);
  const isKnown = (word: string) => KEYS.has(word) || BESIDE.has(word) || isPassed(word);
  return words.every((word) => isKnown(word) || isOfDay(word));
}

/** How lines begin that are part of the amount above them. */
const PARTS = new RegExp(
  '^[^\\p{L}\\p{N}]*(?:of which|thereof|incl|including|inkl|davon|darunter|dont|waarvan|' +
    'varav|heraf|hvorav|herav|di cui|de los cuales|de las cuales|dos quais|das quais|' +
    'w tym|z toho|od toga|ebből)(?![\\p{L}\\p{N}])',
  'iu',
);

/** Whether a line is part of the one above, such as `davon Porto`. */
export function isPartWord(value: string): boolean {
  return PARTS.test(value);
}

/** Words for a carried-over total; with no word for a page, they can name a payment. */
const PASSED = new Set(
  (
    'transfer|transferred|viene|transport|transporte|transferencia|overdracht|overføring|' +
    'överföring|przeniesienie|przeniesienia|převod|prijenos|átvitel|nakil'
  ).split('|'),
);
const PAGES = new Set(
  (
    'page|pages|pg|sheet|folio|seite|seiten|vorseite|blatt|feuille|página|pagina|hoja|foglio|' +
    'folha|bladzijde|blad|sida|sidan|side|siden|strona|strony|strana|strany|stranica|oldal|sayfa'
  ).split('|'),
);

const KEYS = new Set(
  (
    'bal|balance|balances|total|totals|subtotal|bf|cf|bd|cd|bfwd|cfwd|forward|fwd|hand|saldo|' +
    'summe|zwischensumme|kontostand|bestand|kassenbestand|übertrag|übertragen|vortrag|solde|' +
    'report|reporter|riporto|totaal|carried|brought|' +
    'summa|suma|totale|zůstatek|egyenleg|bakiye|υπόλοιπο|الرصيد|残高'
  ).split('|'),
);
/** Words that can go with them. */
const BESIDE = new Set(
  (
    'opening|closing|beginning|ending|starting|start|end|bring|carry|next|prior|' +
    'preceding|following|down|running|sub|grand|over|' +
    'net|gross|available|current|cleared|new|old|previous|last|this|statement|amount|page|sheet|' +
    'month|monthly|period|quarter|year|annual|week|weekly|day|daily|account|bank|cash|book|petty|' +
    'overall|final|initial|at|in|of|for|the|from|to|as|on|and|per|' +
    'alter|neuer|ausgaben|einnahmen|monat|jahr|seite|tag|zum|am|vom|von|bis|aus|auf|nach|der|' +
    'die|neue|nächste|nächsten|vorige|vorigen|vorherige|vorheriger|vorherigen|letzte|letzter|' +
    'letzten|vorseite|folgeseite|blatt|' +
    'précédent|précédente|suivant|suivante|antérieur|ancien|nouveau|général|début|fin|de|du|au|à|' +
    'la|le|mois|période|a|rechnung|sigue|y|para|seguinte|siguiente|' +
    'anterior|inicial|inicio|início|do|del|al|mes|mês|dia|día|begin|eind|oud|nieuw|vorig|' +
    'ingående|utgående|iniziale|finale|precedente|počáteční|konečný|nyitó|záró|devreden|önceki'
  ).split('|'),
);

/** Whether a balance is one before the rows or one after them. */
export function balanceSide(value: string): 'opening' | 'closing' | undefined {
  const plain = value.trim();
  if (OPENING.test(plain)) return 'opening';
  return CLOSING.test(plain) ? 'closing' : undefined;
}
