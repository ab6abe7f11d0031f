/** Backups: which there are, making one now, and taking one away. */

import { basename } from 'node:path';
import type { Failure } from '../../core/failures.ts';
import { HAND_BACKUPS } from '../../core/limits.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { fileReply } from '../../http/pages.ts';
import { missing } from '../../operations/access.ts';
import { isOwnPassword } from '../../operations/users.ts';
import { listOrganisations } from '../../store/organisations.ts';
import { type Column, stackTable, unseen } from '../components/elements.ts';
import {
  fieldList,
  hiddenField,
  postForm,
  presentPassword,
  type Sent,
  takeForm,
  UNSENT,
} from '../components/forms.ts';
import type { Reader } from '../session/reader.ts';
import { Task } from '../session/task.ts';
import { logAct } from '../session/trail.ts';
import type { Backups, ListedBackup, Visit } from '../session/visit.ts';
import { belowReply, tabReply } from './settings.ts';
import { checkOwnPassword } from './sign-in.ts';

const TAB = '/settings/backups';
const DOWNLOAD = '/settings/backups/download';
/** Shorter than a proxy waits. A longer backup is continued, and the page says so. */
const WAIT_MS = 10_000;

/** `POST /settings/backups`: makes one now, in a process of its own. */
export async function takeBackup(visit: Visit): Promise<Reply> {
  const backups = visit.desk.backups();
  if (backups === undefined) return showBackups(visit);
  const refused = ({ message, headers }: Failure, status: number) => {
    const faults = { make: `No backup was made: ${message}` };
    return showBackups(visit, { faults, status, headers });
  };
  const work = async () => {
    // It is logged also after the page was answered: then a failure is said by the page.
    const making = new Task('backup', async (): Promise<true> => {
      logAct(visit, 'backup.made', { file: await backups.make() });
      return true;
    });
    await making.wait(WAIT_MS);
    const message = making.result
      ? 'A backup was made and checked.'
      : 'A backup is being made. Reload this page to see whether it is finished.';
    return { to: TAB, message };
  };
  return visit.runOr(refused, work, ['conflict', 'rate_limit_exceeded', 'unavailable']);
}

/** `GET /settings/backups/download?file=…`: asks for the password. */
export function showDownload(visit: Visit): Reply {
  const file = visit.asked('file') ?? '';
  return downloadReply(visit, requireBackup(visit, file));
}

const CONFIRMING = {
  password: presentPassword('Your password', {
    hint: 'The activity records the download, with your name.',
  }),
};

/** `POST /settings/backups/download`: the file of a backup, for the password. */
export async function sendBackup(visit: Visit): Promise<Reply> {
  const backup = requireBackup(visit, visit.field('file'));
  const again = (_: Visit, sent: Sent) => downloadReply(visit, backup, sent);
  return takeForm(visit, CONFIRMING, again, async ({ password }) => {
    await checkOwnPassword(visit, (turn) => isOwnPassword(visit.session, password, turn));
    const file = basename(backup.file);
    // It is there before the first byte leaves, and none for whoever has lost the role since.
    logAct(visit, 'backup.downloaded', { file }, visit.actor);
    const body = { path: backup.file, bytes: backup.bytes };
    return fileReply(file, 'application/vnd.sqlite3', body);
  });
}

/** A backup by the name of its file, if the user may have it. Refuses with `not_found`. */
function requireBackup(visit: Visit, name: string): ListedBackup {
  const listed = visit.desk.backups()?.list() ?? [];
  const found = listed.find(({ file }) => basename(file) === name);
  if (found === undefined || !isAlone(visit)) throw missing('backup', name);
  return found;
}

function downloadReply(visit: Visit, { file, atMs, bytes }: ListedBackup, sent: Sent = UNSENT) {
  const content = html`<p>${INSIDE}</p>
<form class="narrow" method="post" action="${DOWNLOAD}" novalidate>
${hiddenField('file', basename(file))}${fieldList(CONFIRMING, sent)}<button
class="button primary">Download</button>
</form>`;
  const lead = html`${whenOf(visit.reader, atMs)}, ${visit.reader.size(bytes)}`;
  const title = 'Download a backup';
  return belowReply(visit, TAB, { title, lead, content, ...sent });
}

/** A file has every organisation of the service. */
function isAlone({ desk }: Visit): boolean {
  return listOrganisations(desk.source).length === 1;
}

const INSIDE = html`A backup contains the whole database: every project, transaction and user, the
log of who did what, and the hashes of passwords and keys, from which someone could guess an easy
password. Keep it where only you can read it.`;

export function showBackups(visit: Visit, sent: Sent = UNSENT): Reply {
  const backups = visit.desk.backups();
  const content = backups === undefined ? noBackups() : listing(visit, backups, sent);
  const lead = 'Each backup is a complete copy of the database, checked when it is made.';
  const make = html`<button class="button primary" id="make">Make one now</button>`;
  const actions = backups && postForm(TAB, {}, make);
  return tabReply(visit, TAB, { title: 'Backups', lead, actions, content, ...sent });
}

/** How to get some. */
function noBackups(): Html {
  return html`<section class="empty"><h2>This service makes no backups</h2>
<p>The person who runs the service can restart it with a folder, the number to keep, and a time:</p>
<pre tabindex="0">budgetd serve --backup-dir /mnt/backups --backup-keep 14 --backup-at 02:00</pre>
<p>To make one copy now, while the service runs: <code>budgetd backup FILE</code></p></section>`;
}

function listing(visit: Visit, backups: Backups, { faults }: Sent): Html {
  const { at, keep, failure, isRunning, last } = backups;
  const { reader, nowMs } = visit;
  const canTake = isAlone(visit);
  const age =
    last === null
      ? 'There is no backup yet.'
      : html`The newest backup is ${reader.age(last.atMs, nowMs)} old.`;
  return html`${isRunning && html`<div class="note"><p>A backup is being made.</p></div>`}${
    failure !== null &&
    faults['make'] === undefined &&
    html`<div class="note warn"><p>The latest attempt failed: ${failure}</p></div>`
  }${visit.isOld(last) && html`<div class="note warn"><p>${age}</p></div>`}${[false, true].map(
    (isByHand) => {
      const listed = backups.list().filter((each) => each.isByHand === isByHand);
      return listed.length > 0 && backupTable(visit, isByHand ? 'Made by hand' : 'Nightly', listed);
    },
  )}
<p class="soft small">budgetd makes a backup every night at ${at}, in the time zone of the service.
It keeps the newest ${reader.count(keep)} of these, and the newest ${HAND_BACKUPS.kept} that were
made by hand, at most one every ${HAND_BACKUPS.pauseMinutes} minutes.</p>
<p class="soft small">${
    canTake
      ? INSIDE
      : html`A backup contains every organisation of this service, so you cannot download it
here. The person who runs the service can make a copy with <code>budgetd backup FILE</code>.`
  } To restore a backup: <code>budgetd restore-backup FILE</code></p>`;
}

function backupTable(visit: Visit, title: string, backups: readonly ListedBackup[]): Html {
  const { reader } = visit;
  const link = ({ file, atMs }: ListedBackup) => html`<a
href="${DOWNLOAD}?file=${encodeURIComponent(basename(file))}">Download<span
class="hidden"> ${whenOf(reader, atMs)}</span></a>`;
  const canTake = isAlone(visit);
  const columns: readonly Column<ListedBackup>[] = [
    ['Made', 'whole', ({ atMs }) => whenOf(reader, atMs)],
    ['Size', 'num', ({ bytes }) => reader.size(bytes), 'Size'],
    ['Checked', '', () => 'when it was made', 'Checked'],
    [unseen('Download'), 'num', (backup) => canTake && link(backup)],
  ];
  return html`<h2>${title}</h2>
${stackTable(columns, backups, { label: title })}`;
}

function whenOf(reader: Reader, atMs: number): Html {
  return html`${reader.dayAt(atMs)}, ${reader.time(atMs, true)}`;
}
