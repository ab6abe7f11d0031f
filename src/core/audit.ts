/**
 * What the audit log records (contract 5): who did what, when, and what it changed from and to.
 * docs/audit.md describes the format.
 */

import { formatInstant } from './calendar.ts';
import type { OrgId } from './ids.ts';
import type { Recoded, Review } from './transactions.ts';
import { type Permission, type Role, requirePermission } from './users.ts';

/**
 * The kinds of change that are recorded, and what happened in words, after who did it: `Ann`
 * *allocated a transaction*.
 */
export const AUDIT_WORDS = {
  'database.upgraded': 'upgraded the database',
  'organisation.created': 'created the organisation',
  'organisation.renamed': 'changed the name of the organisation',
  'organisation.time_zone_changed': 'changed the time zone',
  'organisation.second_factor_required': 'changed who needs a second factor',
  'organisation.letterhead_changed': 'changed the head of statements',
  'plan.changed': 'changed the plan',
  'user.added': 'added a user',
  'user.role_changed': 'changed the role of a user',
  'user.removed': 'removed a user',
  'user.invited': 'invited a user',
  'user.invitation_withdrawn': 'withdrew an invitation',
  'user.link_created': 'made a link for a new password',
  'user.password_changed': 'set a new password',
  'user.sessions_ended': 'ended the sessions of a user',
  'user.second_factor_set': 'set up a second factor',
  'user.second_factor_removed': 'removed the second factor',
  'user.second_factor_reset': 'removed the second factor of a user',
  'session.started': 'signed in',
  'session.signed_out': 'signed out',
  'session.ended': 'ended other sessions',
  'session.password_refused': 'refused a wrong password or code',
  'session.role_refused': 'asked for a page that the role does not allow',
  'backup.made': 'made a backup',
  'backup.downloaded': 'downloaded a backup, which has the whole database',
  'key.created': 'made a key',
  'key.revoked': 'revoked a key',
  'project.created': 'created a project',
  'project.updated': 'changed a project',
  'project.archived': 'archived a project',
  'project.brought_back': 'restored a project',
  'project.removed': 'removed a project',
  'rules.changed': 'changed the rules',
  'statement.issued': 'issued a statement',
  'statement.withdrawn': 'withdrew a statement',
  'statement.draft_saved': 'saved the draft of a statement',
  'transactions.pushed': 'pushed transactions',
  'transactions.allocated': 'allocated transactions',
  'transaction.allocated': 'allocated a transaction',
  'transactions.excluded': 'excluded transactions',
  'transaction.excluded': 'excluded a transaction',
  'transactions.restored': 'restored transactions',
  'transaction.restored': 'restored a transaction',
  'review.kept': 'kept the allocations in a review',
  'review.rescaled': 'rescaled the allocations in a review',
  'review.replaced': 'replaced the allocations in a review',
  'review.cleared': 'cleared the allocations in a review',
  'reviews.settled': 'settled reviews',
  'changes.undone': 'undid a change',
} as const;
export type AuditAction = keyof typeof AUDIT_WORDS;
export const AUDIT_ACTIONS = Object.keys(AUDIT_WORDS) as readonly AuditAction[];

/** Who changes something, from where, and when. Every function that writes needs one. */
export interface Actor {
  /** Such as `usr_…`, `key_…`, `command line` or `library`. */
  readonly name: string;
  /** The X-Request-Id of an HTTP request, else null. */
  readonly requestId: string | null;
  /** The time of the clock. Stored records get the stamp of an {@link Act} instead. */
  readonly nowMs: number;
  /** For someone who is signed in: every write is refused once this has changed. */
  readonly standing?: ActorStanding | undefined;
}

/** Who is signed in, with which role in which organisation. */
export interface ActorStanding {
  /** Null for work that signing out does not stop. */
  readonly sessionId: number | null;
  readonly userId: number;
  readonly orgId: OrgId;
  readonly role: Role;
}

/** One write by an actor, with the stamp of everything that it stores. */
export interface Act extends Omit<Actor, 'nowMs'> {
  readonly stampMs: number;
}

/** One value in the log. */
export type AuditValue =
  | string
  | number
  | boolean
  | null
  | readonly AuditValue[]
  | { readonly [member: string]: AuditValue };

/** Members of a subject, by their names in the interface. Money is in minor units, `…Minor`. */
export type AuditState = Readonly<Record<string, AuditValue>>;

/** What one act changed in one subject. `before` and `after` have only members that differ. */
export interface AuditChange {
  /** The public identifier of what changed. */
  readonly subject: string;
  /** For a transaction, the `at` of the previous entry that changed it. */
  readonly previousAt?: string | undefined;
  /** Null when the act created the subject. */
  readonly before: AuditState | null;
  /** Null when the act removed the subject. */
  readonly after: AuditState | null;
}

/** The details of an entry. */
export interface AuditDetails {
  readonly changes: readonly AuditChange[];
  /** The first and last identifiers of each run of transactions that a push created. */
  readonly createdIds?: readonly (readonly [first: string, last: string])[];
  /** Facts about the act as a whole, such as the counts of a push. */
  readonly [fact: string]: unknown;
}

/**
 * The change from one state to another: the members that differ, or all of them if one state is
 * null. `previousMs` is the stamp of the previous change. Object spread is avoided here: it took a
 * tenth of the time of a push.
 */
export function changeOf(
  subject: string,
  before: AuditState | null,
  after: AuditState | null,
  previousMs?: number,
): AuditChange {
  const previousAt = previousMs === undefined ? undefined : formatInstant(previousMs);
  if (before === null || after === null) return { subject, previousAt, before, after };
  const old: Record<string, AuditValue> = {};
  const next: Record<string, AuditValue> = {};
  for (const member of Object.keys(after)) {
    const [from = null, to = null] = [before[member], after[member]];
    if (isSame(from, to)) continue;
    old[member] = from;
    next[member] = to;
  }
  return { subject, previousAt, before: old, after: next };
}

/** A review as the log records it. */
export function reviewState(review: Review | null): AuditState | null {
  if (review === null) return null;
  return {
    previousAmountMinor: review.previousMinor,
    changedAt: formatInstant(review.changedAtMs),
  };
}

/** A mark as the log records it. */
export function recodedState(recoded: Recoded | null): AuditState | null {
  if (recoded === null) return null;
  const { changedAtMs, ...coded } = recoded;
  return { ...coded, changedAt: formatInstant(changedAtMs) };
}

/**
 * The permission that a change of a transaction needs. A review or mark that ends takes its
 * allocations with it, however it ends; undoing something needs the permission for it.
 */
function permissionFor({ after }: AuditChange): Permission {
  if (after === null || 'review' in after || 'recoded' in after) return 'review';
  return 'excluded' in after ? 'exclude' : 'allocate';
}

/** Throws `RoleForbids` for what the role of someone who is signed in does not allow. */
export function requirePermissions({ standing }: Act, changes: readonly AuditChange[]): void {
  if (standing === undefined) return;
  for (const change of changes) requirePermission(standing, permissionFor(change));
}

/** Whether anything differs. */
export function isChange({ before, after }: AuditChange): boolean {
  return before === null || after === null || Object.keys(after).length > 0;
}

/**
 * The details of a stored entry. What an older budgetd or another program wrote in another form is
 * one fact, the beginning of its text.
 */
export function readDetails(text: string): AuditDetails {
  try {
    const details: unknown = JSON.parse(text);
    if (isDetails(details)) return details;
  } catch {
    // Below.
  }
  return { changes: [], unreadable: text.slice(0, SHOWN_CHARACTERS) };
}

const SHOWN_CHARACTERS = 200;

function isDetails(value: unknown): value is AuditDetails {
  if (!isObject(value)) return false;
  const { changes, createdIds = [] } = value;
  const isState = (state: unknown) => state === null || isObject(state);
  return (
    Array.isArray(changes) &&
    changes.every((change) => {
      return (
        isObject(change) &&
        typeof change['subject'] === 'string' &&
        isState(change['before']) &&
        isState(change['after'])
      );
    }) &&
    Array.isArray(createdIds) &&
    createdIds.every(Array.isArray)
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether an entry is about a subject: it changed the subject, or is the push that created it. */
export function concerns({ changes, createdIds = [] }: AuditDetails, subject: string): boolean {
  return (
    changes.some((change) => change.subject === subject) ||
    // Identifiers of one kind have the same length and sort in order of creation.
    createdIds.some(([first, last]) => {
      return subject.length === first.length && first <= subject && subject <= last;
    })
  );
}

function isSame(a: AuditValue, b: AuditValue): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [one, other] = [Object.entries(a), Object.entries(b)];
  return (
    one.length === other.length &&
    one.every(([name, value], at) => name === other[at]?.[0] && isSame(value, other[at][1]))
  );
}

/** Whether an entry is a change of a project that can be undone: it added and removed no line. */
export function isPlanChange(entry: {
  readonly action: AuditAction;
  readonly details: AuditDetails;
}): boolean {
  const { changes } = entry.details;
  const isChanged = ({ before, after }: AuditChange) => before !== null && after !== null;
  return entry.action === 'project.updated' && changes.length > 0 && changes.every(isChanged);
}

/** Why an entry with this action cannot be undone; undefined if it can. */
export function explainNoUndo(action: AuditAction): string | undefined {
  return /^(?:session|backup)\./.test(action) ? 'This entry changed nothing.' : NO_UNDO[action];
}

const IMPORTED = 'Import the project as it was instead.';
const PUSHED = 'Push or import the rows as they were, or exclude the transactions.';
const NO_UNDO: Readonly<Partial<Record<AuditAction, string>>> = {
  'database.upgraded': 'An upgrade of the database cannot be undone.',
  'organisation.created': 'Creating an organisation cannot be undone.',
  'organisation.renamed': 'Changing the name cannot be undone. Set the earlier name again.',
  'organisation.time_zone_changed':
    'Changing the time zone cannot be undone. Set the earlier one again.',
  'organisation.second_factor_required': 'This cannot be undone. Set it again.',
  'organisation.letterhead_changed': 'This cannot be undone. Set it again.',
  'plan.changed': 'Changing the plan cannot be undone. Set the earlier plan again.',
  'user.added': 'Adding a user cannot be undone. Remove the user instead.',
  'user.role_changed': 'Changing a role cannot be undone. Change the role back instead.',
  'user.removed': 'Removing a user cannot be undone. Add the user again.',
  'user.invited': 'An invitation cannot be undone. Withdraw it on the page Users.',
  'user.invitation_withdrawn': 'This cannot be undone. Invite the person again.',
  'user.link_created': 'A link cannot be undone. It expires, or ends when you make another one.',
  'user.password_changed': 'Changing a password cannot be undone. Set another password.',
  'user.sessions_ended': 'Ending sessions cannot be undone. The user has to sign in again.',
  'user.second_factor_set':
    'Setting up a second factor cannot be undone. Remove it under "Your account".',
  'user.second_factor_removed': 'This cannot be undone. Set up a second factor again.',
  'user.second_factor_reset':
    'This cannot be undone. The user has to set up another second factor.',
  'key.created': 'Creating a key cannot be undone. Revoke the key instead.',
  'key.revoked': 'Revoking a key cannot be undone. Create another key.',
  'project.created': 'Creating a project cannot be undone. Archive the project instead.',
  'project.updated': `A change that added or removed budget lines cannot be undone. ${IMPORTED}`,
  'project.archived': 'Archiving a project cannot be undone. Restore the project instead.',
  'project.brought_back': 'This cannot be undone. Archive the project again.',
  'project.removed': `Removing a project cannot be undone. ${IMPORTED}`,
  'rules.changed': 'Changing the rules cannot be undone. Change them back instead.',
  'statement.issued': 'An issued statement never changes. Withdraw it instead.',
  'statement.withdrawn': 'This cannot be undone. Issue the statement again.',
  'statement.draft_saved': 'Saving a draft cannot be undone. Change its texts instead.',
  'transactions.pushed': `A push cannot be undone. ${PUSHED}`,
};
