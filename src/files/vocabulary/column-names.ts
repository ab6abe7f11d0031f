/**
 * Column names in the languages that budgetd reads. A name suggests the role of a column; the
 * callers decide whether that is proof. Phrases keep their accents, which also help to find the
 * encoding of a file.
 */

import { anyWord, plainWords, readWords, withoutMoney } from './words.ts';

const PHRASES = {
  date: `date|datum|dato|data|fecha|transaction date|posting date|post date|booking date|value date
    posted date|paid date|payment date|doc. date|document date|buchungstag|buchungsdatum|buchung
    belegdatum|wertstellung|valuta|valutadatum|valuta date|date operation|date opération
    date de l'opération|date de comptabilisation|date valeur|dateop|dateval|ecrituredate|boekdatum
    rentedatum|transactiedatum|bokföringsdag|bokföringsdatum|transaktionsdag|valutadag
    bogføringsdato|rentedato|valørdato|data operacji|data księgowania|data waluty|data mov.
    data lançamento|data do balancete|fecha valor|fecha operación|data contabile|data valuta|日付|年月日
    取引日|お取引日|取引年月日|お取扱日
    дата|дата и час|дата операции|дата проводки|дата платежа|дата транзакции|дата документа
    вальор|交易日期|日期|记账日期|交易时间|入账日期|日期时间|거래일|거래일자|거래일시|날짜|תאריך|تاريخ|التاريخ|تاريخ العملية|วันที่
    ημερομηνία`,
  amount: `amount|value|betrag|umsatz|umsatz (ohne soll/haben-kz)|montant|montant de l’opération
    montant operation|montant de l'opération|bedrag|belopp|beløb|kwota|importo|importe|valor|sum|net
    net amount|gross|gross amount|total|total amount|subtotal|netto|brutto|nettobetrag|bruttobetrag
    paid|amount paid|paid amount|amount due|outstanding|transaction amount|payment amount
    amount in local currency|amount in local cur.|amount in lc|betrag in hauswährung|betrag in euro
    umsatz in euro|kwota operacji|monto|suma|summa|сумма|金額|入出金|credit/debit amount
    сумма|сумма операции|сумма платежа|сумма в валюте счета|сума|износ|金额|交易金额|金额（元）
    金额(元)|人民币金额|금액|거래금액|סכום|المبلغ|จำนวนเงิน|ποσό`,
  out: `paid out|money out|withdrawal|withdrawals|withdrawal amount|withdrawal amt.|amount out|out
    spent|outgoing|outgoings|expenditure|expense|expenses|outflow|payments|payment|ausgabe|ausgaben
    auszahlung|auszahlungen|ausgang|abgang|belastung|belastungen|lastschrift|zahlungsausgang
    ausgezahlt|sortie|sorties|dépense|dépenses|af|uitgaven|bij af|uttag|utgift|utgifter|utbetalning
    ut|ut fra konto|ud|hævet|udbetaling|udgift|obciążenia|obciążenie|wypłata|wydatki|saída|saídas
    despesa|despesas|uscite|gastos|お支払金額|支払金額|お引出し|お引き出し|出金|出金金額|出金額|引出金額|uscita|addebito|addebiti
    retiro|retiros|výdaj|výdaje|terhelés|kiadás|uitgave
    расход|разход|списание|支出|支出金额|借方金额|借方发生额|출금|출금액|지출|ถอน`,
  in: `paid in|money in|deposit|deposits|deposit amount|deposit amt.|amount in|received|incoming
    income|inflow|receipts|receipt|einnahme|einnahmen|einzahlung|einzahlungen|eingang|zugang
    gutschrift|gutschriften|zahlungseingang|eingezahlt|entrée|entrées|recette|recettes|bij|inkomsten
    insättning|insättningar|inkomst|inbetalning|in|inn|inn på konto|ind|indsat|indbetaling|indtægt
    uznania|uznanie|wpłata|przychody|entrada|entradas|receita|receitas|entrate|entrata|accredito
    accrediti|ingresos|depósito|depósitos|příjem|příjmy|jóváírás|bevétel|お預り金額|預り金額|お預入れ|お預け入れ|入金
    入金金額|入金額|預入金額
    приход|доход|поступление|зачисление|收入|收入金额|存入金额|贷方金额|贷方发生额|입금|입금액|수입|ฝาก`,
  debit: `debit|debits|debit amount|dr|soll|sollbetrag|betrag soll|soll-betrag|débit|débit euros
    débit (eur)|montant débit|debet|débito|débitos|debito|débito (r$)|dare|winien|wn|debe|cargo
    cargos|umsatz soll|debet bedrag|debited|χρέωση|借方|借方金額
    дебет|дебит|借方|חובה|مدين`,
  credit: `credit|credits|credit amount|cr|haben|habenbetrag|betrag haben|haben-betrag|crédit
    crédit euros|crédit (eur)|montant crédit|kredit|crédito|créditos|credito|crédito (r$)|avere|ma
    haber|abono|abonos|umsatz haben|credit bedrag|credited|πίστωση|貸方|貸方金額
    кредит|贷方|זכות|دائن`,
  balance: `balance|running balance|running total|running bal.|account balance|closing balance|saldo
    kontostand|guthaben|saldo nach buchung|kontosaldo|saldo na trn|saldo na mutatie|solde
    solde après opération|accountbalance|bokfört saldo|saldo po operacji|saldo po transakcji
    saldo contabile|残高|差引残高|取引後残高|取引後残高(円)|beginsaldo|eindsaldo|egyenleg|zůstatek|zostatok|bakiye
    disponible|available balance|ledger balance|saldo disponible|saldo disponibile
    остаток|баланс|салдо|余额|账户余额|账号余额|本次余额|잔액|거래후잔액|יתרה|الرصيد|ยอดคงเหลือ|υπόλοιπο`,
  otherAmount: `exchange rate|kurs|rate|quantity|qty|units|hours|miles|menge|anzahl|stunden|quantité
    cantidad|antal|aantal|unit price|unit cost|hourly rate|einzelpreis|prix unitaire|precio unitario
    einzelbetrag|betrag detail|original amount|local amount|amount (foreign currency)
    lastschrift ursprungsbetrag|auslagenersatz rücklastschrift|oorspr bedrag|koers|skonto
    basis-umsatz|montantdevise|amount currency|amount in doc. curr.|betrag in belegwährung`,
  addition: `refund|refunds|refunded|fee|fees|total fees|commission|gebühr|gebühren|frais|tax|vat
    tax amount|vat amount|mwst|ust|steuer|tva|btw|moms|gst|hst|iva|irrecoverable vat|withholding tax
    sales tax|cis|retention|charge|charges|bank charge|bank charges|service charge|surcharge
    processing fee|transaction fee|platform fee|bank fee|tip|gratuity|postage|shipping|freight
    delivery|discount|deduction|deductions|gift aid|stamp duty|levy|rounding|spesen|provision
    commissione|commissioni|comisión|comissão|taxa|kosten`,
  indicator: `debit or credit|transaction debit or credit
    s/h|soll/haben|soll/haben-kennzeichen|soll-haben|s/h-kennzeichen|d/c|dc|dr/cr|cr/dr
    debit/credit|credit/debit|creditdebet|af bij|af/bij|bij/af|sens|sign|direction|type
    transaction type|umsatztyp|details|d/k|debets/kredīts|deebet/kreedit|debet/credit|indicator
    payment type|entry type
    mutatiesoort|in/out
    收/支|收支|收支类型|收/付|借贷|借贷标志|借贷方向|借/贷|πρόσημο`,
  currency: `currency|ccy|cur|lcurr|währung|waehrung|whrg|whg|wkz umsatz|devise|monnaie|munt|valuta
    valutacode|moneda|moeda|divisa|waluta|通貨|curr.|asset|coin|crypto
    валюта|币种|货币`,
  description: `description|transaction description|details|detail|narrative|particulars
    verwendungszweck|verwendungszweckzeile|vorgang/verwendungszweck|paaiškinimai
    mokėjimo paskirtis|informācija saņēmējam|selgitus|libellé|libellé opération|label|omschrijving
    mededeling|mededelingen|beskrivning|tekst|text|historico|histórico|descrição|tytuł
    opis transakcji
    tytuł operacji|concepto|descripción|causale|descrizione|avisierungstext|booking text|ecriturelib
    forklaring|rubrik|payment reference|narration|item|opis|transaktion|摘要|お取引内容|お取り扱い内容|取引内容|入出金内容
    notification text|vwz
    описание|описание операции|назначение платежа|назначение|комментарий|основание
    призначення|призначення платежу|摘要|交易摘要|交易说明|商品|商品说明|备注|用途|附言|적요|거래내용|תיאור|פרטים|الوصف
    البيان|รายการ|περιγραφή|αιτιολογία`,
  description2: `memo|buchungstext|beschreibung|beschreibung 1|beschreibung1|description 1
    description1|omschrijving-1|mitteilung|mitteilungen|opis operacji|reference|title|subject
    vorgang|note|notes|détail de l'écriture|détail|comment|communication`,
  contact: `contact|payee|supplier|supplier name|vendor|vendor name|beneficiary|merchant
    counterparty|counter party|counterparty name|customer|customer name
    beguenstigter/zahlungspflichtiger|auftraggeber|absender|zahlungspflichtige*r
    zahlungsempfänger*in|payer|sender|avsändare|nadawca|auftraggeber/zahlungsempfänger
    empfänger/zahlungspflichtiger|odbiorca|afsender|begünstigter/zahlungspflichtiger
    auftraggeber / begünstigter|auftraggeber/empfänger|empfänger|zahlungsempfänger
    name zahlungsbeteiligter|zahlungsbeteiligter|lieferant|naam tegenpartij|naam / omschrijving
    tegenpartij|tegenrekeninghouder|tiers|fournisseur|nadawca/odbiorca|nazwa nadawcy/odbiorcy
    nadawca / odbiorca|proveedor|fornecedor|favorecido|leverantör|leverandør|modtager|mottagare
    beneficiario|partner name|partner neve|supplier beneficiary name|supplier text
    supplier id(t)|bénéficiaire|merchant name|payer/payee|recipient|creditor|begünstigter|empfaenger
    gegenpartei|kontrahent|partnername|gegenkonto inhaber|contrepartie|crediteur|crediteurnaam
    gavėjas|saņēmējs|maksātājs|saaja/maksja|name|namn|navn|naam|nom|nome|nombre
    контрагент|кореспондент|получатель|плательщик|наименование контрагента
    交易对方|对方户名|对方名称|对方账户名称`,
  accountCode: `account code|nominal code|nominal|nominal account|nominal a/c|nominal a/c ref
    expense code|object code|cuenta contable|conta contábil|n/c|gl account|g/l account|ledger code
    ledger account|gl code|expenditure code|cost code|sachkonto|comptenum|compte général
    code compte|compte/code
    grootboekrekening|grootboeknummer`,
  id: `externalid|external id|transaction id|transactionid|txid|trans id|transaktions-nr.
    transaktions-id|transaktionsnummer|transactiereferentie|numéro d'opération|id transakcji
    numer transakcji|identificador|id|uuid|unique id|fitid|entry no|entry no.|entry id|payment id
    record id|buchungs-id|umsatz-id|transaction reference|取引番号
    номер операции|идентификатор операции|交易流水号|交易单号|交易订单号|流水号`,
  weakId: `ref|ref.|reference|reference number|referenz|referenznummer|zkb-referenz|belegnummer
    beleg-nr.|belegfeld 1|document number|documentno|document no|document no.|doc no|piece|pieceref
    voucher|verifikationsnummer|bilag|bilagsnr.|kundenreferenz|nr|nr.|no|no.|number|num
    invoice number|invoice no|cheque number|check number|volgnr|docto.|número do documento
    ecriturenum|ref no|lfd. nr.|lfd.nr.|row|radnummer|transaction number|transaction no
    transaction no.|code|trans no|trans. no|trans nr|trans #|journalnummer
    номер|номер документа|凭证号|商户单号`,
  status: `status|state|transaction status|payment status|buchungsstatus|zustand|statut|état|estado
    situação|stato|stan|tila
    статус|当前状态|交易状态|状态`,
} as const;

/** What the name of a column says that it contains. */
export type ColumnRole = keyof typeof PHRASES;

/** ASCII names of columns in languages that are written in Windows-1252. */
const WESTERN = readWords(`buchung|buchungstag|buchungsdatum|belegdatum|wertstellung|betrag|umsatz
  verwendungszweck|buchungstext|soll|haben|kontonummer|montant|solde|devise|libelle|bedrag
  omschrijving|naam|rekening|tegenrekening|mededelingen|belopp|beskrivning|mottagare|tekst
  forklaring|fecha|concepto|importe|valor|dare|avere|divisa|descrizione|data contabile|importo
  causale`);

/** Every known name is shorter. */
const LONGEST_NAME = 100;

const ROLES = new Map<string, Set<ColumnRole>>();
/** Known names with accents, and names of accounts in the lines above a header. */
const ACCENTED = new Set(['compte de chèques', 'compte chèques', 'compte chèque']);
for (const [role, phrases] of Object.entries(PHRASES) as [ColumnRole, string][]) {
  for (const phrase of readWords(phrases)) {
    const plain = plainWords(phrase);
    ROLES.set(plain, (ROLES.get(plain) ?? new Set()).add(role));
    if (/[^\0-\x7f]/.test(phrase)) ACCENTED.add(phrase.toLowerCase());
  }
}

/** The roles of a column by its name, also when words run together; empty for an unknown name. */
export function rolesOf(name: string): ReadonlySet<ColumnRole> {
  if (name.length > LONGEST_NAME) return NO_ROLES;
  const sign = SIGNED.exec(withoutMoney(name))?.[1];
  if (sign !== undefined) return sign === '+' ? IN : OUT;
  if (!/\p{L}/u.test(name)) return NO_ROLES;
  return wholeRolesOf(name) ?? rolesOfParts(name);
}

/**
 * The names as they are known: an export of records with others inside has the way to these in
 * front, such as `Lines/Debit` and `Lines/Credit`. A name that is known with it keeps it.
 */
export function withoutWays(names: readonly string[]): string[] {
  const ways = names.map((name) => /^[^/]{1,100}\/(?=\S)/.exec(name)?.[0] ?? '');
  const counts = new Map<string, number>();
  for (const way of ways) counts.set(way, (counts.get(way) ?? 0) + 1);
  return names.map((name, index) => {
    const way = ways[index] ?? '';
    return (counts.get(way) ?? 0) > 1 && rolesOf(name).size === 0 ? name.slice(way.length) : name;
  });
}

/** The roles of a name that is known as a whole, not only by its parts; otherwise undefined. */
export function wholeRolesOf(name: string): ReadonlySet<ColumnRole> | undefined {
  return ROLES.get(plainWords(name)) ?? ROLES.get(columnWords(name));
}

/** `[-] EUR`, `Amount (+)`: a column has the amounts of one sign. */
const SIGNED = /^(?:amount )?[[(]?([-\u2013\u2212+])[\])]?$/i;
const OUT: ReadonlySet<ColumnRole> = new Set(['out']);
const IN: ReadonlySet<ColumnRole> = new Set(['in']);
const NO_ROLES: ReadonlySet<ColumnRole> = new Set();
const CONTACT: ReadonlySet<ColumnRole> = new Set(['contact']);

/** `Withdrawal Amount (INR)` is a withdrawal, `Amount in foreign currency` another amount. */
function rolesOfParts(name: string): ReadonlySet<ColumnRole> {
  const words = columnWords(name);
  const party = words.split(' ').filter((word) => !AROUND_PARTY.has(word));
  if (party.length > 0 && party.every((word) => ROLES.get(word)?.has('contact'))) return CONTACT;
  if (FEES.test(words) && !AROUND.test(words)) return new Set(['addition']);
  if (FOREIGN.test(words) && saysAmount(name)) return new Set(['otherAmount']);
  if (BALANCES.test(words) && !AMOUNT.test(words)) return new Set(['balance']);
  const parts = words.split(' ').filter((word) => !AMOUNT.test(word));
  for (const rest of [parts, parts.filter((word) => !BESIDE.has(word))]) {
    const roles = ROLES.get(rest.join(' ')) ?? NO_ROLES;
    if ([...roles].some((role) => PART_ROLES.has(role))) return roles;
  }
  return NO_ROLES;
}

/** Words in the names of contacts: `Naam van de tegenpartij`, `Sender / Empfänger 2`. */
const AROUND_PARTY = readWords(`name|namn|navn|naam|nom|nome|nombre|nazwa|1|2|of|the|and|or|und|oder
  van|de|der|du|des|del|et|contient`);

/** The roles that a name keeps when it also says that it is an amount. */
const PART_ROLES: ReadonlySet<ColumnRole> = new Set([
  'out',
  'in',
  'debit',
  'credit',
  'balance',
  'addition',
]);
/** Words that can be next to the one for the side of an amount. */
const BESIDE = readWords(`net|gross|nc|gc|bc|amt|value|valor|monto|montante|betr|sum|summe|in|en|em
  de|du|au|a|la|le|of|the|transaction|transactions|account|konto|this`);
const FEES = anyWord(`fees?|surcharges?|commissions?|\\w*gebuhr(?:en)?|versandkosten|\\w*entgelte?
  transaktionskosten|bankkosten|bankspesen|\\w*steuer(?:betrag)?|kosten op verrichting|frais
  transaction costs?|poplat\\w*|prowizja|oplata|avgift(?:er)?|gebyr(?:er)?|comision(?:es)?|comissao
  tarifa|commissioni?|jutalek`);
/** `Amount after fees`, `Betrag inkl. Gebühren`: the amount, not the fee. */
const AROUND =
  anyWord(`incl\\w*|inkl\\w*|excl\\w*|exkl\\w*|ex|after|before|less|net|nach|vor|ohne|mit
  abzuglich|hors|avec|sans|apres`);
const FOREIGN = anyWord(`foreign|original|orig|local|fremdwahrung|original\\w+|ursprung\\w*|devises?
  etrangere?|divisa|vreemde|oorspr\\w*|oorspronkelijk\\w*|utlandsk\\w*|utl|puvodni|oryginaln\\w*
  valuta straniera|moneda extranjera|moeda estrangeira|eredeti`);

const BALANCES = /^(?!.*\bdue\b).*(?:\b(?:balance|\w*saldo|solde|kontostand)\b|余额|残高)/;

/** The plain words of a column name, apart where they run together: `NetAmount` is `net amount`. */
export function columnWords(name: string): string {
  return plainWords(name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));
}

/** Whether a name contains a word for amount: `Billing amount`, `InvoiceAmountPaid`. */
export function saysAmount(name: string): boolean {
  const words = columnWords(name);
  return AMOUNT.test(words) && !OF_NUMBERS.test(words);
}

/** Whether plain words name numbers other than amounts, such as references and rates. */
export function isNoAmount(words: string): boolean {
  const isAmount = AMOUNT.test(words) || AMOUNTS.values.test(words);
  return OF_NUMBERS.test(words) || (NO_AMOUNTS.test(words) && !isAmount);
}

const AMOUNT = anyWord(`amount|\\w*betrag|montant|bedrag|belopp|belob|kwota|importo|importe|payout
  paid|total|castka|osszeg\\w*|сумма|сума|金额|金額`);
/** With one of these, a name is not that of an amount: `Amount type`. */
const OF_NUMBERS = anyWord('id|no|nr|number|ref|reference|code|date|type|rate|count');
/** With one of these it is not, unless it also says so: `Amount on card`. */
const NO_AMOUNTS = anyWord(`num|numero|numer|\\w*nummer|cislo|\\w*szama?|\\w*referen[zsc]\\w*|key
  kode?|\\w*schlussel|\\w*kennzeichen|\\w*iban|bic|blz|bankleitzahl|plz|zip|\\w*(?:karte|kaart)
  cards?|cartes?|tarjeta|cartao|\\w*konto|accounts?|compte|cuenta|conta|\\w*rekening|tel|phone
  telefon|auth\\w*|rates|\\w*kurs|koers|cours|taux|kursen|cambio|(?:steuer|zins)?satz|percent\\w*
  prozent|shares|quantity|qty|year|jahr|month|monat|latitude|longitude|invoice|protiuc\\w*|番号`);

/** What the plain words of a name say about its numbers. */
export const AMOUNTS = {
  /** Words for amounts that are not clear alone: `Invoice net`. */
  values: anyWord('values?|nett?o?|gross|brutto'),
  /** The amount that was booked or paid, beside one in another currency. */
  booked: anyWord(`account currency|booked amount|buchungsbetrag|kontowahrung
    devise du compte|rekeningvaluta|в валют[еу] счета|记账\\S*|入账\\S*|实付\\S*`),
  /** The price of one item. */
  prices: anyWord(`price|\\w*preis|prix|precio|preco|prezzo|prijs|cena|цена|价格|单价|単価`),
  counts: new RegExp(
    '\\b(?:quantity|qty|menge|quantite|qte|cantidad|quantidade|qtd|quantita|ilosc|mnozstvi|' +
      'mennyiseg|kolicina|stuckzahl)\\b|^(?:units|pieces|hours|miles|anzahl|stuck|stunden|aantal|' +
      'antal|antall|(?:no|number) of (?:items|units|pieces|tickets|copies|people|hours|nights))$',
  ),
  totals: anyWord('total|totale|totaal|gesamt\\w*'),
  /** Without taxes, or after fees. */
  net: /\bnett?o?\b/,
  /** Taxes that an amount of the next kind includes, and names of such amounts. */
  taxes: anyWord('vat|mw ?st|u ?st|tva|btw|moms|gst|hst|iva|umsatzsteuer|mehrwertsteuer'),
  taxed: anyWord(`ttc|gross|brutto\\w*
    in[ck](?:l\\w*)? (?:vat|tax|mw ?st|u ?st|btw|moms|gst|hst|iva)`),
} as const;

/** The unit that a name states, such as `TEUR`; small ones, such as pence, only if it may. */
export function unitOf({ name, words }: Named, isSmall: boolean): string | undefined {
  if (isSmall && HUNDREDTHS.test(words)) return 'hundredths';
  if (THOUSANDS.test(name)) return 'thousands';
  return MILLIONS.test(name) ? 'millions' : undefined;
}

interface Named {
  readonly name: string;
  readonly words: string;
}

const HUNDREDTHS = anyWord('pence|pennies|cents?|minor|centimes?|centavos?|rappen|ore|grosz[ey]?');
const THOUSANDS =
  /(?<!\d)000s?\b|\bthousands?\b|\b[TK](?:EUR|CHF|[€£$])|\bTsd\b|\bmilliers\b|[£€$]k\b/i;
const MILLIONS = /\b(?:millions?|mio|mln)\b|[£€$]m\b/i;

/** How many of the cells are known column names; a few of the first thousand show a header. */
export function countKnown(cells: readonly string[]): number {
  return cells.slice(0, 1_000).filter((cell) => rolesOf(cell).size > 0).length;
}

/** Whether a cell is a known name that is not ASCII, which only the right encoding gives. */
export function isAccentedName(cell: string): boolean {
  return [withoutMoney(cell), cell.trim()].some((name) => ACCENTED.has(name.toLowerCase()));
}

/** Whether a column name is in a language that is written in Windows-1252. */
export function isWesternName(cell: string): boolean {
  return WESTERN.has(plainWords(cell));
}

/**
 * The day on which the bank books a payment, on which a payment happened, on which something was
 * bought, or from which it counts. `other` is never the day of a payment.
 */
type DateKind = 'booking' | 'payment' | 'purchase' | 'value' | 'other';

/** The first that matches a name is its kind: `transaction value date` is a value date. */
const DATE_KINDS: readonly (readonly [DateKind, RegExp])[] = [
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
  const plain = columnWords(name.replaceAll('_', ' '));
  return DATE_KINDS.find(([, words]) => words.test(plain))?.[0];
}
