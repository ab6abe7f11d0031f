import { resolve } from 'node:path';
import { formatInstant } from '../../core/calendar.ts';
import { count } from '../../core/counts.ts';
import { formatId } from '../../core/ids.ts';
import { backUp, type Restored, restoreBackup } from '../../store/backups.ts';
import { checkPrinter } from '../check-lines.ts';
import type { Command } from '../command.ts';
import { quote } from '../listing.ts';
import { readPositionals } from '../options.ts';
import { printLines, printNotes, printResult } from '../output.ts';

/** `budgetd backup`. */
export const backup: Command = {
  usage: 'backup FILE',
  details: `
Copies the database to FILE, a new file that only you can read, also while the
service runs and takes pushes. The copy is of one moment. It is checked like
\`budgetd check\` does, and has its name only when it is whole.

Example: budgetd backup /mnt/usb/budgetd-2026-11-22.db`,
  options: {},
  async run(call) {
    const [target] = readPositionals(call, 'FILE');
    const { io, database } = call;
    // Refuses what is not a database, and upgrades an older one.
    await call.openService();
    const { file, bytes, checks } = backUp(database, resolve(io.cwd, target), checkPrinter(call));
    printResult(call, { ok: true, file, bytes, checks }, () => {
      printLines(io, `Copied ${database} to ${file} (${count(bytes, 'byte')}). It is sound.`);
    });
  },
};

/** `budgetd restore-backup`. */
export const restore: Command = {
  usage: 'restore-backup FILE',
  details: `
Puts a copy of FILE, which \`budgetd backup\` wrote, in the place of the database,
or where none is yet, as on a new machine. Stop the service first. The database
that was there stays beside it as DATABASE.before-restore.

What came after the copy is missing then. Push again what was pushed since (that
is always safe), and look at the keys: a revoked one may be valid again.

Example: budgetd restore-backup /mnt/usb/budgetd-2026-11-22.db`,
  options: {},
  async run(call) {
    const [source] = readPositionals(call, 'FILE');
    const { io, database } = call;
    const restored = restoreBackup(resolve(io.cwd, source), database, checkPrinter(call));
    const { file, bytes, checks, keptAs, endsAtMs, missing } = restored;
    const endsAt = endsAtMs === null ? null : formatInstant(endsAtMs);
    const keys = (ids: readonly number[]) => ids.map((id) => formatId('key', id));
    const lost = missing && {
      auditEntries: missing.entries,
      createdKeys: keys(missing.createdKeys),
      revokedKeys: keys(missing.revokedKeys),
    };
    printResult(call, { ok: true, file, bytes, checks, keptAs, endsAt, missing: lost }, () => {
      printLines(io, `Put ${source} in the place of ${file}. It is sound.`);
      if (keptAs !== null) printLines(io, `The database that was there is ${keptAs}.`);
    });
    printNotes(io, ...adviseAfter(restored, endsAt));
  },
};

/** What the copy lacks, with the commands to look. */
function adviseAfter({ missing, keptAs }: Restored, endsAt: string | null): string[] {
  if (endsAt === null) return [];
  const since = `audit --since ${endsAt}`;
  const lines = [`It ends at ${endsAt}. What came later is missing.`];
  if (missing === null) {
    const where = 'Look at the keys, because a revoked one may be valid again: budgetd keys list';
    return [...lines, where, 'Push again what was pushed since: it is safe.'];
  }
  if (missing.entries === 0) return ['Nothing was written after it.'];
  const old = keptAs === null ? '' : ` --db ${quote(keptAs)}`;
  lines.push(
    `The old database has ${count(missing.entries, 'later change')}: budgetd ${since}${old}`,
  );
  for (const id of missing.revokedKeys) {
    const key = formatId('key', id);
    lines.push(`The key ${key} was revoked later and is valid again: budgetd keys revoke ${key}`);
  }
  for (const id of missing.createdKeys) {
    lines.push(
      `The key ${formatId('key', id)} was created later and is refused: budgetd keys create`,
    );
  }
  return [...lines, 'Push again what was pushed since: it is safe.'];
}
