/** What the name of a column of dates says about the day. */

import { anyWord, plainWords } from './words.ts';

/**
 * The day on which the bank books a payment, on which a payment happened, on which something was
 * bought, or from which it counts. `other` is never the day of a payment.
 */
export type DateKind = 'booking' | 'payment' | 'purchase' | 'value' | 'other';

/** The first that matches a name is its kind: `transaction value date` is a value date. */
const KINDS: readonly (readonly [DateKind, RegExp])[] = [
  [
    'other',
    anyWord('mandat\\w*|birth\\w*|geburt\\w*|naissance|expir\\w*|ablauf\\w*|abrechnungs\\w*'),
  ],
  [
    'value',
    anyWord(`value|valeur|dateval|valut\\w*|valor\\w*|waluty|wert|wert(?:stellung|datum)\\w*
      |rente\\w*|interest|settlement|due|effective|available|updated|verrekening|ertek\\w*
      |arvopaiva`),
  ],
  [
    'booking',
    anyWord(`book\\w*|buch\\w*|gebucht|post|posted|posting|boek\\w*|bokfor\\w*|bogfor\\w*|bokford
      |ksiegowania|zaksiegowania|contabil\\w*|contable|comptab\\w*|konyvel\\w*|zauctovan\\w*
      |knjizenj\\w*|kirjaus\\w*|ecriture\\w*|eingangstag|reskontra\\w*|accounting|completed|cleared
      |processed`),
  ],
  ['purchase', anyWord('purchase|order|kauf\\w*|beleg\\w*|document|doc|achat|inkop\\w*|kop\\w*')],
  [
    'payment',
    anyWord(`^(?:date|datum|data|dato|fecha|day|tag|dag|datum zeit|date time|datum uhrzeit)$
      |transact\\w*|transakt\\w*|transac\\w*|tranzakc\\w*|operat\\w*|operac\\w*|operaz\\w*|dateop
      |umsatz\\w*|verrichting\\w*|movim\\w*|paid|payment|started|zahl\\w*|bezahl\\w*
      |betaal\\w*|betal\\w*|paiement|pago|pagamento|platby|platnosci|clearing|cheque|check`),
  ],
];

/** The kind of a column of dates by its name; undefined for any other name. */
export function dateKindOf(name: string): DateKind | undefined {
  const plain = plainWords(name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').replaceAll('_', ' '));
  return KINDS.find(([, words]) => words.test(plain))?.[0];
}
