/** ISO 4217: the currencies in use, and the decimal places of each. */

const TWO_PLACES =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD ' +
  'CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD ' +
  'GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD ' +
  'MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP ' +
  'PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS ' +
  'TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG';
const NO_PLACES = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
const THREE_PLACES = 'BHD IQD JOD KWD LYD OMR TND';
const FOUR_PLACES = 'CLF UYW';

const PLACES = new Map<string, number>();
for (const [places, codes] of [NO_PLACES, '', TWO_PLACES, THREE_PLACES, FOUR_PLACES].entries()) {
  for (const code of codes.split(' ')) if (code !== '') PLACES.set(code, places);
}

/** Every code, in the order of the alphabet. */
export const CURRENCY_CODES: readonly string[] = [...PLACES.keys()].sort();

/** An ISO 4217 currency. */
export interface Currency {
  readonly code: string;
  /** Decimal places of the minor unit: 0 for JPY, 2 for GBP, 3 for KWD. */
  readonly places: number;
}

/** Says that a text is not a currency code, and suggests one. */
export function explainCurrency(text: string): string {
  const upper = text.trim().toUpperCase();
  const example = PLACES.has(upper) ? upper : 'GBP';
  const problem = `"${text}" is not an ISO 4217 currency code`;
  return `${problem}. Use three capital letters, such as ${example}.`;
}

/** The currency of a three-letter code in upper case; undefined when it is unknown. */
export function findCurrency(code: string): Currency | undefined {
  const places = PLACES.get(code);
  return places === undefined ? undefined : { code, places };
}
