/**
 * Reads a project file (contract 8): from `unknown` to drafts, or to everything that is wrong with
 * it. A file is imported whole or not at all.
 */

import { countMonths, explainDate, isCalendarDate, isCalendarMonth, monthOf } from './calendar.ts';
import type { Currency } from './currencies.ts';
import { Failure, type FailureDetail } from './failures.ts';
import {
  ACCOUNT_CODE_CHARACTERS,
  AMOUNT_MINOR,
  NAME_CHARACTERS,
  NOTE_CHARACTERS,
  PROJECT_CELLS,
  PROJECT_LINES,
} from './limits.ts';
import { showMoney, toMinor } from './money.ts';
import {
  BUDGET_MODES,
  type Budget,
  type BudgetLineDraft,
  type BudgetMode,
  lineKey,
  type ProjectDraft,
} from './projects.ts';
import { findProseProblems, findTextProblems, type TextProblem } from './text.ts';

/** How many problems of a file are shown: more would only hide the first. */
const SHOWN_PROBLEMS = 50;

const PROJECT_MEMBERS = [
  'name',
  'description',
  'startDate',
  'endDate',
  'currency',
  'budgetMode',
  'parentProject',
  'funder',
  'budgetLines',
];
const LINE_MEMBERS = ['code', 'name', 'category', 'accountCodes', 'budget'];

/**
 * The projects of a document: one project, or an array of them. Refuses with `invalid_input`; the
 * field of each detail is a path such as `[0].budgetLines[3].budget.2015-04`.
 */
export function readProjectFile(document: unknown, currency: Currency): ProjectDraft[] {
  const reader = new ProjectFileReader(currency);
  const list = Array.isArray(document) ? document : [document];
  const drafts = list.map((project: unknown, index) => {
    return reader.readProject(project, Array.isArray(document) ? `[${index}]` : '');
  });
  reader.refuseTwice(
    drafts.map(({ name }) => name),
    'name',
    (index) => `[${index}].name`,
  );
  reader.end();
  return drafts;
}

type Members = ReadonlyMap<string, unknown>;

class ProjectFileReader {
  readonly #problems: FailureDetail[] = [];
  readonly #currency: Currency;

  constructor(currency: Currency) {
    this.#currency = currency;
  }

  end(): void {
    const [first] = this.#problems;
    if (first === undefined) return;
    const more = this.#problems.length - 1;
    const rest = more === 0 ? '' : ` (and ${more} more)`;
    throw new Failure('invalid_input', `${first.field ?? 'The file'}: ${first.message}${rest}`, {
      details: this.#problems.slice(0, SHOWN_PROBLEMS),
    });
  }

  readProject(value: unknown, path: string): ProjectDraft {
    const members = this.#readMembers(value, path, PROJECT_MEMBERS);
    const startDate = this.#readDate(members, path, 'startDate');
    const endDate = this.#readDate(members, path, 'endDate');
    if (endDate !== '' && startDate > endDate) {
      this.#add(path, 'endDate', `${endDate} is before startDate, ${startDate}.`);
    }
    const code = members.get('currency');
    if (code !== undefined && code !== this.#currency.code) {
      const base = `The organisation's currency is ${this.#currency.code}`;
      this.#add(path, 'currency', `${base}, not ${show(code)}.`);
    }
    const budgetMode = this.#readMode(members, path);
    const funder = this.#readFunder(members, path);
    const last = endDate === '' ? undefined : monthOf(endDate);
    const frame = { budgetMode, first: monthOf(startDate), last };
    const budgetLines = this.#readLines(members, path, frame);
    if (startDate !== '' && endDate !== '') {
      this.#refuseSize(path, countMonths(startDate, endDate), budgetLines.length);
    }
    return {
      name: this.#readText(members, path, 'name') ?? '',
      description: this.#readProse(members, path),
      startDate,
      endDate,
      budgetMode,
      parentProject: this.#readOptionalText(members, path, 'parentProject'),
      funderName: funder?.name ?? null,
      funderReference: funder?.reference ?? null,
      budgetLines,
    };
  }

  /** Refuses what would take too long to report on (limits.ts). */
  #refuseSize(path: string, months: number, lines: number): void {
    const [of, most] = [months * lines, PROJECT_CELLS].map((count) => count.toLocaleString('en'));
    if (lines > PROJECT_LINES) {
      this.#add(
        path,
        'budgetLines',
        `There are ${lines} lines, more than ${PROJECT_LINES}. Split the project.`,
      );
    } else if (months * lines > PROJECT_CELLS) {
      const size = `${lines} lines over ${months} months make a report of ${of} cells`;
      const message = `${size}, more than ${most}. Split the project or shorten it.`;
      this.#add(path, 'budgetLines', message);
    }
  }

  /** Reports repeated values, where they are repeated; '' means a missing value. */
  refuseTwice(values: readonly string[], what: string, pathOf: (index: number) => string): void {
    const seen = new Set<string>();
    for (const [index, value] of values.entries()) {
      if (seen.has(value)) this.#add('', pathOf(index), `This ${what} is already in the file.`);
      if (value !== '') seen.add(value);
    }
  }

  #readLines(members: Members, path: string, frame: Frame): BudgetLineDraft[] {
    const value = members.get('budgetLines') ?? [];
    if (!Array.isArray(value)) {
      this.#add(path, 'budgetLines', `Use a list [ … ], not ${show(value)}.`);
      return [];
    }
    const lines = value.map((line: unknown, index) => {
      return this.#readLine(line, `${path}.budgetLines[${index}]`, frame);
    });
    const keys = lines.map((line) => (line.code ?? line.name) && lineKey(line));
    this.refuseTwice(keys, 'budget line', (index) => `${path}.budgetLines[${index}]`);
    return lines;
  }

  #readLine(value: unknown, path: string, frame: Frame): BudgetLineDraft {
    const members = this.#readMembers(value, path, LINE_MEMBERS);
    return {
      code: this.#readOptionalText(members, path, 'code'),
      name: this.#readText(members, path, 'name') ?? '',
      category: this.#readOptionalText(members, path, 'category'),
      accountCodes: this.#readAccountCodes(members, path),
      budget: this.#readBudget(members.get('budget'), `${path}.budget`, frame),
    };
  }

  #readAccountCodes(members: Members, path: string): string[] {
    const value = members.get('accountCodes') ?? [];
    if (!Array.isArray(value)) {
      this.#add(path, 'accountCodes', `Use a list such as ["7100"], not ${show(value)}.`);
      return [];
    }
    const codes: string[] = [];
    for (const [index, code] of value.entries()) {
      const field = `accountCodes[${index}]`;
      if (typeof code !== 'string') this.#add(path, field, notText(code));
      else {
        this.#refuseText({ path, field, max: ACCOUNT_CODE_CHARACTERS }, code.trim());
        codes.push(code.trim());
      }
    }
    return [...new Set(codes)];
  }

  #readBudget(value: unknown, path: string, frame: Frame): Budget {
    if (frame.budgetMode === 'total') {
      return { mode: 'total', totalMinor: this.#readAmount(value ?? 0, path) };
    }
    const byMonth = new Map<string, number>();
    for (const [month, amount] of this.#readMembers(value ?? {}, path)) {
      const field = `${path}.${month}`;
      if (!isCalendarMonth(month))
        this.#add('', field, `Write the month as YYYY-MM, not "${month}".`);
      else if (month < frame.first || (frame.last !== undefined && month > frame.last)) {
        const dates = `which runs from ${frame.first} to ${frame.last ?? '?'}`;
        this.#add('', field, `${month} is outside the project, ${dates}.`);
      } else byMonth.set(month, this.#readAmount(amount, field));
    }
    return { mode: 'monthly', byMonth };
  }

  #readAmount(value: unknown, path: string): number {
    const { places, code } = this.#currency;
    const minor = typeof value === 'number' ? toMinor(value, places) : undefined;
    if (typeof minor === 'number') return minor;
    const largest = showMoney(AMOUNT_MINOR, this.#currency);
    const message =
      minor === undefined
        ? `Use a number such as 1200, not ${show(value)}.`
        : minor === 'amount_precision'
          ? `${value} has more than the ${places} decimal places of ${code}. Round it.`
          : `${value} is too large. The largest amount is ${largest}.`;
    this.#add('', path, message);
    return 0;
  }

  #readFunder(members: Members, path: string): { name: string; reference: string | null } | null {
    const value = members.get('funder') ?? null;
    if (value === null) return null;
    const at = `${path}.funder`;
    const funder = this.#readMembers(value, at, ['name', 'reference']);
    const name = this.#readText(funder, at, 'name') ?? '';
    return { name, reference: this.#readOptionalText(funder, at, 'reference') };
  }

  #readMode(members: Members, path: string): BudgetMode {
    const value = members.get('budgetMode') ?? 'monthly';
    const mode = BUDGET_MODES.find((each) => each === value);
    if (mode === undefined) {
      const modes = BUDGET_MODES.map((each) => `"${each}"`).join(' or ');
      this.#add(path, 'budgetMode', `Use ${modes}, not ${show(value)}.`);
    }
    return mode ?? 'monthly';
  }

  #readDate(members: Members, path: string, field: string): string {
    const value = members.get(field);
    if (typeof value === 'string' && isCalendarDate(value)) return value;
    const isMissing = value === undefined || value === null;
    const message = isMissing ? 'This is required. Write it as YYYY-MM-DD.' : undefined;
    const text = typeof value === 'string' ? value : String(value);
    this.#add(path, field, message ?? explainDate(text));
    return '';
  }

  #readProse(members: Members, path: string): string | null {
    const value = members.get('description') ?? null;
    if (value === null) return null;
    if (typeof value !== 'string') {
      this.#add(path, 'description', notText(value));
      return null;
    }
    const text = value.replace(/\r\n?/g, '\n').trim();
    if (text === '') return null;
    const place = { path, field: 'description', max: NOTE_CHARACTERS };
    this.#refuseText(place, text, findProseProblems);
    return text;
  }

  #readText(members: Members, path: string, field: string): string | null {
    const text = this.#readOptionalText(members, path, field);
    const isText = typeof (members.get(field) ?? '') === 'string';
    if (text === null && isText) this.#add(path, field, 'This is required and cannot be blank.');
    return text;
  }

  #readOptionalText(members: Members, path: string, field: string): string | null {
    const value = members.get(field) ?? null;
    if (value === null) return null;
    if (typeof value !== 'string') {
      this.#add(path, field, notText(value));
      return null;
    }
    const text = value.trim();
    if (text === '') return null;
    this.#refuseText({ path, field, max: NAME_CHARACTERS }, text);
    return text;
  }

  #readMembers(value: unknown, path: string, known?: readonly string[]): Members {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.#add('', path, `Use a JSON object { … }, not ${show(value)}.`);
      return new Map();
    }
    const members = new Map<string, unknown>(Object.entries(value));
    for (const name of members.keys()) {
      if (known !== undefined && !known.includes(name)) {
        this.#add(path, name, `"${name}" is unknown. Use one of ${known.join(', ')}.`);
      }
    }
    return members;
  }

  #refuseText(place: TextPlace, text: string, find = findTextProblems): void {
    const { path, field, max } = place;
    const messages: Record<TextProblem, string> = {
      blank: 'The text is blank.',
      too_long: `The text is longer than ${max} characters. Shorten it.`,
      invalid_characters: 'The text contains a control character. Remove it.',
    };
    for (const problem of find(text, max)) this.#add(path, field, messages[problem]);
  }

  #add(path: string, field: string, message: string): void {
    const at = `${path}.${field}`.replace(/^\.+/, '').replace(/\.+$/, '');
    this.#problems.push({ field: at === '' ? null : at, code: 'invalid_input', message });
  }
}

/** Where a text is, and how long it may be. */
interface TextPlace {
  readonly path: string;
  readonly field: string;
  readonly max: number;
}

/** A value in a message: short, and in JSON, so that "5" and 5 differ. */
function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function notText(value: unknown): string {
  return `Use text in quotation marks, not ${show(value)}.`;
}

/** The limits of a line's budget, as far as the project's dates can be read. */
interface Frame {
  readonly budgetMode: BudgetMode;
  readonly first: string;
  readonly last: string | undefined;
}
