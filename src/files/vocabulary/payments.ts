/** Words that show whether a payment was made. */

import { readWords } from './words.ts';

const PAID_WORDS = readWords(`completed|complete|paid|paid out|posted|cleared|settled|booked
  processed|success|successful|succeeded|executed|done|gebucht|erfolgreich|ausgeführt|abgeschlossen
  udført|gennemført|bogført|utförd|bokförd|utført|bokført|uitgevoerd|verwerkt|geboekt|exécuté
  effectué|payé|ejecutado|realizado|pagado|concluído|efetuado|pago|eseguito|contabilizzato
  zrealizowana|zaksięgowana|tapahtunut|交易成功|支付成功|已存入零钱|已转账|提现已到账`);

/** Words for a payment that is not booked yet. */
const PENDING_WORDS = readWords(`pending|on hold|authorised|authorized|processing|vorgemerkt
  ausstehend|en attente|in behandeling|gereserveerd|venter|väntar|reserverat|reserverad|pendente
  venter på godkjenning|pendiente|in attesa|oczekująca|oczekujące|skyddat belopp`);

/** Words for a payment that was not made, or not yet. */
export const UNPAID_WORDS = new Set([
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

/** Whether a whole value means unpaid: `pending`, a yes if the flag is void, a no if it is paid. */
export function isUnpaidWord(value: string, flag?: ReturnType<typeof flagOf>): boolean {
  const word = value.trim();
  if (word.length <= LONGEST_WORD && UNPAID_WORDS.has(word.toLowerCase())) return true;
  if (flag === undefined || word === '') return false;
  const isNo = NO_WORDS.has(word.toLowerCase());
  return flag === 'void' ? !isNo : isNo && word !== '0';
}

/** Whether a whole value says that the payment is not booked yet. */
export function isPendingWord(value: string): boolean {
  return PENDING_WORDS.has(value.trim().toLowerCase());
}

const LONGEST_WORD = Math.max(...[...UNPAID_WORDS].map(({ length }) => length));

/** What a column of yes and no marks, by its name: void rows, or paid ones. */
export function flagOf(name: string): 'void' | 'paid' | undefined {
  const title = plainTitle(name);
  if (VOID_NAMES.has(title)) return 'void';
  return PAID_NAMES.has(title) ? 'paid' : undefined;
}

/** `Is paid?` and `Paid (Y/N)` are `paid`. */
function plainTitle(name: string): string {
  const words = name.toLowerCase().replace(/\([^)]*\)|[^\p{L} ]/gu, '');
  return words.trim().replace(/^is /, '');
}
