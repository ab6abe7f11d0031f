/** Why no budget line gets a transaction by its account code. */

import { nameLine } from '../../core/projects.ts';
import { type HtmlValue, html } from '../../http/html.ts';
import type { ClaimGroup, OtherClaim } from '../../store/account-codes.ts';
import type { LineChoice } from '../../store/line-list.ts';
import { nameFirst, typed } from '../components/elements.ts';
import type { Visit } from '../session/visit.ts';

const NO_LINE = 'no line claims it';
export const NO_PROJECT = 'no project has this project code';

/** Lines that claim the same code and are named. */
export const NAMED_LINES = 5;

/** Which lines claim the same code. */
export function sayAmbiguous(
  { reader }: Visit,
  { budgetLineIds }: Pick<ClaimGroup, 'budgetLineIds'>,
  lines: ReadonlyMap<number, LineChoice>,
): HtmlValue {
  const names = nameFirst(reader, budgetLineIds, NAMED_LINES, (id) => {
    const line = lines.get(id);
    return line && html`${typed(nameLine(line))} of ${typed(line.projectName)}`;
  });
  return html`several lines claim it: ${names}`;
}

/** Why no line claims a group on its days. */
export function sayOther(
  visit: Visit,
  { projectCode, from, to }: Pick<ClaimGroup, 'projectCode' | 'from' | 'to'>,
  line: OtherClaim | undefined,
): HtmlValue {
  if (line === undefined) {
    return projectCode === null ? NO_LINE : `${NO_LINE} in a project with this project code`;
  }
  const { projectName, startDate, endDate, isArchived, lines } = line;
  const claims = html`${typed(nameLine(line))} of ${typed(projectName)}${
    lines > 1 && ' and others'
  } ${lines > 1 ? 'claim' : 'claims'} it`;
  if (isArchived === 1) return html`${claims}, but the project is archived.`;
  const days = from === to ? visit.day(to) : html`${visit.day(from)} to ${visit.day(to)}`;
  return html`${claims}, but the project runs from ${visit.day(startDate)} to ${visit.day(
    endDate,
  )}. These are of ${days}.`;
}
