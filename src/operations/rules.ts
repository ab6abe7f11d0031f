/** The list of rules (contract 15): reading it, and every way to change it. */

import type { Actor } from '../core/audit.ts';
import * as store from '../store/rules.ts';
import type { Access } from './access.ts';
import { readRuleFile } from './rule-file.ts';

export { type RuleList, type RuleRecord, readRules } from '../store/rules.ts';

/** Replaces the whole list by that of a document. Refuses with `invalid_input`. */
export function importRules(access: Access, document: unknown, actor: Actor): store.RuleList {
  const { rules, ...settings } = readRuleFile(access, document);
  return save(access, { ...settings, rules }, actor);
}

/** Changes how the rules run. */
export function setRuleSettings(
  access: Access,
  settings: Partial<store.RuleSettings>,
  actor: Actor,
): store.RuleList {
  return save(access, settings, actor);
}

function save(
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
