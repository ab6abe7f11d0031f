/**
 * Reads a project file (contract 8): from `unknown` to drafts, or to everything that is wrong with
 * it. A file is imported whole or not at all.
 */

import { createRequire } from 'node:module';
import { countMonths, monthOf } from '../core/calendar.ts';
import { count, groupThousands } from '../core/counts.ts';
import type { Currency } from '../core/currencies.ts';
import { Failure } from '../core/failures.ts';
import { PROJECTS } from '../core/limits.ts';
import { toMinor } from '../core/money.ts';
import { type Budget, type BudgetLineDraft, lineKey, type ProjectDraft } from '../core/projects.ts';
import { checks } from './checks.js';
import type { MonthlyProject, TotalProject } from './inputs.ts';
import { explainAmount, type Problem, showValue } from './project-words.ts';

const require = createRequire(import.meta.url);

/** How many problems of a file are shown: more would only hide the first. */
const SHOWN_PROBLEMS = 50;

type Project = MonthlyProject | TotalProject;
type Line = NonNullable<Project['budgetLines']>[number];

/** What is right of a project: the rules apply to that, whatever else is wrong. */
interface Rest extends Partial<Omit<Project, 'budgetLines'>> {
  readonly budgetLines?: readonly (Partial<Line> | undefined)[];
}

/**
 * The projects of a document: one project, or an array of them. Refuses with `invalid_input`; the
 * field of each detail is a path such as `[0].budgetLines[3].budget.2015-04`.
 */
export function readProjectFile(document: unknown, currency: Currency): ProjectDraft[] {
  const listed: readonly unknown[] = Array.isArray(document) ? document : [document];
  // Unlike `map`, this fills the holes of a list.
  const projects = Array.from(listed, (each) => tidy(each));
  const names: (string | undefined)[] = [];
  const problems = projects.flatMap((project, index) => {
    const prefix = Array.isArray(document) ? `[${index}]` : '';
    const { problems: own, rest } = isProject(project)
      ? { problems: [], rest: project }
      : explainDocument<Rest>('project', project, currency);
    names.push(rest?.name);
    return [...own, ...findBroken(rest ?? {}, currency)].map(([place, message]): Problem => {
      return [prefix === '' || place === '' ? prefix + place : `${prefix}.${place}`, message];
    });
  });
  for (const index of findRepeated(names)) {
    problems.push([`[${index}].name`, 'This name is already in the file.']);
  }
  refuse(problems);
  return projects.filter(isProject).map((project) => draftOf(project, currency));
}

/** Refuses a document with `invalid_input` if there are problems. */
export function refuse(problems: readonly Problem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const rest = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`;
  const details = problems.slice(0, SHOWN_PROBLEMS).map(([place, message]) => {
    return { field: place === '' ? null : place, code: 'invalid_input', message };
  });
  throw new Failure('invalid_input', `${first[0] || 'The file'}: ${first[1]}${rest}`, { details });
}

/** Members that are read as they are written. */
const AS_WRITTEN: ReadonlySet<string> = new Set([
  ...['startDate', 'endDate', 'currency', 'budgetMode', 'budget'],
]);
const TOLERANCE = 'tolerancePercent';
/** From the project to an account code of a line. */
const DEPTH = 4;

/** A copy with trimmed texts, without members that are null or blank. */
export function tidy(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(/\r\n?/g, '\n').trim();
  if (typeof value !== 'object' || value === null || depth === DEPTH) return value;
  if (Array.isArray(value)) return Array.from(value, (each) => tidy(each, depth + 1));
  const members = Object.entries(value).map(([name, each]) => {
    return [name, AS_WRITTEN.has(name) ? copy(each) : tidy(each, depth + 1)] as const;
  });
  return Object.fromEntries(
    members.filter(([name, each]) => {
      // Null asks for no reasons, which is not the same as saying nothing.
      if (name === TOLERANCE && each === null) return true;
      return (each ?? null) !== null && (each !== '' || AS_WRITTEN.has(name));
    }),
  );
}

function copy(value: unknown): unknown {
  return typeof value === 'object' && !Array.isArray(value) ? value && { ...value } : value;
}

function isProject(project: unknown): project is Project {
  return checks.MonthlyProject(project) || checks.TotalProject(project);
}

/**
 * What is wrong with the form of a document, and the rest of it. Loads TypeBox, which valid files
 * do not need; at once, because the library's call is.
 */
export function explainDocument<Document>(
  kind: 'project' | 'rules',
  document: unknown,
  currency: Currency,
) {
  const { explainForm } = require('./project-errors.js') as typeof import('./project-errors.ts');
  return explainForm(kind, document, currency) as {
    problems: Problem[];
    rest: Document | undefined;
  };
}

/** The rules that a schema cannot express. */
function findBroken(project: Rest, currency: Currency): Problem[] {
  const { startDate, endDate, budgetLines = [], codes = [] } = project;
  const { currency: code = currency.code } = project;
  const problems: Problem[] = [];
  if (code !== currency.code) {
    const base = `The organisation's currency is ${currency.code}`;
    problems.push(['currency', `${base}, not ${showValue(code)}.`]);
  }
  if (startDate !== undefined && endDate !== undefined) {
    if (startDate > endDate) {
      problems.push(['endDate', `${endDate} is before startDate, ${startDate}.`]);
    }
    const months = countMonths(startDate, endDate);
    problems.push(...problemAt('budgetLines', explainSize(months, budgetLines.length)));
  }
  if (readTolerance(project) === undefined) problems.push([TOLERANCE, NO_TOLERANCE]);
  for (const index of findRepeated(codes)) {
    problems.push([`codes[${index}]`, `The code ${showValue(codes[index])} is listed twice.`]);
  }
  for (const [index, line] of budgetLines.entries()) {
    problems.push(...findBrokenBudget(line?.budget, index, project, currency));
  }
  const keys = budgetLines.map(({ code = null, name } = {}) => {
    return name === undefined ? undefined : lineKey({ code, name });
  });
  for (const index of findRepeated(keys)) {
    problems.push([`budgetLines[${index}]`, REPEATED]);
  }
  return problems;
}

const NO_TOLERANCE = 'Use a number from 0 to 1000 with up to two decimals, or null.';

/** In hundredths of a percent; undefined for what is not a percentage. */
function readTolerance({ tolerancePercent: given = 10 }: Rest): number | null | undefined {
  if (given === null) return null;
  if (typeof given !== 'number' || !(given >= 0 && given <= 1_000)) return undefined;
  const hundredths = Math.round(given * 100);
  return given === hundredths / 100 ? hundredths : undefined;
}

function problemAt(place: string, message: string | undefined): Problem[] {
  return message === undefined ? [] : [[place, message]];
}

/** Refuses what would take too long to report on (limits.ts). */
function explainSize(months: number, lines: number): string | undefined {
  if (lines > PROJECTS.lines) {
    const most = groupThousands(String(PROJECTS.lines));
    return `There are ${count(lines, 'line')}, more than ${most}. Split the project.`;
  }
  if (months * lines <= PROJECTS.cells) return undefined;
  const cells = count(months * lines, 'cell');
  const size = `${count(lines, 'line')} over ${count(months, 'month')} make a report of ${cells}`;
  const most = groupThousands(String(PROJECTS.cells));
  return `${size}, more than ${most}. Split the project or shorten it.`;
}

function findBrokenBudget(
  budget: Line['budget'],
  index: number,
  project: Rest,
  currency: Currency,
): Problem[] {
  const place = `budgetLines[${index}].budget`;
  const line = project.budgetLines?.[index];
  const explain = (amount: number) => {
    const isTurned = line?.kind === 'income' && amount < 0;
    return explainAmount(amount, currency) ?? (isTurned ? explainIncome(amount, line) : undefined);
  };
  if (typeof budget === 'number') return problemAt(place, explain(budget));
  return Object.entries(budget ?? {}).flatMap(([month, amount]) => {
    const message = explainMonth(month, project) ?? explain(amount);
    return problemAt(`${place}.${month}`, message);
  });
}

function explainIncome(amount: number, { code, name = 'this line' }: Partial<Line>): string {
  return `${amount} is not an amount to expect of ${code ?? name}. Write it without the minus.`;
}

function explainMonth(month: string, { startDate, endDate }: Rest): string | undefined {
  if (startDate === undefined || endDate === undefined) return undefined;
  const [first, last] = [monthOf(startDate), monthOf(endDate)];
  if (month >= first && month <= last) return undefined;
  return `${month} is outside the project, which runs from ${first} to ${last}.`;
}

const REPEATED = 'An earlier line has the same code, or the same name and no code either.';

/** Where values are repeated; undefined ones are not compared. */
export function findRepeated(values: readonly (string | undefined)[]): number[] {
  const seen = new Set<string | undefined>();
  return [...values.keys()].filter((index) => {
    const value = values[index];
    const isRepeated = value !== undefined && seen.has(value);
    seen.add(value);
    return isRepeated;
  });
}

function draftOf(project: Project, currency: Currency): ProjectDraft {
  const { description = null, parentProject = null, funder, codes = [], archived } = project;
  const { budgetLines = [] } = project;
  const isTotal = project.budgetMode === 'total';
  return {
    name: project.name,
    description,
    startDate: project.startDate,
    endDate: project.endDate,
    budgetMode: project.budgetMode ?? 'monthly',
    parentProject,
    funderName: funder?.name ?? null,
    funderReference: funder?.reference ?? null,
    codes,
    toleranceHundredths: readTolerance(project) ?? null,
    ...(archived === undefined ? {} : { isArchived: archived }),
    budgetLines: budgetLines.map((line) => lineOf(line, isTotal, currency)),
  };
}

function lineOf(line: Line, isTotal: boolean, currency: Currency): BudgetLineDraft {
  const { code = null, name, category = null, kind, accountCodes = [] } = line;
  const budget = budgetOf(line.budget ?? (isTotal ? 0 : {}), currency);
  const own = { code, name, category, accountCodes: [...new Set(accountCodes)], budget };
  return kind === undefined ? own : { ...own, kind };
}

function budgetOf(budget: NonNullable<Line['budget']>, { places }: Currency): Budget {
  const minor = (amount: number) => Number(toMinor(amount, places));
  if (typeof budget === 'number') return { mode: 'total', totalMinor: minor(budget) };
  const amounts = Object.entries(budget).map(([month, amount]) => [month, minor(amount)] as const);
  amounts.sort(([one], [two]) => (one < two ? -1 : 1));
  return { mode: 'monthly', byMonth: new Map(amounts) };
}
