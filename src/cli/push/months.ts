/** Names of months, long and short, in the languages whose exports are read. */

const NAMES: readonly string[] = [
  'january jan januar janner januari janvier janv enero ene janeiro gennaio gen styczen stycznia ' +
    'sty',
  'february feb februar februari fevrier fevr fev febrero fevereiro febbraio luty lutego lut',
  'march mar marz maerz mrz mars marts maart mrt marzo marco marzec marca',
  'april apr avril avr abril abr aprile kwiecien kwietnia kwi',
  'may mai mei maj mayo maio maggio mag maja',
  'june jun juni juin junio junho giugno giu czerwiec czerwca cze',
  'july jul juli juillet juil julio julho luglio lug lipiec lipca lip',
  'august aug augusti augustus aout agosto ago sierpien sierpnia sie',
  'september sep sept septembre septiembre setembro set settembre wrzesien wrzesnia wrz',
  'october oct oktober okt octobre octubre outubro out ottobre ott pazdziernik pazdziernika paz',
  'november nov novembre noviembre novembro listopad listopada lis',
  'december dec dezember dez decembre diciembre dic dezembro dicembre grudzien grudnia gru',
];

const MONTHS = new Map<string, number>();
for (const [index, names] of NAMES.entries()) {
  for (const name of names.split(' ')) MONTHS.set(name, index + 1);
}

/** 1 to 12 for a month's name in any case, with accents or without; undefined for all else. */
export function findMonth(name: string): number | undefined {
  const plain = name
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}|\./gu, '');
  return MONTHS.get(plain);
}
