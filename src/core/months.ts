/** Names of months, long and short, in the languages that budgetd reads. */

import { remembered } from './remembered.ts';
import { normalized } from './text.ts';

/** Languages that use the same name for different months: `listopad`. */
export const MONTH_LANGUAGES = ['hr', 'pl', 'cs'] as const;
export type MonthLanguage = (typeof MONTH_LANGUAGES)[number];

/** The names from January to December; `any` has those that mean one month in every language. */
const NAMES: Readonly<Record<MonthLanguage | 'any', readonly string[]>> = {
  any: [
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
  ],
  hr: (
    'sijecanj sijecnja sij/veljaca veljace velj/ozujak ozujka ozu/travanj travnja/' +
    'svibanj svibnja/lipanj lipnja lip/srpanj srpnja srp/kolovoz kolovoza/rujan rujna/' +
    'listopad listopada lis/studeni studenoga studenog/prosinac prosinca'
  ).split('/'),
  pl: (
    'styczen stycznia sty/luty lutego lut/marzec/kwiecien kwietnia kwi//czerwiec czerwca cze/' +
    'lipiec lipca lip/sierpien sierpnia sie/wrzesien wrzesnia wrz/pazdziernik pazdziernika paz/' +
    'listopad listopada lis/grudzien grudnia gru'
  ).split('/'),
  cs: (
    'leden ledna led/unor unora/brezen brezna/duben dubna/kveten kvetna/cerven cervna/' +
    'cervenec cervence/srpen srpna srp/zari/rijen rijna/listopad listopadu lis/prosinec prosince'
  ).split('/'),
};

const MONTHS = new Map<string, Map<MonthLanguage | 'any', number>>();
for (const language of ['any', ...MONTH_LANGUAGES] as const) {
  for (const [index, names] of NAMES[language].entries()) {
    for (const name of names.split(' ')) {
      MONTHS.set(name, (MONTHS.get(name) ?? new Map()).set(language, index + 1));
    }
  }
}
// May has no name of its own in Polish.
MONTHS.delete('');

/**
 * 1 to 12 for the name of a month, whatever its case and accents. Undefined for any other word, and
 * for a name that means different months, unless the language is given.
 */
export function findMonth(name: string, language?: MonthLanguage): number | undefined {
  const months = MONTHS.get(plainName(name));
  const own = language === undefined ? undefined : months?.get(language);
  const [month, other] = new Set(months?.values());
  return own ?? (other === undefined ? month : undefined);
}

/** Whether a word is the name of a month in any language. */
export const isMonthName = remembered((name) => MONTHS.has(plainName(name)));

/** Whether a word is the name of different months in different languages. */
export function isDoubtfulMonth(name: string): boolean {
  return isMonthName(name) && findMonth(name) === undefined;
}

/** The languages of a name; undefined if the name does not show the language. */
export function languagesOfMonth(name: string): readonly MonthLanguage[] | undefined {
  const months = MONTHS.get(plainName(name));
  const languages = MONTH_LANGUAGES.filter((language) => months?.has(language));
  return languages.length === 0 ? undefined : languages;
}

/** A name in lower case, without accents and dots. */
export function plainName(name: string): string {
  return normalized(name.toLowerCase(), 'NFD').replace(/\p{Mn}|\./gu, '');
}
