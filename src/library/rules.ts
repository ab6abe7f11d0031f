/** Rules in the library (contract 15). */

import { runDocument } from '../api/documents.ts';
import { accessTo } from '../operations/access.ts';
import { type RunOptions, runRules } from '../operations/rule-runs.ts';
import * as operations from '../operations/rules.ts';
import { ruleListDocument } from '../operations/rules.ts';
import { type RuleList, readRules } from '../store/rules.ts';
import type { LibraryContext } from './context.ts';

/** What can be done with rules. */
export type Rules = ReturnType<typeof buildRules>;

/** Builds the calls for rules. */
export function buildRules(context: LibraryContext) {
  const show = (organisationId: string, list: RuleList) => {
    return ruleListDocument(list, accessTo(context, organisationId).organisation.currency);
  };
  return {
    /** The list, as `import` reads it. */
    list(organisationId: string) {
      return show(organisationId, readRules(accessTo(context, organisationId)));
    },
    /** Replaces the list by that of a document. Refuses with `invalid_input`, all or nothing. */
    import(organisationId: string, document: unknown) {
      const access = accessTo(context, organisationId);
      return show(organisationId, operations.importRules(access, document, context.actor()));
    },
    /**
     * Runs the rules over what is not allocated, in short steps, between which the service answers
     * requests. `until` is the last day; `dryRun` writes nothing.
     */
    async run(organisationId: string, options: { until?: string; dryRun?: boolean } = {}) {
      const access = accessTo(context, organisationId);
      const { until, dryRun: isDry = false } = options;
      const run: RunOptions = { until, isDry };
      const outcome = await runRules(access, context.actor(), run);
      return runDocument(outcome, isDry, access.organisation.currency);
    },
    /** Whether the rules run after each push and import. */
    automatic(organisationId: string, on: boolean) {
      const access = accessTo(context, organisationId);
      const list = operations.changeRules(access, { automatic: on }, context.actor());
      return { automatic: list.automatic };
    },
  };
}
