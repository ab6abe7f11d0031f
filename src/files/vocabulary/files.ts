/**
 * What kind of file column names show: a bank's, a card's, books, or a list of payments. A bank has
 * money out negative and as a debit; books and lists of payments turn that round.
 */

import { anyWord } from './words.ts';

/** Accounts of payees, mandates and value dates: only banks have them. */
const BANK = anyWord(`\\w*iban|bic|swift|blz|bankleitzahl|sort code|clearingnummer|mandat\\w*
  gl(?:ae|a)ubiger\\w*|creditor id|end to end\\w*|kontonummer|rekeningnummer\\w*|tegenrekening\\w*
  counterparty|counter party|counteraccount|account number|bank account|f valor|accountnum
  zahlungsbeteiligter|auftraggeber\\w*|auftragskonto|zahlungspflichtige\\w*|buchungstag
  wertstellung\\w*|valutadatum|valutadag|valuta date|value date|rentedatum|rentedato|valordato
  date (?:de )?valeur|dateval|fecha valor|data valuta|data waluty|data ksiegowania|bokforingsdag
  erteknap|data valor|protiuc\\w*|szamlaszam\\w*|numer konta|numer rachunku|kontostand|girokonto
  compte de (?:cheques|depot)|compte courant|对方户名|对方账户\\w*
  imokos kodas|klienta konts|kliendi konto|causale abi|ledger balance`);
const CARD =
  anyWord(`cards?(?! type)|card ?holder|carte|karte|kreditkarte\\w*|kartennummer|karteninhaber
  kredietkaart|kaarthouder|tarjeta|cartao|kort|kortnummer`);
/** Accounts and entries of bookkeeping. */
const BOOKS = anyWord(`journal\\w*|document ?(?:no|number)|doc date|company code|full account name
  ledger(?! balance)|nominal|gl|g l|account code|tax code|split|cost cent(?:re|er)|kostenstelle
  kost\\d?|sachkonto|gegenkonto|bu schlussel|belegfeld|belegnummer|soll konto|haben konto|konto soll
  konto haben|compte ?num|compte general|ecriture ?(?:num|date|lib)\\w*|grootboek\\w*|dagboek
  boekstuk\\w*|bilag|voucher|verifikation`);

const SUPPLIER =
  anyWord(`suppliers?|vendor|lieferant|fournisseur|leverancier|crediteur\\w*|leverantor|leverandor
  proveedor|fornecedor|fornitore|dostawca`);
const PAYEE = anyWord('beneficiary|payee|merchant|recipient|paid to|creditor|empfanger');
/** What was paid for. */
const SPENDING = anyWord(`expenditure|spend|spending|expenses?|directorate|cost cent(?:re|er)
  proclass|amount paid|produktsachkonto|organisational|subjective\\w*|procurement|ausgaben|depenses?
  uitgaven|utgifter|udgifter
  despesas?|gastos|wydatki`);
/** Which part of a council paid. */
const PART = anyWord('department\\w*|services?|body|organisation|entity|portfolio|unit|purpose');
const RECEIVING = anyWord(`income|receipts?|einnahmen?|recettes?|inkomsten|intakter|indtaegter
  receitas?|ingresos|przychody|received|paid in|money in|donor|customer|sales?|sold`);

const OWED = anyWord(`owed|owing|due|outstanding|debt|loan|limit|principal|invoice|invoices|bill
  rechnung\\w*|facture|factuur|customer|client|member|kunden?|mitglied\\w*|schuld\\w*|restschuld`);

/** The plain words of a column name. */
interface Named {
  readonly words: string;
}

/**
 * The column, or line above the header, that shows a bank's file or a card's; none in books, and in
 * lists of suppliers, which can have their accounts.
 */
export function nameStatement<One extends Named>(
  columns: readonly One[],
  above: readonly One[] = [],
): { readonly named: One; readonly isCard: boolean } | undefined {
  if (columns.some(({ words }) => BOOKS.test(words) || SUPPLIER.test(words))) return undefined;
  const card = columns.find(({ words }) => CARD.test(words));
  const named = card ?? [...columns, ...above].find(({ words }) => BANK.test(words));
  return named && { named, isCard: named === card };
}

/** Whether a file is from books, in which a credit can have a minus. */
export function isOfBooks(columns: readonly Named[]): boolean {
  return columns.some(({ words }) => BOOKS.test(words));
}

/** Whether a balance can be what is owed, which positive amounts raise too. */
export function isOwed(columns: readonly Named[]): boolean {
  return columns.some(({ words }) => OWED.test(words));
}

/**
 * The column whose name shows a list of payments, and whether it shows what was paid for; none in a
 * bank's file, or if a name mentions income.
 */
export function findPayments<One extends Named>(
  columns: readonly One[],
): { readonly named: One; readonly isSpending: boolean } | undefined {
  const find = (pattern: RegExp) => columns.find(({ words }) => pattern.test(words));
  if (find(RECEIVING) || nameStatement(columns)?.isCard === false) return undefined;
  // Banks have spending categories too; a list of payments has a column of payees.
  const supplier = find(SUPPLIER);
  const spending = find(SPENDING) ?? (supplier && find(PART));
  if (spending && (supplier ?? find(PAYEE))) return { named: spending, isSpending: true };
  return supplier && { named: supplier, isSpending: false };
}
