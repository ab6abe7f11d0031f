/** The currencies that a sign can mean: `£` can be nine, `€` only one. */

import { findCurrency } from '../../core/currencies.ts';

const SIGNS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '€': 'EUR',
    '€uro': 'EUR',
    euro: 'EUR',
    euros: 'EUR',
    '£': 'GBP EGP FKP GIP LBP SDG SHP SSP SYP',
    $:
      'USD AUD CAD NZD HKD SGD TWD MXN ARS CLP COP BBD BMD BND BSD BZD DOP FJD GYD JMD KYD LRD ' +
      'NAD SBD SRD TTD UYU XCD',
    US$: 'USD',
    A$: 'AUD',
    C$: 'CAD',
    NZ$: 'NZD',
    HK$: 'HKD',
    S$: 'SGD',
    R$: 'BRL',
    '¥': 'JPY CNY',
    '￥': 'JPY CNY',
    // As Japanese and Korean encodings show the yen and the won.
    '\\': 'JPY KRW',
    円: 'JPY',
    元: 'CNY TWD HKD',
    '₹': 'INR',
    '₽': 'RUB',
    '₩': 'KRW KPW',
    '₺': 'TRY',
    TL: 'TRY',
    '₪': 'ILS',
    '₴': 'UAH',
    zł: 'PLN',
    Kč: 'CZK',
    Ft: 'HUF',
    kr: 'SEK NOK DKK ISK',
    Kr: 'SEK NOK DKK ISK',
    SFr: 'CHF',
    Fr: 'CHF',
    Rs: 'INR PKR LKR NPR MUR SCR',
  }),
);

/** What the euro replaced: old files are in them, and no organisation can be. */
const GONE = new Set(
  'DEM ATS BEF FRF ITL ESP PTE NLG FIM IEP GRD LUF SIT SKK EEK LVL LTL CYP MTL HRK'.split(' '),
);

/** The ISO 4217 codes that a code or sign can mean; empty for any other word. */
export function codesOf(text: string): readonly string[] {
  const plain = text.replace(/\.$/, '');
  const upper = plain.toUpperCase();
  const code = findCurrency(upper)?.code ?? (GONE.has(upper) ? upper : undefined);
  if (code !== undefined) return [code];
  return (SIGNS.get(plain) ?? SIGNS.get(plain.toLowerCase()))?.split(' ') ?? [];
}

/** The code of a code or sign, or the sign if it can mean several; undefined if unknown. */
export function currencyOf(text: string): string | undefined {
  const [code, second] = codesOf(text);
  return second === undefined ? code : text;
}

/** Whether two codes or signs can mean the same currency. */
export function canBeSame(one: string, other: string): boolean {
  return one === other || codesOf(one).some((code) => codesOf(other).includes(code));
}

const SIGN_TEXTS = [...SIGNS.keys()]
  .sort((one, other) => other.length - one.length)
  .map((sign) => sign.replace(/[$\\]/g, '\\$&'));
const CURRENCY = `[A-Z]{3}|[Ee]uros?|EUROS?|${SIGN_TEXTS.join('|')}`;
/** Codes that are also words in a header in capitals. */
const WORDS = new Set('ALL ANG BAM BOB COP CUP GEL LAK MAD MOP PEN RON SOS TOP TRY'.split(' '));
const MARKED = [
  new RegExp(`[(（[]\\s*(${CURRENCY})\\s*[)）\\]]`, 'u'),
  new RegExp(`[\\s_](?:in|en|em|i|w|v)[\\s_]+(${CURRENCY})\\.?$`, 'iu'),
];
const BARE = [
  new RegExp(`^(${CURRENCY})$`, 'u'),
  new RegExp(`^(${CURRENCY})[\\s_-]`, 'u'),
  new RegExp(`[\\s_-](${CURRENCY})\\.?$`, 'u'),
];

/** The currency in a column name: `EUR` in `Betrag (EUR)`; undefined if there is none. */
export function currencyOfName(name: string): string | undefined {
  const textsOf = (patterns: readonly RegExp[]) => {
    return patterns.map((pattern) => pattern.exec(name.trim())?.[1] ?? '');
  };
  const bare = textsOf(BARE).filter((text) => !WORDS.has(text));
  return [...textsOf(MARKED), ...bare].map(currencyOf).find((each) => each !== undefined);
}
