/** Which entries of the audit log can be undone. */

import type { AuditAction } from './audit.ts';

/** Why an entry with this action cannot be undone; undefined if it can. */
export function explainNoUndo(action: AuditAction): string | undefined {
  return /^(?:session|backup)\./.test(action) ? 'This entry changed nothing.' : NO_UNDO[action];
}

const IMPORTED = 'Import the project as it was instead.';
const PUSHED = 'Push or import the rows as they were, or exclude the transactions.';
const KEYS = 'Revoke the key, or create another one.';
const USERS = 'Add or remove the user, or change the role, again.';
const PASSWORD = 'Set another password.';
const NO_UNDO: Readonly<Partial<Record<AuditAction, string>>> = {
  'database.upgraded': 'An upgrade of the database cannot be undone.',
  'organisation.created': 'The creation of an organisation cannot be undone.',
  'organisation.renamed': 'A change of the name cannot be undone. Set the name again.',
  'organisation.time_zone_changed':
    'A change of the time zone cannot be undone. Set the time zone again.',
  'plan.changed': 'A change of the plan cannot be undone. Set the plan again.',
  'user.added': `The addition of a user cannot be undone. ${USERS}`,
  'user.role_changed': `A change of a role cannot be undone. ${USERS}`,
  'user.removed': `The removal of a user cannot be undone. ${USERS}`,
  'user.invited': 'An invitation cannot be undone. It ends by itself, or when another one is made.',
  'user.link_created': 'A link cannot be undone. It ends by itself, or when another one is made.',
  'user.password_changed': `A change of a password cannot be undone. ${PASSWORD}`,
  'user.sessions_ended': 'The end of sessions cannot be undone. The user signs in again.',
  'key.created': `The creation of a key cannot be undone. ${KEYS}`,
  'key.revoked': `The end of a key cannot be undone. ${KEYS}`,
  'project.created': `The creation of a project cannot be undone. ${IMPORTED}`,
  'project.updated': `A change of a project cannot be undone. ${IMPORTED}`,
  'project.archived': 'Archiving a project cannot be undone. Bring it back instead.',
  'project.brought_back': 'This cannot be undone. Archive the project again.',
  'transactions.pushed': `A push cannot be undone. ${PUSHED}`,
};
