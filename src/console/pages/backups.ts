/** Backups: which there are, making one now, and taking one away. */

import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../core/failures.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { missing } from '../../operations/access.ts';
import { listOrganisations } from '../../operations/organisations.ts';
import { type Backups, isOld, type ListedBackup, readerOf, type Visit } from '../desk.ts';
import type { Faults } from '../forms.ts';
import { markField } from '../outcomes.ts';
import { dayOf, type Reader } from '../reader.ts';
import { tabReply } from './settings.ts';

const TAB = '/settings/backups';
const DOWNLOAD = '/settings/backups/download';
/** Shorter than a proxy waits. A longer backup is continued, and the page says so. */
const WAIT_MS = 10_000;

/** `GET /settings/backups`. */
export function showBackups(visit: Visit): Reply {
  return backupsReply(visit);
}

/** `POST /settings/backups`: makes one now, in a process of its own. */
export async function takeBackup(visit: Visit): Promise<Reply> {
  const { desk } = visit;
  const form = await visit.request.readForm();
  const backups = desk.backups();
  if (backups === undefined) return backupsReply(visit);
  try {
    return await desk.outcomes.run(visit, form, async () => {
      const ended = backups.make().then(() => true);
      const hasEnded = await Promise.race([ended, sleep(WAIT_MS, false, { ref: false })]);
      const failure = desk.backups()?.failure ?? null;
      if (hasEnded && failure !== null) throw new Failure('unavailable', failure);
      const message = hasEnded
        ? 'A backup was made and checked.'
        : 'A backup is being made. Load this page again to see whether it has ended.';
      return { to: TAB, message };
    });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'unavailable') throw error;
    return backupsReply(visit, { make: `No backup was made: ${error.message}` });
  }
}

/** `GET /settings/backups/download?at=…`: the file of a backup. */
export function sendBackup(visit: Visit): Reply {
  const at = visit.request.query.find(([name]) => name === 'at')?.[1] ?? '';
  const found = visit.desk
    .backups()
    ?.list()
    .find(({ atMs }) => String(atMs) === at);
  if (found === undefined || !isAlone(visit)) throw missing('backup', at);
  const name = basename(found.file).replace(/[^\w.-]/g, '_');
  const headers = {
    'Content-Type': 'application/vnd.sqlite3',
    'Content-Disposition': `attachment; filename="${name}"`,
  };
  return { status: 200, headers, body: { path: found.file, bytes: found.bytes } };
}

/** A file has every organisation of the service. */
function isAlone({ desk }: Visit): boolean {
  return listOrganisations(desk.source).length === 1;
}

function backupsReply(visit: Visit, faults: Faults = {}): Reply {
  const backups = visit.desk.backups();
  const content = backups === undefined ? noBackups() : listing(visit, backups, faults);
  const lead = 'Each is a whole copy of the database, which was checked before it got its name.';
  const action =
    backups &&
    html`<form method="post" action="${TAB}">${markField()}<button class="button primary"
id="make">Make one now</button></form>`;
  return tabReply(visit, TAB, { title: 'Backups', lead, action, content, faults }, 503);
}

/** How to get some. */
function noBackups(): Html {
  return html`<section class="empty"><h2>This service makes no backups</h2>
<p>The person who runs it can name a folder, how many to keep, and a time, and start it again:</p>
<pre tabindex="0">budgetd serve --backup-dir /mnt/backups --backup-keep 14 --backup-at 02:00</pre>
<p>One copy at once, while the service runs: <code>budgetd backup FILE</code></p></section>`;
}

function listing(visit: Visit, backups: Backups, faults: Faults): Html {
  const { at, keep, failure, isRunning, last } = backups;
  const { nowMs } = visit.request;
  const reader = readerOf(visit);
  const listed = backups.list();
  const canTake = isAlone(visit);
  const rows = listed.map((each) => backupRow(each, reader, canTake));
  return html`${isRunning && html`<div class="note"><p>A backup is being made.</p></div>`}${
    failure !== null &&
    faults['make'] === undefined &&
    html`<div class="note warn"><p>The last try failed: ${failure}</p></div>`
  }${
    isOld(last?.atMs, nowMs) &&
    html`<div class="note warn"><p>${
      last === null
        ? 'There is no backup yet.'
        : html`The newest backup is ${reader.age(last.atMs, nowMs)} old.`
    }</p></div>`
  }${listed.length > 0 && backupTable(rows)}
<p class="soft small">One is made every night at ${at}, in the time zone of the service. The newest
${reader.count(keep)} are kept, and those that are made here count.</p>
<p class="soft small">${
    canTake
      ? 'A file has everything, also the hashes of passwords: keep it where only you can read it.'
      : html`A file has every organisation of this service, so it cannot be downloaded here. The
person who runs the service copies one with <code>budgetd backup FILE</code>.`
  } To put one back: <code>budgetd restore-backup FILE</code></p>`;
}

function backupTable(rows: readonly Html[]): Html {
  return html`<table class="stack" role="table" aria-label="Backups">
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">Made</th>
<th role="columnheader" scope="col" class="num">Size</th>
<th role="columnheader" scope="col">Checked</th>
<th role="columnheader" scope="col"><span class="hidden">Download</span></th>
</tr></thead>
<tbody role="rowgroup">
${rows}</tbody>
</table>`;
}

function backupRow({ atMs, bytes }: ListedBackup, reader: Reader, canTake: boolean): Html {
  const when = html`${reader.day(dayOf(atMs))}, ${reader.time(atMs)} UTC`;
  return html`<tr role="row">
<th role="rowheader" scope="row" class="whole">${when}</th>
<td role="cell" class="num" data-label="Size">${reader.size(bytes)}</td>
<td role="cell" data-label="Checked">when it was made</td>
<td role="cell" class="num">${
    canTake &&
    html`<a href="${DOWNLOAD}?at=${atMs}">Download<span class="hidden"> ${when}</span></a>`
  }</td>
</tr>
`;
}
