/** The list of rules (contract 15): reading it, and every way to change it. */

import type { Actor } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { readId } from '../core/ids.ts';
import { RULES } from '../core/limits.ts';
import type { Access } from '../store/access.ts';
import * as store from '../store/rules.ts';
import { readRuleFile } from './rule-file.ts';

/** Replaces the whole list by that of a document. Refuses with `invalid_input`. */
export function importRules(access: Access, document: unknown, actor: Actor): store.RuleList {
  const { rules, ...settings } = readRuleFile(access, document);
  return changeRules(access, { ...settings, rules }, actor);
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
  if (length < RULES.rules) return undefined;
  return `There are ${RULES.rules} rules already. Remove one first.`;
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
  const list = changeRules(access, { rules, seenMs }, actor);
  return list.rules[at < 0 ? list.rules.length - 1 : at] as store.RuleRecord;
}

/** Changes how the rules run, or the list itself; what is absent stays. */
export function changeRules(
  access: Access,
  { automatic, byAccountCode, rules, seenMs }: Partial<Undefinable<store.RuleListDraft>>,
  actor: Actor,
): store.RuleList {
  const list = store.readRules(access);
  const draft = {
    automatic: automatic ?? list.automatic,
    byAccountCode: byAccountCode ?? list.byAccountCode,
    rules: rules ?? list.rules,
    seenMs,
  };
  store.saveRules(access, draft, actor);
  return store.readRules(access);
}

type Undefinable<Values> = { readonly [Name in keyof Values]: Values[Name] | undefined };

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
  const list = changeRules(access, { rules, seenMs }, actor);
  return list.rules.find((each) => each.id === number) ?? rule;
}
