/** Words in column names that say whether a column tells what a payment was for. */

import { type ColumnRole, rolesOf } from './column-names.ts';
import { anyWord } from './words.ts';

/** What was paid for. */
const PURPOSE =
  anyWord(`desc\\w*|details?|narrative|narration|particulars|purpose|reason|memo|message|info
  information|remarks?|comments?|notes?|subject|items?|expenditure|expenses?|spend|spending
  \\w*beschreibung|\\w*zweck|\\w*text|\\w*bezeichnung|\\w*grund|betreff|hinweis|notiz|bemerkung
  libelle|motif|objet|nature|omschrijving|mededeling\\w*|toelichting|beskrivning|meddelande
  meddelelse|melding|besked|tekst|viesti|selite|concepto|descripcion|detalle|motivo|observaciones
  descricao|historico|causale|descrizione|opis|tytul|popis|zprava|sprava|poznamka|ucel|kozlemeny
  megjegyzes|leiras|aciklama`);

/** Who was paid, or who paid. */
const PARTY =
  anyWord(`\\w*empfanger\\w*|\\w*auftraggeber\\w*|\\w*beteiligte\\w*|payee|payer|merchant|partner
  counter ?party|supplier|vendor|beneficiary|recipient|sender|handelaar|winkel|tegenpartij
  commercant|fournisseur|beneficiaire|beneficiario|destinatario|kontrahent|odbiorca|nadawca
  prijemce|mottagare|modtager|saaja|name|naam|nom|nombre|nome|namn|navn|nazwa|nazev|nazov|neve?`);

/** What describes no payment, whatever its words. */
const NEITHER =
  anyWord(`time|uhrzeit|heure|hora|\\w*zone|logo|icon|image|picture|emoji|url|link|e ?mail|iban
  bic|swift|\\w*konto\\w*|accounts?(?! desc)|compte|cuenta|conta|\\w*rekening\\w*|cards?|\\w*karte
  bank name|bankname|ids?|\\w*code|\\w*schlussel|status|state|\\w*adresse?|address|anschrift
  currency|\\w*wahrung|devise|munt|phone|tel|country|city|\\w*kennzeichen|mandat\\w*|\\w*mandat
  \\w*glaubiger\\w*|creditor|originator|receipt|\\w+referenz`);

/** How surely a name says that a column describes payments; `none` if it says that it does not. */
type TextRank = 'description' | 'more' | 'purpose' | 'party' | 'other' | 'none';

/** The rank of a column by its name; `Description 2` is like `Description`. */
export function rankText(column: { words: string; roles: ReadonlySet<ColumnRole> }): TextRank {
  const { words, roles } = column;
  const base = words.replace(/ ?\d{1,2}$/, '');
  const has = (role: ColumnRole) => roles.has(role) || (base !== words && rolesOf(base).has(role));
  if (has('description')) return 'description';
  if (has('description2')) return 'more';
  if (has('contact')) return 'party';
  if (NEITHER.test(words) || has('status')) return 'none';
  if (PURPOSE.test(base)) return 'purpose';
  return PARTY.test(words) ? 'party' : 'other';
}

/** Whether a cell reads as text: no address, account number, code, flag or foreign amount. */
export function isProse(cell: string): boolean {
  return /\p{L}{2}/u.test(cell) && !NO_PROSE.test(cell) && !FOREIGN_AMOUNT.test(cell);
}

const NO_PROSE =
  /^\S+@\S+$|^https?:|^www\.|^(?=\S*\d\S*\d)\S{8,}$|^[A-Z]{2}\d\d[ \dA-Z]+$|^(?:true|false)$/i;
/** `8.10 SGD @ .976500` */
const FOREIGN_AMOUNT = /^(?=.*\d)\P{L}*[A-Z]{3}\P{L}*$/u;
