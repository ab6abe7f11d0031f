/** Names of months, long and short, in the languages that budgetd reads. */

const NAMES: readonly string[] = [
  'january jan januar janner januari janvier janv enero ene janeiro gennaio gen ocak',
  'february feb februar februari fevrier fevr fev febrero fevereiro febbraio subat',
  'march mar marz maerz mrz mars marts maart mrt marzo marco marca marcius mart',
  'april apr avril avr abril abr aprile aprilis nisan',
  'may mai mei maj mayo maio maggio mag maja majus mayis',
  'june jun juni juin junio junho giugno giu junius haziran',
  'july jul juli juillet juil julio julho luglio lug julius temmuz',
  'august aug augusti augustus aout agosto ago augusztus agustos',
  'september sep sept septembre septiembre setembro set settembre szeptember eylul',
  'october oct oktober okt octobre octubre outubro out ottobre ott ekim',
  'november nov novembre noviembre novembro kasim',
  'december dec dezember dez decembre diciembre dic dezembro dicembre aralik',
];

/** Languages that use the same name for different months: `listopad`. */
export const MONTH_LANGUAGES = ['hr', 'pl', 'cs'] as const;
export type MonthLanguage = (typeof MONTH_LANGUAGES)[number];

const OWN_NAMES: Readonly<Record<MonthLanguage, string>> = {
  hr:
    'sijecanj sijecnja sij/veljaca veljace velj/ozujak ozujka ozu/travanj travnja/' +
    'svibanj svibnja/lipanj lipnja lip/srpanj srpnja srp/kolovoz kolovoza/rujan rujna/' +
    'listopad listopada lis/studeni studenoga studenog/prosinac prosinca',
  pl:
    'styczen stycznia sty/luty lutego lut/marzec/kwiecien kwietnia kwi//czerwiec czerwca cze/' +
    'lipiec lipca lip/sierpien sierpnia sie/wrzesien wrzesnia wrz/pazdziernik pazdziernika paz/' +
    'listopad listopada lis/grudzien grudnia gru',
  cs:
    'leden ledna led/unor unora/brezen brezna/duben dubna/kveten kvetna/cerven cervna/' +
    'cervenec cervence/srpen srpna srp/zari/rijen rijna/listopad listopadu lis/prosinec prosince',
};

const MONTHS = new Map<string, number>();
for (const [index, names] of NAMES.entries()) {
  for (const name of names.split(' ')) MONTHS.set(name, index + 1);
}

const OWN = new Map<string, Map<MonthLanguage, number>>();
for (const language of MONTH_LANGUAGES) {
  for (const [index, names] of OWN_NAMES[language].split('/').entries()) {
    for (const name of names.split(' ')) {
      if (name !== '') OWN.set(name, (OWN.get(name) ?? new Map()).set(language, index + 1));
    }
  }
}
for (const [name, months] of OWN) {
  const [month, other] = new Set(months.values());
  if (month !== undefined && other === undefined) MONTHS.set(name, month);
}

/**
 * 1 to 12 for the name of a month, whatever its case and accents. Undefined for any other word, and
 * for a name that means different months, unless the language is given.
 */
export function findMonth(name: string, language?: MonthLanguage): number | undefined {
  const plain = plainName(name);
  const own = language === undefined ? undefined : OWN.get(plain)?.get(language);
  return own ?? MONTHS.get(plain);
}

/** Whether a word is the name of a month in any language. */
export function isMonthName(name: string): boolean {
  return MONTHS.has(plainName(name)) || OWN.has(plainName(name));
}

/** Whether a word is the name of different months in different languages. */
export function isDoubtfulMonth(name: string): boolean {
  return isMonthName(name) && !MONTHS.has(plainName(name));
}

/** How to resolve a text with an ambiguous month name; undefined for any other text. */
export function explainDoubt(text: string): string | undefined {
  if (!(text.match(/\p{L}+/gu) ?? []).some(isDoubtfulMonth)) return undefined;
  const languages = MONTH_LANGUAGES.map((each) => `@${each}`).join(', ');
  return `Its month depends on the language: add one of ${languages} to the format.`;
}

/** The languages of a name; undefined if the name does not show the language. */
export function languagesOfMonth(name: string): readonly MonthLanguage[] | undefined {
  const months = OWN.get(plainName(name));
  return months === undefined ? undefined : [...months.keys()];
}

/** A name in lower case, without accents and dots. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}|\./gu, '');
}
