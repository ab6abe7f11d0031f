/**
 * Names of columns for what a payment is found by, the account that it moved on, and the project
 * that it was for. They say nothing about other columns, so no other step looks at them.
 */

import { RARE, type RareField } from '../../core/row-members.ts';
import type { ColumnRole } from './column-names.ts';
import { anyWord, plainWords, readWords } from './words.ts';

/** The names of each, the surest first; `*` marks those that need their values as evidence. */
const NAMES: Readonly<Record<RareField, readonly string[]>> = {
  reference: [
    `reference|ref|ref no|reference number|referenz|referenznummer|reference bancaire|referentie
      referencia|riferimento|referens|referanse|viite|viitenumber|viitenumero|numer referencyjny
      transaction reference|bank reference|customer reference|payment reference|kundenreferenz
      kundenreferenz end to end|end to end|end to end id|zkb referenz|betalingskenmerk
      variable symbol|variabilni symbol|vs|viitenr|nuoroda|reference de l operation`,
    `voucher|voucher no|voucher number|document number|document no|documentno|doc no|belegnummer
      beleg nr|belegnr|beleg|belegfeld 1|piece|piece ref|pieceref|piece justificative|verifikation
      verifikationsnummer|bilag|bilagsnr|bilagsnummer|boekstuk|boekstuknummer|numero de piece
      numero do documento|docto|trans no|trans nr|transaction number|transaction no|journalnummer
      doklad|cislo dokladu|номер документа|凭证号`,
    `invoice|invoice no|invoice number|invoice ref|rechnungsnummer|rechnungsnr|rechnung nr|facture
      numero de facture|factuurnummer|faktura|fakturanummer|fakturanr|numero factura|numero fattura
      cislo faktury|numer faktury`,
    'cheque number|cheque no|check number|check no|number|num|no|nr|номер',
  ],
  bankAccount: [
    `bank account|bank account number|bank account no|own account|auftragskonto|iban auftragskonto
      own iban|own account number|eigene iban|eigenes konto|iban bban|rekening eigen|compte bancaire
      cuenta bancaria|conto corrente|bankkonto|konto eigen|nasz rachunek`,
    `*account number|account no|account #|account id|account|iban|kontonummer|konto|kontonr
      rekening|rekeningnummer|compte|numero de compte|cuenta|numero de cuenta|conto|conta
      numero conta|rachunek|numer rachunku|cislo uctu|ucet
      счет|номер счета|账号|口座番号|계좌번호`,
    '*account name|bank account name|bank name|kontoname|nom du compte|wallet|bank',
  ],
  projectCode: [
    `project code|project no|project number|project id|project ref|projektnummer|projektnr
      projekt nr|code projet|codigo de proyecto|codice progetto|prosjektnummer|projectcode
      projectnummer|fund code|grant code|grant number|cost centre code|cost center code
      kostenstellennummer|analytic account|section analytique|code analytique|numer projektu`,
    `project|projekt|projet|proyecto|progetto|projeto|prosjekt|kostentrager|kostendrager|fund
      fond|fonds`,
    `cost centre|cost center|costcentre|kostenstelle|kst|kostenplaats|centre de cout
      centre de couts|centro de costo|centro de costos|centro di costo|centro de custo
      kostnadsstalle|kostnadssted|omkostningssted|kustannuspaikka|mpk`,
  ],
};

const RANKS = new Map<string, readonly [rank: number, isWeak: boolean]>();
for (const field of RARE) {
  for (const [rank, names] of NAMES[field].entries()) {
    for (const name of readWords(names.replace(/^\*/, ''))) {
      const key = `${field} ${plainWords(name)}`;
      if (!RANKS.has(key)) RANKS.set(key, [rank, names.startsWith('*')]);
    }
  }
}

/** How a column is named for a member: the lower the surer; undefined if it is not. */
export function rankMember(
  field: RareField,
  { words, roles }: { readonly words: string; readonly roles: ReadonlySet<ColumnRole> },
): { readonly rank: number; readonly isWeak: boolean } | undefined {
  const [rank, isWeak] = RANKS.get(`${field} ${words}`) ?? [];
  if (rank !== undefined) return { rank, isWeak: isWeak === true };
  // An id that is not the id of a row is shared by the rows of one payment.
  return field === 'reference' && roles.has('id') ? { rank: 2, isWeak: false } : undefined;
}

/** Where cash is, in the names of accounts. */
const CASH =
  anyWord(`bank|cash|current|checking|chequing|savings?|giro\\w*|paypal|stripe|kasse|caisse
  banque|banco|caja|banca|cassa|caixa|kas|kassa|pokladna|kasa`);
/** What accounts without cash are for. */
const NO_CASH = anyWord(`payables?|receivables?|creditors?|debtors?|vat|gst|tax|taxes|equity|capital
  reserves?|liabilit\\w*|expenses?|income|revenues?|sales|fixed assets?|depreciation|accruals?
  prepayments?|loans?|suspense|earnings|inventory|charges|fees|interest|kreditoren|debitoren
  verbindlichkeiten|forderungen|umsatzsteuer|vorsteuer|ust|eigenkapital|passiva|aufwand|aufwendungen
  ausgaben|ertrage|erlose|fournisseurs|clients|tva|charges|produits|depenses|passif|revenus
  crediteuren|debiteuren|btw|kosten|opbrengsten|uitgaven|inkomsten|proveedores|clientes|iva|gastos
  ingresos|pasivo|fornitori|clienti|costi|ricavi|fornecedores|despesas|receitas|kreditorer|debitorer
  moms|leverandorer|leverantorer|kunder`);

/** Whether the name of an account says that it has cash, or that it has none. */
export function hasCash(name: string): boolean | undefined {
  const words = plainWords(name);
  if (NO_CASH.test(words)) return false;
  return CASH.test(words) || undefined;
}
