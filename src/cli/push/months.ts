/** Names of months, long and short, in the languages whose exports are read. */

const NAMES: readonly string[] = [
  'january jan januar janner januari janvier janv enero ene janeiro gennaio gen styczen ' +
    'stycznia sty leden ledna ocak',
  'february feb februar februari fevrier fevr fev febrero fevereiro febbraio luty ' +
    'lutego lut unor unora subat',
  'march mar marz maerz mrz mars marts maart mrt marzo marco marzec marca marcius ' +
    'brezen brezna mart',
  'april apr avril avr abril abr aprile kwiecien kwietnia kwi aprilis duben dubna nisan',
  'may mai mei maj mayo maio maggio mag maja majus kveten kvetna mayis',
  'june jun juni juin junio junho giugno giu czerwiec czerwca cze junius cerven cervna ' +
    'haziran',
  'july jul juli juillet juil julio julho luglio lug lipiec lipca lip julius cervenec ' +
    'cervence temmuz',
  'august aug augusti augustus aout agosto ago sierpien sierpnia sie augusztus srpen ' +
    'srpna agustos',
  'september sep sept septembre septiembre setembro set settembre wrzesien wrzesnia wrz ' +
    'szeptember zari eylul',
  'october oct oktober okt octobre octubre outubro out ottobre ott pazdziernik ' +
    'pazdziernika paz rijen rijna ekim',
  'november nov novembre noviembre novembro listopad listopada lis listopadu kasim',
  'december dec dezember dez decembre diciembre dic dezembro dicembre grudzien grudnia ' +
    'gru prosinec prosince aralik',
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
