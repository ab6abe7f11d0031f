/**
 * Checks a database: SQLite's own integrity check, the hash of each transaction, and the rules for
 * totals and statuses. It reads in short steps, so that a running service can check its file.
 */

import type { Db } from '../database/database.ts';
import { SCHEMA_VERSION } from '../database/migrations.ts';
import { isDamage, isForeign } from '../database/sqlite-errors.ts';
import { RULES, UNCHANGED } from './rules.ts';

export interface CheckResult {
  readonly name: string;
  /** True, too, if what was found does no harm. */
  readonly ok: boolean;
  /** How many records broke the rule. */
  readonly found: number;
  /** The first few of them. */
  readonly examples: readonly string[];
}

const EXAMPLES = 5;
/** Transactions that changed on the disk are all worth a name, up to here. */
const NAMED = 100;
/** The most records of a rule that are named, so that they fit in one line of a log. */
const DESCRIBED = 10;

type Steps = ReturnType<(typeof RULES)[string]['find']>;

/** Checks every rule, and calls `onRule` with each result. */
export function checkDatabase(
  db: Db,
  onRule: (result: CheckResult) => void = () => {},
): CheckResult[] {
  const results: CheckResult[] = [];
  for (const result of checkSteps(db, { isRunning: false })) {
    if (result === undefined) continue;
    results.push(result);
    onRule(result);
  }
  return results;
}

/**
 * Checks every rule in steps of some milliseconds, between which other work can run: yields the
 * result of each rule, and undefined after every other step. While a service runs on the file,
 * leaves out what SQLite cannot do in steps.
 */
export function* checkSteps(
  db: Db,
  { isRunning }: { isRunning: boolean },
): Generator<CheckResult | undefined, void> {
  // A backup can have an older schema, about which the other rules know nothing.
  const isOlder = db.pragma('user_version', { simple: true }) !== SCHEMA_VERSION;
  for (const [name, rule] of Object.entries(RULES)) {
    if ((rule.isAtOnce && isRunning) || (isOlder && !rule.isOfFile)) continue;
    const most = name === UNCHANGED ? NAMED : EXAMPLES;
    const examples: string[] = [];
    let found = 0;
    for (const broken of orDamage(rule.find(db))) {
      found += broken.length;
      for (const { example } of broken.slice(0, most - examples.length)) examples.push(example);
      yield undefined;
    }
    yield { name, ok: found === 0 || rule.isTolerated === true, found, examples };
  }
}

/** The rules that do not hold, as text, each with the first records that break it. */
export function describeBroken(results: readonly CheckResult[]): string {
  const broken = results.filter(({ ok }) => !ok);
  return broken
    .map(({ name, found, examples }) => {
      const named = examples.slice(0, DESCRIBED);
      const others = found > named.length ? ` and ${found - named.length} more` : '';
      return `${name} (${named.join(', ')}${others})`;
    })
    .join('; ');
}

/**
 * A file too damaged to read, or without a table that the rule reads, breaks the rule. The other
 * rules are still checked.
 */
function* orDamage(steps: Steps): Steps {
  try {
    yield* steps;
  } catch (error) {
    if (!isDamage(error) && !isForeign(error)) throw error;
    yield [{ example: `this part of the file cannot be read: ${error.message}` }];
  }
}
