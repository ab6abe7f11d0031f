/**
 * Reading a project file (contract 8): `unknown` to drafts, or everything that is wrong with it at
 * once. A file is taken whole or not at all.
 */

import { countMonths, explainCalendarDate, isCalendarDate, isMonth, monthOf } from './calendar.ts';
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
import { formatAmount, readAmount } from './money.ts';
import {
  BUDGET_MODES,
  type Budget,
  type BudgetLineDraft,
  type BudgetMode,
  lineKey,
  type ProjectDraft,
} from './projects.ts';
import { findProseProblems, findTextProblems } from './text.ts';

/** Problems shown of one file: more would only hide the first. */
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
 * The projects of a document: an array of projects, or one. Refuses with `invalid_input`; each
 * detail's field is a path such as `[0].budgetLines[3].budget.2015-04`.
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
    if (endDate !== '' && startDate > endDate) this.#add(path, 'endDate', 'is before startDate.');
    const code = members.get('currency');
    if (code !== undefined && code !== this.#currency.code) {
      const message = `must be the organisation's base currency, ${this.#currency.code}.`;
      this.#add(path, 'currency', message);
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
      this.#add(path, 'budgetLines', `has ${lines} lines: at most ${PROJECT_LINES}.`);
    } else if (months * lines > PROJECT_CELLS) {
      const message = `${lines} lines over ${months} months are ${of} cells of a report: at most`;
      this.#add(path, 'budgetLines', `${message} ${most}. Split the project or shorten it.`);
    }
  }

  /** Refuses values that stand more than once, at the later one's place; '' is none. */
  refuseTwice(values: readonly string[], what: string, pathOf: (index: number) => string): void {
    const seen = new Set<string>();
    for (const [index, value] of values.entries()) {
      if (seen.has(value)) this.#add('', pathOf(index), `the same ${what} stands here twice.`);
      if (value !== '') seen.add(value);
    }
  }

  #readLines(members: Members, path: string, frame: Frame): BudgetLineDraft[] {
    const value = members.get('budgetLines') ?? [];
    if (!Array.isArray(value)) {
      this.#add(path, 'budgetLines', 'must be a list.');
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
      this.#add(path, 'accountCodes', 'must be a list.');
      return [];
    }
    const codes: string[] = [];
    for (const [index, code] of value.entries()) {
      const field = `accountCodes[${index}]`;
      if (typeof code !== 'string') this.#add(path, field, 'must be a text.');
      else {
        this.#refuseProblems(path, field, findTextProblems(code.trim(), ACCOUNT_CODE_CHARACTERS));
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
      if (!isMonth(month)) this.#add('', field, 'is not a month written YYYY-MM.');
      else if (month < frame.first || (frame.last !== undefined && month > frame.last)) {
        this.#add('', field, "lies outside the project's dates.");
      } else byMonth.set(month, this.#readAmount(amount, field));
    }
    return { mode: 'monthly', byMonth };
  }

  #readAmount(value: unknown, path: string): number {
    const { places, code } = this.#currency;
    const minor = typeof value === 'number' ? readAmount(value, places) : undefined;
    if (typeof minor === 'number') return minor;
    const message =
      minor === undefined
        ? 'must be a number.'
        : minor === 'amount_precision'
          ? `has more than the ${places} decimal places of ${code}.`
          : `lies outside ±${formatAmount(AMOUNT_MINOR, places)}.`;
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
      this.#add(path, 'budgetMode', `must be one of: ${BUDGET_MODES.join(', ')}.`);
    }
    return mode ?? 'monthly';
  }

  #readDate(members: Members, path: string, field: string): string {
    const value = members.get(field);
    if (typeof value === 'string' && isCalendarDate(value)) return value;
    const problem =
      typeof value === 'string' ? explainCalendarDate(value) : 'must be a date written YYYY-MM-DD.';
    this.#add(path, field, problem);
    return '';
  }

  #readProse(members: Members, path: string): string | null {
    const value = members.get('description') ?? null;
    if (value === null) return null;
    if (typeof value !== 'string') {
      this.#add(path, 'description', 'must be a text.');
      return null;
    }
    const text = value.replace(/\r\n?/g, '\n').trim();
    if (text === '') return null;
    this.#refuseProblems(path, 'description', findProseProblems(text, NOTE_CHARACTERS));
    return text;
  }

  #readText(members: Members, path: string, field: string): string | null {
    const text = this.#readOptionalText(members, path, field);
    const isText = typeof (members.get(field) ?? '') === 'string';
    if (text === null && isText) this.#add(path, field, 'is required: a text that is not blank.');
    return text;
  }

  #readOptionalText(members: Members, path: string, field: string): string | null {
    const value = members.get(field) ?? null;
    if (value === null) return null;
    if (typeof value !== 'string') {
      this.#add(path, field, 'must be a text.');
      return null;
    }
    const text = value.trim();
    if (text === '') return null;
    this.#refuseProblems(path, field, findTextProblems(text, NAME_CHARACTERS));
    return text;
  }

  #readMembers(value: unknown, path: string, known?: readonly string[]): Members {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.#add('', path, 'must be a JSON object.');
      return new Map();
    }
    const members = new Map<string, unknown>(Object.entries(value));
    for (const name of members.keys()) {
      if (known !== undefined && !known.includes(name)) {
        this.#add(path, name, `is not known here: ${known.join(', ')} are.`);
      }
    }
    return members;
  }

  #refuseProblems(path: string, field: string, problems: readonly string[]): void {
    for (const problem of problems) this.#add(path, field, `is ${problem.replaceAll('_', ' ')}.`);
  }

  #add(path: string, field: string, message: string): void {
    const at = `${path}.${field}`.replace(/^\.+/, '').replace(/\.+$/, '');
    this.#problems.push({ field: at === '' ? null : at, code: 'invalid_input', message });
  }
}

/** What a line's budget must fit into, as far as it can be read. */
interface Frame {
  readonly budgetMode: BudgetMode;
  readonly first: string;
  readonly last: string | undefined;
}
