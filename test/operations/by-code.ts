/** Runs and looks at the built-in rule by account code alone. */

import type { Actor } from '../../src/core/audit.ts';
import { type RunCounts, runRules } from '../../src/operations/rule-runs.ts';
import type { Access } from '../../src/store/access.ts';
import { KnownRules, takeRulings } from '../../src/store/rule-runs.ts';

/** A run, with what each line got. */
export async function allocateByAccountCode(
  access: Access,
  actor: Actor,
  onStep?: (soFar: RunCounts) => void,
) {
  const {
    rules,
    isCut: _,
    ...outcome
  } = await runRules(access, actor, { onlyByAccountCode: true, onStep });
  return { ...outcome, lines: rules[0]?.lines ?? new Map<number, never>() };
}

/** What a run would make of each transaction that waits. */
export function previewByAccountCode(access: Access) {
  const known = new KnownRules({ onlyByAccountCode: true });
  return takeRulings(access, { limit: 1000, known }, undefined).rulings;
}
