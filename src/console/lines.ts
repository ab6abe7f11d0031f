/** Fields in which people choose a budget line, and what they chose. */

import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { PAGE_ITEMS } from '../core/limits.ts';
import { type Html, html } from '../http/html.ts';
import type { Access } from '../operations/access.ts';
import {
  findBudgetLines,
  type LineChoice,
  type LineFilter,
  listBudgetLines,
} from '../operations/budget-lines.ts';
import { fillPage } from '../operations/pages.ts';

/** With more lines than this, a person types a code or a name instead of searching a list. */
export const LISTED_LINES = 300;

/** Lines of archived projects are not offered. */
const OFFERED = { isArchived: false } as const;

/** The lines to choose from; undefined if there are more than LISTED_LINES. */
export function listLines(
  access: Access,
  wish: LineFilter = {},
): readonly LineChoice[] | undefined {
  const filter = { ...wish, ...OFFERED };
  const request = { ...filter, limit: LISTED_LINES + 1 };
  const { items } = fillPage(request, (page) => listBudgetLines(access, { ...filter, ...page }));
  return items.length > LISTED_LINES ? undefined : items;
}

/** The code and name of a line. */
export function nameLine({ code, name }: Pick<LineChoice, 'code' | 'name'>): string {
  return code === null ? name : `${code} ${name}`;
}

/** What a field for a line needs. */
export interface LineField {
  /** Attributes of the control, such as its name and what describes it. */
  readonly attributes: Html;
  /** What was chosen or typed before. */
  readonly value?: string | undefined;
  /** Undefined: a text field takes a code or a name. */
  readonly lines: readonly LineChoice[] | undefined;
  /** Those that come first. */
  readonly likely?: readonly LineChoice[];
}

/** A list of the lines by project, or a text field. */
export function lineControl({ attributes, value = '', lines, likely = [] }: LineField): Html {
  if (lines === undefined) {
    const first = likely.map((line) => html`<option value="${nameLine(line)}">\n`);
    return html`<input ${attributes} value="${value}" autocomplete="off" list="likely-lines">
<datalist id="likely-lines">${first}</datalist>`;
  }
  const option = (line: LineChoice) => {
    const id = formatId('bln', line.id);
    const selected = id === value && html` selected`;
    return html`<option value="${id}"${selected}>${nameLine(line)}</option>\n`;
  };
  const isLikely = new Set(likely.map(({ id }) => id));
  const groups = new Map<string, LineChoice[]>();
  for (const line of lines.filter(({ id }) => !isLikely.has(id))) {
    const group = groups.get(line.projectName);
    if (group === undefined) groups.set(line.projectName, [line]);
    else group.push(line);
  }
  const named = [...(likely.length > 0 ? [['Likely', likely] as const] : []), ...groups];
  return html`<select ${attributes}>
<option value="">Choose a budget line</option>
${named.map(
  ([name, group]) => html`<optgroup label="${name}">${group.map(option)}</optgroup>\n`,
)}</select>`;
}

/**
 * The line that was chosen from the list, or typed as its code or its name. Refuses with
 * `invalid_input` an unknown line, and a text that fits several.
 */
export function readLineField(access: Access, text: string): LineChoice {
  const typed = text.trim();
  if (typed === '') throw new Failure('invalid_input', 'Choose a budget line.');
  const offered = findTyped(access, typed, OFFERED);
  // A transaction keeps what it has in an archived project.
  const found = offered.length > 0 ? offered : findTyped(access, typed, {});
  const [line, ...others] = found;
  if (line === undefined) {
    throw new Failure('invalid_input', `There is no budget line "${typed}".`);
  }
  if (others.length === 0) return line;
  const names = found.slice(0, 4).map((each) => `${nameLine(each)} (${each.projectName})`);
  const message = `"${typed}" fits several budget lines, such as ${names.join('; ')}.`;
  throw new Failure('invalid_input', `${message} Type the code and the name of one.`);
}

/** The line with this id, or those with this code, or that searchLines finds. */
function findTyped(access: Access, typed: string, filter: LineFilter): readonly LineChoice[] {
  const exact = findBudgetLines(access, typed, filter);
  return exact.length > 0 ? exact : searchLines(access, typed, filter);
}

/** Lines with this name, or with this code and name, else those that have the text in them. */
function searchLines(access: Access, typed: string, filter: LineFilter): readonly LineChoice[] {
  const [code = '', ...rest] = typed.split(' ');
  const byCode = findBudgetLines(access, code, filter).filter(({ name }) => {
    return name === rest.join(' ');
  });
  if (byCode.length > 0) return byCode;
  const { items } = listBudgetLines(access, { ...filter, search: typed, limit: PAGE_ITEMS });
  const named = items.filter(({ name }) => name.toLowerCase() === typed.toLowerCase());
  return named.length > 0 ? named : items;
}
