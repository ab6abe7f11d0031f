/** Words with which lines begin that are totals, balances or counts, and no payments. */

import { withoutDay } from '../push/not-rows.ts';

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

/** Longer words first, so that a rule says as much as the line does. */
export const CLOSING_WORDS: readonly string[] = WORDS.split('|').sort(
  (one, other) => other.length - one.length,
);

/** What a bank says of a payment that was not made, or not yet. */
const UNPAID_WORDS = new Set(
  (
    'pending|cancelled|canceled|declined|failed|reverted|refused|rejected|void|voided|unpaid|' +
    'expired|draft|on hold|authorised|authorized|processing|scheduled|vorgemerkt|storniert|' +
    'abgelehnt|ausstehend|nicht ausgeführt|en attente|annulé|annulée|refusé|refusée|rejeté|' +
    'geannuleerd|afgewezen|geweigerd|in behandeling|gereserveerd|venter|afvist|annulleret|' +
    'slettet|väntar|reserverat|reserverad|avvisad|makulerad|venter på godkjenning|pendente|' +
    'cancelado|cancelada|recusado|pendiente|rechazado|rechazada|in attesa|annullato|rifiutato|' +
    'oczekująca|oczekujące|odrzucona|odrzucone|anulowana'
  ).split('|'),
);

/** A whole value that says of its row that nothing was paid. */
export function isUnpaidWord(value: string): boolean {
  return UNPAID_WORDS.has(value.trim().toLowerCase());
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

/** A balance, as far as words go, and not what a payment is called; a day may stand behind it. */
export function isBalanceWord(value: string): boolean {
  return BALANCES.has(withoutDay(value));
}

/** Whether a balance word is one before the rows or one behind them. */
export function balanceSide(value: string): 'opening' | 'closing' | undefined {
  const plain = value.trim();
  if (OPENING.test(plain)) return 'opening';
  return CLOSING.test(plain) ? 'closing' : undefined;
}
