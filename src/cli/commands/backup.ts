import { resolve } from 'node:path';
import { formatInstant } from '../../core/calendar.ts';
import { count, nameSome } from '../../core/counts.ts';
import { formatId, type OrgId } from '../../core/ids.ts';
import { cleanText, cutText } from '../../core/text-width.ts';
import { backUp, type Missing, type Restored, restoreBackup } from '../../upkeep/backups.ts';
import type { CheckResult } from '../../upkeep/check.ts';
import { compareSchema } from '../../upkeep/schema-rules.ts';
import { type Call, type Command, EXIT } from '../command.ts';
import { placeOptions } from '../listing.ts';
import { readPositionals } from '../options.ts';
import { printLines, printNotes, printResult } from '../output.ts';
import { paintsFor, terminalWidth } from '../paint.ts';
import { quoted } from '../quoted.ts';

/** Prints each result as it comes; nothing with `--json`. */
function checkPrinter({ io, json }: Call): (result: CheckResult) => void {
  const { green, red } = paintsFor(io);
  return ({ name, ok, found, examples }) => {
    if (json) return;
    const word = ok ? (found === 0 ? green('ok   ') : 'note ') : red('WRONG');
    printLines(io, `${word}  ${name}${found === 0 ? '' : `: ${count(found, 'exception')}`}`);
    const width = terminalWidth(io);
    printLines(io, ...examples.map((example) => cutText(`       ${cleanText(example)}`, width)));
  };
}

const check: Command = {
  name: 'check',
  summary: 'checks the file and the consistency of its records',
  details: `
Reads the whole file and changes nothing in it, except that, like every command,
it first upgrades the file of an older version (a copy stays beside it). Exits
with 1 if something is wrong.`,
  shared: ['db', 'config', 'json'],
  async run(call) {
    const { io, database } = call;
    const service = await call.openService();
    const checks = service.check(checkPrinter(call));
    const ok = checks.every((each) => each.ok);
    const { strangers } = compareSchema(service.source.db);
    printResult(call, { ok, checks, strangers }, () => {
      if (strangers.length > 0) {
        printNotes(io, `Not made by budgetd, so not checked: ${nameSome(strangers)}.`);
      }
      printLines(io, ok ? `${database} is sound.` : `${database} is damaged.`);
      if (!ok) printNotes(io, 'Stop the service and restore a backup: budgetd restore-backup FILE');
    });
    return ok ? EXIT.done : EXIT.failed;
  },
};

const backup: Command = {
  name: 'backup',
  summary: 'copies the database, also while the service runs',
  usage: 'FILE',
  details: `
Copies the database to FILE, a new file that only you can read, also while the
service runs and takes pushes. The copy is as of one moment. It is checked as by
\`budgetd check\`, and gets its name only when it is complete.

Example: budgetd backup /mnt/usb/budgetd-2026-11-22.db`,
  shared: ['db', 'config', 'json'],
  async run(call) {
    const [target] = readPositionals(call, 'FILE');
    const { io, database } = call;
    // Refuses what is not a database, and upgrades an older one.
    await call.openService();
    const { file, bytes, checks } = backUp(database, resolve(io.cwd, target), checkPrinter(call));
    const done = `Copied ${database} to ${file} (${count(bytes, 'byte')}). It is sound.`;
    printResult(call, { ok: true, file, bytes, checks }, done);
  },
};

const restore: Command = {
  name: 'restore-backup',
  summary: 'replaces the database with a copy',
  usage: 'FILE',
  details: `
Replaces the database with a copy of FILE, which \`budgetd backup\` wrote, or
creates the database, as on a new machine. Stop the service first. The earlier
database stays beside the new one as DATABASE.before-restore.

The copy lacks everything that happened after it was made. Push all rows since
then again (that is always safe), and check keys and users: a revoked key may
be valid again, and a removed user may sign in. No backup contains the key of
second factors, DATABASE-key: copy it to a new machine yourself.

Example: budgetd restore-backup /mnt/usb/budgetd-2026-11-22.db`,
  shared: ['db', 'config', 'json'],
  async run(call) {
    const [source] = readPositionals(call, 'FILE');
    const { io, database } = call;
    const restored = restoreBackup(resolve(io.cwd, source), database, checkPrinter(call));
    const { file, bytes, checks, keptAs, endsAtMs, missing } = restored;
    const endsAt = endsAtMs === null ? null : formatInstant(endsAtMs);
    const keys = (all: Missing['createdKeys']) => all.map(({ id }) => formatId('key', id));
    const lost = missing && {
      auditEntries: missing.entries,
      decisions: missing.decisions,
      createdKeys: keys(missing.createdKeys),
      revokedKeys: keys(missing.revokedKeys),
      users: missing.users.map(({ orgId, ...user }) => {
        return { ...user, organisationId: formatId('org', orgId) };
      }),
    };
    printResult(call, { ok: true, file, bytes, checks, keptAs, endsAt, missing: lost }, () => {
      printLines(io, `Restored ${file} from ${source}. It is sound.`);
      if (keptAs !== null) printLines(io, `The earlier database is now ${keptAs}.`);
    });
    printNotes(io, ...adviseAfter(call, restored, endsAt));
  },
};

/** What the copy lacks, with the commands to look. */
function adviseAfter(
  call: Call,
  { file, missing, keptAs, isShared, withoutKey }: Restored,
  endsAt: string | null,
): string[] {
  if (endsAt === null) return [];
  const place = placeOptions(call);
  const isWhole = missing?.entries === 0;
  const ending = `The backup ends at ${endsAt}. Later changes are missing.`;
  const lines = [isWhole ? 'No changes were made after the backup.' : ending];
  if (withoutKey > 0) {
    const users = count(withoutKey, 'user');
    lines.push(
      `${file}-key is missing, so ${users} with a second factor cannot sign in. Restore the file,`,
      `or reset the second factor of each: budgetd users reset-second-factor EMAIL${place}`,
    );
  }
  const last = 'Push all rows since then again: that is always safe.';
  if (missing === null) {
    const keys = 'Check the keys, because a revoked key may be valid again: budgetd keys list';
    const users = 'Check the users, because a removed user may sign in: budgetd users list';
    return [...lines, keys + place, users + place, last];
  }
  if (isWhole) return lines;
  const old = keptAs === null ? '' : ` --db ${quoted(keptAs)}`;
  const since = `audit --since ${endsAt}${old}`;
  lines.push(`The old database has ${count(missing.entries, 'later change')}: budgetd ${since}`);
  if (missing.decisions > 0) {
    const [decisions, them] =
      missing.decisions === 1
        ? ['One of them is', 'it']
        : [`${missing.decisions} of them are`, 'them'];
    const kinds = '(allocations, exclusions, reviews)';
    lines.push(`${decisions} about transactions ${kinds}: make ${them} again.`);
  }
  const options = (orgId: OrgId) => (isShared ? `${place} --org ${formatId('org', orgId)}` : place);
  for (const { id, orgId } of missing.revokedKeys) {
    const key = formatId('key', id);
    const fix = `budgetd keys revoke ${key}${options(orgId)}`;
    lines.push(`The key ${key} was revoked later and is valid again: ${fix}`);
  }
  for (const { id, orgId } of missing.createdKeys) {
    const fix = `budgetd keys create${options(orgId)}`;
    lines.push(`The key ${formatId('key', id)} was created later and is refused: ${fix}`);
  }
  lines.push(...missing.users.map((user) => adviseOn(user) + options(user.orgId)));
  return [...lines, last];
}

function adviseOn({ change, email, role }: Missing['users'][number]): string {
  const user = quoted(email);
  switch (change) {
    case 'added': {
      const fix = `budgetd users create --email ${user} --role ${role}`;
      return `${email} was added later as ${role} and cannot sign in: ${fix}`;
    }
    case 'removed':
      return `${email} was removed later and can sign in again: budgetd users remove ${user}`;
    case 'role':
      return `${email} was made ${role} later: budgetd users role ${user} ${role}`;
    case 'password':
      return `The old password of ${email} is valid again: budgetd users reset-password ${user}`;
  }
}

export const commands = [check, backup, restore];
