/**
 * Words of lines that are not payments: of payments that were not made, and at the start of totals,
 * balances and counts.
 */

import { isMonthName } from '../../core/months.ts';
import { remembered } from '../../core/remembered.ts';
import { withoutDay } from '../values/date-formats.ts';
import { hasLetter, isAsciiLetter, readWords } from './words.ts';

/** Words that are only ever a status: whether a payment is booked, or not yet. */
const [BOOKED, NOTED] = ['umsatz gebucht', 'umsatz vorgemerkt'];

const PAID_WORDS = readWords(`completed|complete|paid|paid out|posted|cleared|settled|booked
  processed|success|successful|succeeded|executed|done|gebucht|verbucht|erfolgreich|ausgeführt
  abgeschlossen|exécutée|effectuée|payée|completado|completada|realizada|pagada|contabilizado
  concluída|efetuada|completato|completata|eseguita|contabilizzata|zrealizowano|zaksięgowano
  ${BOOKED}
  udført|gennemført|bogført|utförd|bokförd|utført|bokført|uitgevoerd|verwerkt|geboekt|exécuté
  effectué|payé|ejecutado|realizado|pagado|concluído|efetuado|pago|eseguito|contabilizzato
  zrealizowana|zaksięgowana|tapahtunut|交易成功|支付成功|已存入零钱|已转账|提现已到账`);

/** Words for a payment that is not booked yet. */
const PENDING_WORDS = readWords(`pending|on hold|authorised|authorized|processing|vorgemerkt
  ${NOTED}
  ausstehend|en attente|in behandeling|gereserveerd|venter|väntar|reserverat|reserverad|pendente
  venter på godkjenning|pendiente|in attesa|oczekująca|oczekujące|skyddat belopp`);

/** Words for a payment that was not made, or not yet. */
const UNPAID_WORDS = new Set([
  ...PENDING_WORDS,
  ...readWords(`cancelled|canceled|declined|failed|reverted|refused|rejected|void|voided|unpaid
  expired|draft|forecast|planned|projected|overdue|bounced|awaiting payment|scheduled|offen
  storniert|abgelehnt|nicht ausgeführt|annulé|annulée|refusé|refusée|rejeté|geannuleerd|afgewezen
  geweigerd|afvist|annulleret|slettet|avvisad|makulerad|cancelado|cancelada|recusado|rechazado
  rechazada|annullato|rifiutato|odrzucona|odrzucone|anulowana|交易关闭|等待付款|支付失败`),
]);

/** Names of columns that mark a row as void, and of those that mark it as paid. */
const VOID_NAMES = readWords(`void|voided|cancelled|canceled|deleted|reversed|storno|storniert
  annulé|annulée`);
const PAID_NAMES = readWords(`paid|settled|bezahlt|gezahlt|beglichen|payé|payée|betaald|betald
  betalt|pagado|pago|pagato`);
const NO_WORDS = readWords('n|no|false|nein|non|nee|nej|nei|não|-|0');
const YES_WORDS = readWords('y|yes|true|ja|j|oui|o|si|sí|sim|s|tak|ano|da|igen|x');

/** Whether a status, or a yes in a column `Paid`, means that the payment was made. */
export function isPaidWord(value: string, name: string): boolean {
  const word = value.trim().toLowerCase();
  return (
    PAID_WORDS.has(word.replaceAll('_', ' ')) || (flagOf(name) === 'paid' && YES_WORDS.has(word))
  );
}

/** Whether a value is only ever a status, whatever the name of its column. */
export function isStatusWord(value: string): boolean {
  return [BOOKED, NOTED].includes(value.trim().toLowerCase());
}

/** Whether a whole value means unpaid: `pending`, a yes if the flag is void, a no if it is paid. */
export function isUnpaidWord(value: string, flag?: ReturnType<typeof flagOf>): boolean {
  const word = value.trim();
  if (word.length <= LONGEST_UNPAID && UNPAID_WORDS.has(word.toLowerCase())) return true;
  if (flag === undefined || word === '') return false;
  const isNo = NO_WORDS.has(word.toLowerCase());
  return flag === 'void' ? !isNo : isNo && word !== '0';
}

/** Whether a whole value says that the payment is not booked yet. */
export function isPendingWord(value: string): boolean {
  return PENDING_WORDS.has(value.trim().toLowerCase());
}

const LONGEST_UNPAID = Math.max(...[...UNPAID_WORDS].map(({ length }) => length));

/** What a column of yes and no marks, by its name: void rows, or paid ones. */
export function flagOf(name: string): 'void' | 'paid' | undefined {
  const words = name.toLowerCase().replace(/\([^)]*\)|[^\p{L} ]/gu, '');
  const title = words.trim().replace(/^is /, '');
  if (VOID_NAMES.has(title)) return 'void';
  return PAID_NAMES.has(title) ? 'paid' : undefined;
}

/** Words at the start of totals, balances and counts. */
const WORDS = readWords(`grand total|sub-total|subtotal|total|totals|opening balance|closing balance
  beginning balance|ending balance|starting balance|balance brought forward|balance carried forward
  balance b/f|balance c/f|brought forward|carried forward|running balance|balance|net movement
  number of transactions|transaction count|record count|summe|gesamtsumme|zwischensumme|endsumme
  gesamt|anfangssaldo|endsaldo|schlusssaldo|saldovortrag|alter saldo|neuer saldo|saldo
  alter kontostand|neuer kontostand|kontostand|anfangsbestand|endbestand|eb-wert|anzahl buchungen
  anzahl|total général|sous-total|totaux|solde initial|solde final|solde en début de période
  solde en fin de période|solde au|solde|report|totaal|eindtotaal|subtotaal|beginsaldo|eindsaldo
  oud saldo|nieuw saldo|summa|ingående saldo|utgående saldo|ingående balans|utgående balans|i alt
  ialt|primosaldo|ultimosaldo|sluttsaldo|inngående saldo|saldo anterior|saldo inicial|saldo final
  saldo do dia|s a l d o|totais|totales|total geral|razem|suma|saldo końcowe|saldo początkowe|totale
  totale generale|saldo iniziale|saldo finale|turnover|likutis pradžiai|likutis pabaigai
  pradinis likutis|galutinis likutis|likutis|apyvarta|iš viso|sākuma atlikums|beigu atlikums
  atlikums|apgrozījums|kopā|algsaldo|lõppsaldo|algjääk|lõppjääk|käive|kokku|alkusaldo|loppusaldo
  начальный остаток|конечный остаток|входящий остаток|исходящий остаток|остаток|обороты|оборот|итого
  合計|小計|前月繰越|繰越残高|前残高|残高`);

/** Longer words first, so that a rule is as specific as possible. */
export const CLOSING_WORDS: readonly string[] = [...WORDS].sort(
  (one, other) => other.length - one.length,
);

const OPENING = firstWord(`opening|beginning|starting|balance b|brought|saldovortrag|eb-wert|anfang
  alter|ingående|inngående|primo|begin|oud|solde initial|saldo anterior|saldo inicial
  saldo początkowe|saldo iniziale|likutis pradžiai|pradinis|sākuma|algsaldo|algjääk|alkusaldo
  начальный|входящий`);
const CLOSING = firstWord(`closing|ending|balance c|carried|end|schluss|neuer|utgående|ultimo|slutt
  eind|nieuw|solde final|saldo final|saldo końcowe|saldo finale|likutis pabaigai|galutinis|beigu
  lõppsaldo|lõppjääk|loppusaldo|конечный|исходящий`);

/** Lines that are part of the amount above them begin with one of these, after any symbols. */
const PARTS =
  'of which|thereof|incl|including|inkl|davon|darunter|dont|waarvan|varav|heraf|hvorav|herav|' +
  'di cui|de los cuales|de las cuales|dos quais|das quais|w tym|z toho|od toga|ebből';
const PART = firstWord(PARTS, { after: '[^\\p{L}\\p{N}]*', before: '(?![\\p{L}\\p{N}])' });

function firstWord(text: string, { after = '', before = '' } = {}): RegExp {
  return new RegExp(`^${after}(?:${[...readWords(text)].join('|')})${before}`, 'iu');
}

/** Words for a carried-over total; with no word for a page, they can name a payment. */
const PASSED = readWords(`transfer|transferred|viene|transport|transporte|transferencia|overdracht
  overføring|överföring|przeniesienie|przeniesienia|převod|prijenos|átvitel|nakil`);
const PAGES = readWords(`page|pages|pg|sheet|folio|seite|seiten|vorseite|blatt|feuille|página|pagina
  hoja|foglio|folha|bladzijde|blad|sida|sidan|side|siden|strona|strony|strana|strany|stranica|oldal
  sayfa`);

const KEYS = readWords(`bal|balance|balances|total|totals|subtotal|bf|cf|bd|cd|bfwd|cfwd|forward|fwd
  hand|saldo|summe|zwischensumme|kontostand|bestand|kassenbestand|übertrag|übertragen|vortrag|solde
  report|reporter|riporto|totaal|carried|brought|summa|suma|totale|zůstatek|egyenleg|bakiye|υπόλοιπο
  الرصيد|残高|turnover|likutis|apyvarta|atlikums|apgrozījums|käive`);
/** Words that can go with them. */
const BESIDE = readWords(`opening|closing|beginning|ending|starting|start|end|bring|carry|next|prior
  preceding|following|down|running|sub|grand|over|net|gross|available|current|cleared|new|old
  previous|last|this|statement|amount|page|sheet|month|monthly|period|quarter|year|annual|week
  weekly|day|daily|account|bank|cash|book|petty|overall|final|initial|at|in|of|for|the|from|to|as|on
  and|per|alter|neuer|ausgaben|einnahmen|monat|jahr|seite|tag|zum|am|vom|von|bis|aus|auf|nach|der
  die|neue|nächste|nächsten|vorige|vorigen|vorherige|vorheriger|vorherigen|letzte|letzter|letzten
  vorseite|folgeseite|blatt|précédent|précédente|suivant|suivante|antérieur|ancien|nouveau|général
  début|fin|de|du|au|à|la|le|mois|période|a|rechnung|sigue|y|para|seguinte|siguiente|anterior
  inicial|inicio|início|do|del|al|mes|mês|dia|día|begin|eind|oud|nieuw|vorig|ingående|utgående
  iniziale|finale|precedente|debit|credit|debeto|kredito|debeta|kredīta
  pradžiai|pabaigai|sākuma|beigu
  počáteční|konečný|nyitó|záró|devreden|önceki`);

/** A longer text is the name of a payment. */
const LONGEST = 200;
const BALANCES = new Set(CLOSING_WORDS.map(withoutDay));
/** What a balance can begin with. */
const BALANCE_WORDS = [...PASSED, ...PAGES, ...KEYS, ...BESIDE, ...BALANCES, 'b', 'c'];

/** Only for cells: V8 is slower with a function that has seen texts in all scripts. */
function beginOf(text: string): string {
  let end = 0;
  while (isAsciiLetter(text.charCodeAt(end))) end += 1;
  // Most texts begin with a word of ASCII, which is found sooner.
  const next = text.charCodeAt(end);
  if (end > 0 && (next === SPACE || end === text.length)) return text.slice(0, end);
  // Codes such as TX1 are in no list.
  const isCode = end > 0 && next >= ZERO && next <= ZERO + 9;
  return isCode ? '' : firstWordOf(text);
}

const SPACE = 0x20;
const ZERO = 0x30;

function firstWordOf(text: string): string {
  return /[\p{L}\p{N}]+/u.exec(text)?.[0] ?? '';
}

/** A test whether a text can begin with a date and words, or begins like one of a list. */
function beginsLike(begins: ReadonlySet<string>): (text: string) => boolean {
  const isOne = remembered((begin) => {
    const word = begin.toLowerCase();
    return begins.has(word) || isOfDay(word);
  });
  let last: string | undefined;
  return (text) => {
    // Many texts begin with the same word as the one before.
    if (last !== undefined && text.startsWith(last)) {
      if (!(text.charCodeAt(last.length) > SPACE)) return false;
    }
    const begin = hasLetter(text) ? beginOf(text) : '';
    if (begin === '' || isOne(begin)) return begin !== '';
    last = begin;
    return false;
  };
}

function beginsOf(list: readonly string[]): ReadonlySet<string> {
  return new Set(list.map((text) => firstWordOf(text).toLowerCase()));
}

/** Whether a text can begin a balance, apart from dates: most payments begin with another word. */
const mayBeBalance = beginsLike(beginsOf(BALANCE_WORDS));
const SUSPECT = beginsOf([...BALANCE_WORDS, ...readWords(PARTS), ...UNPAID_WORDS]);

/** A test for one column whether a text may be a balance, a part or unpaid. */
export function suspectTest(): (text: string) => boolean {
  return beginsLike(SUSPECT);
}

/** Whether a text is a balance, not the name of a payment; a date may follow it. */
export function isBalanceWord(value: string): boolean {
  if (value.length > LONGEST || !mayBeBalance(value)) return false;
  // A category in lists of payments.
  if (/^balance sheet$/i.test(value.trim())) return false;
  const plain = withoutDay(value);
  return BALANCES.has(plain) || isOfBalances(plain);
}

function isOfDay(word: string): boolean {
  return /\d/.test(word) ? /^\d+$/.test(word) : isMonthName(word);
}

/** `bal b/f`, `page total`: a word for a balance, and only words that go with it. */
function isOfBalances(text: string): boolean {
  const words = text
    .replace(/\b([bc])\/(f|d|fwd)\b/g, '$1$2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const isOfPage = words.some((word) => PAGES.has(word));
  const isKey = (word: string) => KEYS.has(word) || (isOfPage && PASSED.has(word));
  const isBeside = (word: string) => BESIDE.has(word) || PAGES.has(word) || isOfDay(word);
  return words.some(isKey) && words.every((word) => isKey(word) || isBeside(word));
}

/** Whether a line is part of the one above, such as `davon Porto`. */
export function isPartWord(value: string): boolean {
  return PART.test(value);
}

/** Whether a balance is one before the rows or one after them. */
export function balanceSide(value: string): 'opening' | 'closing' | undefined {
  const plain = value.trim();
  if (OPENING.test(plain)) return 'opening';
  return CLOSING.test(plain) ? 'closing' : undefined;
}
