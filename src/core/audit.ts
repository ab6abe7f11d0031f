/** What the audit log records (contract 5): who did what to which thing, and when. */

/** The kinds of change that are recorded. */
export const AUDIT_ACTIONS = [
  'organisation.created',
  'plan.changed',
  'key.created',
  'key.revoked',
  'project.created',
  'project.updated',
  'transactions.pushed',
  'transaction.allocated',
  'transaction.excluded',
  'transaction.restored',
  'review.kept',
  'review.rescaled',
  'review.replaced',
  'review.cleared',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Who did something, from where, and when: passed to every function that changes anything. */
export interface Actor {
  /** Such as `key_…`, `command line` or `library`. */
  readonly name: string;
  /** The X-Request-Id where it came over HTTP. */
  readonly requestId: string | null;
  readonly nowMs: number;
}
