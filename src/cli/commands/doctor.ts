import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { count } from '../../core/counts.ts';
import { cleanText } from '../../core/text-width.ts';
import type { Service } from '../../service.ts';
import { SECRETS, settingsUsage, settingValues } from '../../settings/settings.ts';
import { BackupFolder } from '../../upkeep/nightly.ts';
import { type Call, type Command, EXIT, type Io } from '../command.ts';
import { examineSettings, isReached } from '../doctor/configuration.ts';
import { examineFiles } from '../doctor/files.ts';
import { type DoctorFinding, FINDING_CODES, finding } from '../doctor/finding.ts';
import { examineRecords } from '../doctor/records.ts';
import { placeOptions } from '../listing.ts';
import { printLines, printResult } from '../output.ts';
import { paintsFor } from '../paint.ts';
import { quoted } from '../quoted.ts';
import { settingsFile } from '../settings.ts';
import { backupFolder, SERVE_SETTINGS } from './serve.ts';

const doctor: Command = {
  name: 'doctor',
  summary: 'looks for common problems and says how to fix them',
  usage: settingsUsage(SERVE_SETTINGS),
  details: `
Looks for common problems: the files and their permissions, the disk,
the records as \`check\` does, keys and users, the clock, and the settings of
\`serve\`, which it finds as \`serve\` does. Each finding comes with the command
that corrects it. Exits with 1 if one is serious. It can run beside the service.`,
  settings: SERVE_SETTINGS,
  findsProblems: true,
  shared: ['db', 'config', 'json'],
  async run(call) {
    const findings = await examine(call);
    const ok = findings.every(({ level }) => level !== 'serious');
    printResult(call, { ok, findings }, () => printFindings(call, findings));
    return ok ? EXIT.done : EXIT.failed;
  },
};

async function examine(call: Call): Promise<DoctorFinding[]> {
  const { database, io, settings } = call;
  // Opening restricts the files and can shrink the -wal, so they are looked at before. What it
  // would refuse, such as a missing file, it refuses below.
  const values = settingValues(settings);
  const backups = values['backup-keep'] === 0 ? undefined : backupFolder(call);
  const minFreeDisk = values['min-free-disk'];
  const options = placeOptions(call);
  const places = {
    database,
    folders: [io.cwd],
    backups,
    secrets: listSecretFiles(io),
    settings: settingsFile(io, call.values),
    minFreeDisk,
    options,
  };
  const wrong = findWrongSettings(call);
  const isThere = existsSync(database);
  // They can be why it is not.
  if (!isThere && wrong.length > 0) return wrong;
  const files = isThere ? examineFiles(places, Date.now()) : [];
  const service = await call.openService();
  const backup = newestBackup(backups, database);
  const findings = [
    ...files,
    ...examineRecords(service, { options, backup, isReached: isReached(values) }),
    ...examineSettings(settings, io.env),
    ...wrong,
  ];
  const order = Object.keys(FINDING_CODES);
  findings.sort((one, other) => order.indexOf(one.code) - order.indexOf(other.code));
  const isDamaged = findings.some(({ code }) => code === 'damaged_records');
  if (isDamaged || !isNew(service)) return findings;
  return findings.map((each) => (each.code === 'no_backup' ? { ...each, level: 'warning' } : each));
}

/** The files that the environment names for secrets. */
function listSecretFiles({ env, cwd }: Pick<Io, 'env' | 'cwd'>): string[] {
  return SECRETS.flatMap((name) => {
    const file = env[`${name}_FILE`];
    return file ? [resolve(cwd, file)] : [];
  });
}

/** The newest backup in a folder, which may be missing or no folder. */
function newestBackup(folder: string | undefined, database: string): string | undefined {
  const isThere = folder !== undefined && existsSync(folder) && statSync(folder).isDirectory();
  if (!isThere) return undefined;
  const file = new BackupFolder(folder, database).newest(Date.now())?.file;
  return file && quoted(file);
}

/** Settings that `serve` would refuse. */
function findWrongSettings({ settingsProblem }: Call): DoctorFinding[] {
  if (settingsProblem === undefined) return [];
  const message = `serve cannot start: ${settingsProblem}`;
  return [finding('wrong_settings', message, 'Correct it, then: budgetd config')];
}

/** Whether nobody can expect backups yet. */
function isNew(service: Service): boolean {
  const ages = service.organisations.list().map(({ id }) => {
    return service.actor().nowMs - service.access(id).organisation.createdAtMs;
  });
  return Math.max(...ages) < NEW_MS;
}

const NEW_MS = 2 * 24 * 60 * 60_000;

function printFindings({ io, database }: Call, findings: readonly DoctorFinding[]): void {
  const { bold, red } = paintsFor(io);
  for (const { level, code, message, fix } of findings) {
    const title = `${level.toUpperCase()} ${code}`;
    printLines(io, (level === 'serious' ? red : bold)(title), `  ${cleanText(message)}`);
    printLines(io, `  ${cleanText(fix)}`, '');
  }
  const serious = findings.filter(({ level }) => level === 'serious').length;
  const sum = `${count(findings.length, 'finding')}, ${serious} of them serious.`;
  printLines(io, findings.length === 0 ? `${database} is in good order.` : sum);
}

export const commands = [doctor];
