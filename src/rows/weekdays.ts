/** Names of weekdays, long and short, in the languages that budgetd reads. */

import { plainName } from './months.ts';

const NAMES =
  'monday mon tuesday tue tues wednesday wed thursday thu thur thurs friday fri saturday sat ' +
  'sunday sun montag mo dienstag di mittwoch mi donnerstag do freitag fr samstag sonnabend sa ' +
  'sonntag so lundi lun mardi mar mercredi mer jeudi jeu vendredi ven samedi sam dimanche dim ' +
  'maandag ma dinsdag woensdag wo donderdag vrijdag vr zaterdag za zondag zo ' +
  'lunes martes miercoles mie jueves jue viernes vie sabado sab domingo dom ' +
  'lunedi martedi mercoledi giovedi gio venerdi sabato domenica ' +
  'segunda seg terca ter quarta qua quinta qui sexta sex ' +
  'måndag mån tisdag tis onsdag ons torsdag tor tors fredag fre lördag lör söndag sön ' +
  'mandag man tirsdag tir tirs lørdag lør søndag søn ' +
  'poniedziałek pon pn wtorek wt środa śr czwartek czw piątek pt sobota sob niedziela niedz nd';

const WEEKDAYS = new Set(NAMES.split(' ').map(plainOf));

/** Whether a word is a weekday, whatever its case, accents, dots and commas. */
export function isWeekday(word: string): boolean {
  return WEEKDAYS.has(plainOf(word));
}

function plainOf(word: string): string {
  return plainName(word).replace(/[, ]/g, '');
}
