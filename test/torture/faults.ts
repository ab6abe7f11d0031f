/** Faults that are put into a copy of the program on purpose: each part has to find its own. */

/** A fault: a text of a compiled file, and what takes its place. */
export interface Fault {
  /** The part that has to find it. */
  readonly part: string;
  readonly what: string;
  /** Below `dist/src`. */
  readonly file: string;
  readonly text: string;
  readonly instead: string;
}

type Change = readonly [text: string, instead: string];

function fault(part: string, what: string, file: string, [text, instead]: Change): Fault {
  return { part, what, file: `${file}.js`, text, instead };
}

const ATOMICALLY = 'atomically(access, write, { changesKeys: false });';
const CHANGED = "!changed.includes('amount')";
const SAVED = 'result = connection.transaction.immediate(work);';
const FULL = "String(error.code) !== 'SQLITE_FULL'";
const COPY = "readDatabase(database, (db) => db.prepare('vacuum into ?').run(copy));";
const VERIFY = '\n        readDatabase(copy, verify);';
const STALE = '(seenUpdatedAtMs ?? transaction.updatedAtMs) !== transaction.updatedAtMs';
const FREED = "isUndone ? shares.length > 0 : action !== 'transaction.restored'";
const CURSOR = "throw new Failure('invalid_cursor',";
const JSON_FAULT = "throw new Failure('invalid_json', faultMessage(text));";
const OWNERS = 'endsOwnership(user.role, to, owners)';
const MAY = 'listPermissions(this.session.role).includes(permission)';

export const FAULTS: readonly Fault[] = [
  fault('kill', 'each row of a push is stored alone', 'store/push', [ATOMICALLY, 'write();']),
  fault('kill', 'the steps of an upgrade are stored alone', 'database/database', [
    '(work) => atomically({ db }, work)',
    '(work) => work()',
  ]),
  fault('power', 'a commit does not wait for the disk', 'database/database', [
    'synchronous: 2',
    'synchronous: 1',
  ]),
  fault('power', 'a copy has its name before it is on the disk', 'database/copies', [
    'fsyncSync(descriptor);',
    '',
  ]),
  fault('disk', 'a commit on a full disk counts as done', 'database/database', [
    SAVED,
    `try { ${SAVED} } catch (error) { if (${FULL}) throw error; }`,
  ]),
  fault('disk', 'a copy that could not be written is kept', 'database/copies', [
    COPY + VERIFY,
    `try { ${COPY} } catch {}`,
  ]),
  fault('input', 'wrong JSON is a failure of the service', 'http/body', [
    JSON_FAULT,
    'throw new Error(text);',
  ]),
  fault('input', 'a cursor that is made up is a failure of the service', 'operations/pages', [
    CURSOR,
    'throw new Error(',
  ]),
  fault('tenants', "a transaction is found in any organisation's", 'store/transactions', [
    't.organisation_id = ? and t.id = ?`;',
    '? > 0 and t.id = ?`;',
  ]),
  fault('tenants', "a project is found in any organisation's", 'store/projects', [
    'p.organisation_id = ? and p.id = ?',
    '? > 0 and p.id = ?',
  ]),
  fault('clients', 'all keys share one rate limit', 'api/gate', ['take(keyId,', "take('all',"]),
  fault('clients', 'what is held for all is hardly more than one answer', 'http/settings', [
    'heldBytes: 64 * 1024 * 1024',
    'heldBytes: 16 * 1024',
  ]),
  fault('races', 'what someone else has saved since is overwritten', 'store/acts', [
    STALE,
    'false',
  ]),
  fault('races', 'the last owner can be removed', 'store/users', [OWNERS, 'false']),
  fault('time', 'stamps follow a clock that goes back', 'store/audit', [
    'max(?, last_write_at + 1)',
    '?',
  ]),
  fault('time', 'a session does not end when nobody uses it', 'store/sessions', [
    's.seen_at > ? and',
    '? > 0 and',
  ]),
  fault('roles', 'everyone may do everything', 'console/session/visit', [MAY, 'true']),
  fault('roles', 'a member may manage users', 'core/users', ["users: 'owner'", "users: 'member'"]),
  fault('history', 'a changed amount needs no review', 'core/push', [CHANGED, 'true']),
  fault('history', 'a run takes what a person has cleared', 'store/acts', [FREED, 'false']),
];
