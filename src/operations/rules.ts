/**
 * The list of rules (contract 15): every way to change it, reading it from a file or a form, whole
 * or not at all, and writing it so that it can be read again.
 */

import type { Actor } from '../core/audit.ts';
import type { Currency } from '../core/currencies.ts';
import { explainMissing, Failure } from '../core/failures.ts';
import { groupBy } from '../core/groups.ts';
import { formatId, readId } from '../core/ids.ts';
import { AMOUNT_MINOR, RULE_LIMITS } from '../core/limits.ts';
import { toMajor, toMinor } from '../core/money.ts';
import { BY_ACCOUNT_CODE, type RuleConditions, WHOLE } from '../core/rules.ts';
import type { Access } from '../store/access.ts';
import type { LineChoice } from '../store/line-list.ts';
import type { RuleDraft, RuleList, RuleRecord, ShownShare } from '../store/rules.ts';
import * as store from '../store/rules.ts';
import { listBudgetLines } from './budget-lines.ts';
import { checks } from './checks.js';
import type { RuleFile } from './inputs.ts';
import { listAll } from './pages.ts';
import { explainDocument, findRepeated, refuse, tidy } from './project-file.ts';
import { explainAmount, type Problem, showValue } from './project-words.ts';
import { listProjects } from './projects.ts';

export { changeRules } from '../store/rules.ts';

/** Replaces the whole list by that of a document. Refuses with `invalid_input`. */
export function importRules(access: Access, document: unknown, actor: Actor): store.RuleList {
  return store.changeRules(access, readRuleFile(access, document), actor);
}

/**
 * Reads a rule of a form, which is as a file has it; without an id it is a new one, the last.
 * Refuses with `invalid_input`, with details as {@link readRuleFile}.
 */
export function readRule(
  access: Access,
  { id, rule }: { readonly id: string | undefined; readonly rule: unknown },
): store.RuleDraft {
  const { rules } = store.readRules(access);
  const number = id === undefined ? undefined : readId('rul', id);
  const full = explainFull(rules);
  if (id === undefined && full !== undefined) throw new Failure('invalid_input', full);
  if (id !== undefined && !rules.some((each) => each.id === number)) {
    throw new Failure('conflict', 'This rule has been removed.');
  }
  const others = rules.filter((each) => each.id !== number).map(({ name }) => name);
  const [draft] = readRuleFile(access, { rules: [rule] }, others).rules;
  return { ...(draft as store.RuleDraft), id: number };
}

/** Why no other rule can be made; undefined if one can. */
export function explainFull({ length }: readonly unknown[]): string | undefined {
  if (length < RULE_LIMITS.rules) return undefined;
  return `There are ${RULE_LIMITS.rules} rules already. Remove one first.`;
}

/** Saves a rule that {@link readRule} has read. Refuses with `conflict` what was seen late. */
export function saveRule(
  access: Access,
  draft: store.RuleDraft,
  { seenMs, actor }: { seenMs: number; actor: Actor },
): store.RuleRecord {
  const rules: store.RuleDraft[] = [...store.readRules(access).rules];
  const at = rules.findIndex(({ id }) => id === draft.id);
  rules.splice(at < 0 ? rules.length : at, 1, draft);
  const list = store.changeRules(access, { rules, seenMs }, actor);
  return list.rules[at < 0 ? list.rules.length - 1 : at] as store.RuleRecord;
}

/** What can be done to a rule of the list. */
export const RULE_ACTS = ['up', 'down', 'remove'] as const;

/** Moves a rule, or removes it. Refuses with `conflict` what was seen late. */
export function changeRule(
  access: Access,
  { id, act, seenMs }: { id: string; act: (typeof RULE_ACTS)[number]; seenMs: number },
  actor: Actor,
): store.RuleRecord {
  const number = readId('rul', id);
  const rules = [...store.readRules(access).rules];
  const at = rules.findIndex((rule) => rule.id === number);
  const rule = rules[at];
  if (rule === undefined) throw new Failure('conflict', 'This rule has been removed.');
  rules.splice(at, 1);
  const to = Math.max(0, at + (act === 'up' ? -1 : Number(act === 'down')));
  if (act !== 'remove') rules.splice(to, 0, rule);
  const list = store.changeRules(access, { rules, seenMs }, actor);
  return list.rules.find((each) => each.id === number) ?? rule;
}

/** A rule as files and forms have it. */
type RuleInput = RuleFile['rules'][number];
type ShareInput = RuleInput['shares'][number];

/**
 * The list in a document: what {@link ruleListDocument} writes, or its rules alone; what it leaves
 * out is undefined. Refuses with `invalid_input`; the field of each detail is a path such as
 * `rules[3].shares[0].percent`. `taken`: names of other rules.
 */
function readRuleFile(access: Access, document: unknown, taken: readonly string[] = []) {
  const { currency } = access.organisation;
  const file = tidyFile(document);
  const { problems: found, rest } = checks.RuleFile(file)
    ? { problems: [], rest: file }
    : explainDocument<Partial<RuleFile>>('rules', file, currency);
  const problems = [...found, ...listBlank(document)];
  const rules: readonly Partial<RuleInput>[] = Array.from(rest?.rules ?? [], (each) => each ?? {});
  const find = lineFinder(access);
  const drafts = rules.map((rule, at) => {
    const place = `rules[${at}]`;
    return draftOf(rule, { place, problems, find, currency });
  });
  const known = [BY_ACCOUNT_CODE, ...taken];
  for (const at of findRepeated([...known, ...rules.map(({ name }) => name)])) {
    problems.push([`rules[${at - known.length}].name`, 'Another rule has this name.']);
  }
  refuse(problems);
  return { automatic: rest?.automatic, byAccountCode: rest?.byAccountCode, rules: drafts };
}

function tidyFile(document: unknown): unknown {
  const file = Array.isArray(document) ? { rules: document } : document;
  const rules: unknown = Reflect.get(Object(file), 'rules');
  if (!Array.isArray(rules)) return file;
  return { ...(file as object), rules: Array.from(rules, (each) => tidy(each)) };
}

/** Blank texts of conditions: left out, they would make a rule take more than it was meant to. */
function listBlank(document: unknown): Problem[] {
  const rules: unknown = Array.isArray(document)
    ? document
    : Reflect.get(Object(document), 'rules');
  if (!Array.isArray(rules)) return [];
  return Array.from(rules, (rule: unknown, at) => {
    const conditions: unknown = Reflect.get(Object(rule), 'conditions');
    return listTexts(conditions, `rules[${at}].conditions`)
      .filter(([, text]) => text.trim() === '')
      .map(([place]): Problem => [place, 'Fill this in, or leave the condition out.']);
  }).flat();
}

function listTexts(value: unknown, place: string): [place: string, text: string][] {
  if (typeof value === 'string') return [[place, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => listTexts(each, `${place}.${name}`));
}

/** Where a rule is read, and to whom its problems go. */
interface Reading {
  readonly place: string;
  readonly problems: Problem[];
  readonly find: FindLine;
  readonly currency: Currency;
}

function draftOf(rule: Partial<RuleInput>, reading: Reading): RuleDraft {
  const { name = '', on = true, from = null, until = null, conditions, shares } = rule;
  const { place, problems } = reading;
  if (from !== null && until !== null && from > until) {
    problems.push([`${place}.until`, `${until} is before from, ${from}.`]);
  }
  return {
    name,
    isOn: on,
    from,
    until,
    conditions: conditions === undefined ? {} : conditionsOf(conditions, reading),
    shares: shares === undefined ? [] : sharesOf(shares, reading),
  };
}

function conditionsOf(conditions: RuleInput['conditions'], reading: Reading): RuleConditions {
  const { amount, ...others } = conditions;
  const { problems, currency } = reading;
  const place = `${reading.place}.conditions`;
  for (const name of ['contact', 'description', 'accountCode'] as const) {
    const given = others[name];
    if (given === undefined || Object.keys(given).length === 1) continue;
    if (hasProblem(reading, `${place}.${name}`)) continue;
    const other = name === 'accountCode' ? 'startsWith' : 'contains';
    problems.push([`${place}.${name}`, `Use one of is and ${other}.`]);
  }
  const isMissing = (name: (typeof TELLING)[number]) =>
    others[name] === undefined && !hasProblem(reading, `${place}.${name}`);
  if (TELLING.every(isMissing)) problems.push([place, NOT_TELLING]);
  if (amount === undefined) return others;
  if (Object.keys(amount).length === 0 && !hasProblem(reading, `${place}.amount`)) {
    problems.push([`${place}.amount`, 'Fill in from, to or both.']);
  }
  const minorOf = (name: 'from' | 'to') => {
    const value = amount[name];
    if (value === undefined) return undefined;
    const negative = value < 0 ? 'Write the amount without the minus.' : undefined;
    const problem = explainAmount(value, currency) ?? negative;
    if (problem !== undefined) problems.push([`${place}.amount.${name}`, problem]);
    return Number(toMinor(value, currency.places));
  };
  const [fromMinor, toMinor_] = [minorOf('from'), minorOf('to')];
  if ((fromMinor ?? 0) > (toMinor_ ?? AMOUNT_MINOR)) {
    problems.push([`${place}.amount`, 'The first amount is larger than the second.']);
  }
  return { ...others, amount: { fromMinor, toMinor: toMinor_ } };
}

/** A rule needs at least one of these conditions: the others do not say what a payment is for. */
const TELLING = [
  'contact',
  'description',
  'accountCode',
  'projectCode',
  'provider',
] as const satisfies readonly (keyof RuleConditions)[];
const NOT_TELLING =
  'Fill in at least one of contact, description, account code, project code or provider.';

/** Whether a part of the rule was refused, of which what is left says nothing. */
function hasProblem({ problems }: Reading, place: string): boolean {
  return problems.some(([field]) => field.startsWith(place));
}

function sharesOf(shares: readonly (ShareInput | undefined)[], reading: Reading) {
  const { problems, find } = reading;
  const place = `${reading.place}.shares`;
  const read = Array.from(shares, (share = {}, at) => {
    const own = `${place}[${at}]`;
    const line = find(share);
    if (typeof line === 'string') problems.push([`${own}.line`, line]);
    const { percent, rest = false } = share;
    if (rest === (percent !== undefined) && !hasProblem(reading, own)) {
      problems.push([`${own}.percent`, 'Use percent, or "rest": true.']);
    }
    const weight = percent === undefined ? null : toMinor(percent, 2);
    if (weight !== null && (typeof weight !== 'number' || weight <= 0 || weight > WHOLE)) {
      const range = 'above 0 and at most 100, with up to 2 decimals';
      problems.push([`${own}.percent`, `Use a number ${range}, not ${showValue(percent)}.`]);
    }
    return { budgetLineId: typeof line === 'string' ? 0 : line.id, weight };
  });
  const ids = read.map(({ budgetLineId: id }) => (id === 0 ? undefined : String(id)));
  for (const at of findRepeated(ids)) {
    problems.push([`${place}[${at}].line`, 'An earlier share already has this line.']);
  }
  const problem = hasProblem(reading, place) ? undefined : sumUp(read.map(({ weight }) => weight));
  if (problem !== undefined) problems.push([place, problem]);
  return read.map(({ budgetLineId, weight }) => ({
    budgetLineId,
    weight: weight && Number(weight),
  }));
}

/** What is wrong with the shares together. */
function sumUp(weights: readonly unknown[]): string | undefined {
  if (weights.length === 0) return 'Choose a budget line.';
  const rests = weights.filter((each) => each === null).length;
  if (rests > 1) return 'Only one share can take the rest.';
  const sum = weights.reduce<number>((all, each) => all + Number(each), 0);
  const come = `Shares come to ${sum / 100}%`;
  if (sum > WHOLE) return `${come}. Take ${(sum - WHOLE) / 100}% off.`;
  if (rests === 0 && sum < WHOLE) return `${come}. One of them can take the rest.`;
  return rests === 1 && sum === WHOLE ? `${come}, and leave nothing for the rest.` : undefined;
}

/** Finds the line of a share, or says what is wrong with it. */
type FindLine = (share: ShareInput) => LineChoice | string;

function lineFinder(access: Access): FindLine {
  let known: ReadonlyMap<string, readonly LineChoice[]> | undefined;
  return ({ budgetLineId, line, project }) => {
    known ??= mapLines(access);
    const [own] = known.get(`id ${budgetLineId}`) ?? [];
    if (own !== undefined) return own;
    if (line === undefined) return 'This is required and cannot be blank.';
    const named = ['id', 'code', 'name'].map((kind) => known?.get(`${kind} ${line}`));
    const all = named.find((each) => each !== undefined) ?? [];
    const isMeant = (id: number, name: string) =>
      project === undefined || [name, formatId('prj', id)].includes(project);
    const found = all.filter(({ projectId, projectName }) => isMeant(projectId, projectName));
    const [first, second] = found;
    if (first === undefined) {
      const projects = listAll((page) => listProjects(access, page));
      if (project !== undefined && !projects.some(({ id, name }) => isMeant(id, name))) {
        return explainMissing('project', showValue(project));
      }
      const where = project === undefined ? '' : ` in ${showValue(project)}`;
      return explainMissing('budget line', showValue(line) + where);
    }
    return second === undefined
      ? first
      : `Several projects have a line ${showValue(line)}. Name one.`;
  };
}

/** The budget lines by id and code, or by name if a line has no code. */
function mapLines(access: Access): ReadonlyMap<string, readonly LineChoice[]> {
  const lines = listAll((page) => listBudgetLines(access, page));
  return new Map<string, readonly LineChoice[]>([
    ...groupBy(lines, ({ code, name }) => (code === null ? `name ${name}` : `code ${code}`)),
    ...groupBy(lines, ({ id }) => `id ${formatId('bln', id)}`),
  ]);
}

/** The list as `rules import` reads it. */
export function ruleListDocument(
  { automatic, byAccountCode, rules }: RuleList,
  currency: Currency,
) {
  return { automatic, byAccountCode, rules: rules.map((rule) => ruleDocument(rule, currency)) };
}

/** A rule of it. */
export function ruleDocument(rule: RuleRecord, { places }: Currency) {
  const { position, name, isOn: on, from, until, conditions, shares, allocated } = rule;
  const { amount, ...others } = conditions;
  const major = (minor: number | undefined) => minor && toMajor(minor, places);
  const amounts = amount && { from: major(amount.fromMinor), to: major(amount.toMinor) };
  return {
    ...{ position, name, on, from, until },
    conditions: amounts === undefined ? others : { ...others, amount: amounts },
    shares: shares.map(shareDocument),
    allocated,
  };
}

function shareDocument({ projectName, lineCode, lineName, budgetLineId, weight }: ShownShare) {
  const line = { project: projectName, line: lineCode ?? lineName };
  const part = weight === null ? { rest: true } : { percent: weight / 100 };
  return { ...line, budgetLineId: formatId('bln', budgetLineId), ...part };
}
