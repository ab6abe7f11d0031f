import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '../../client/index.ts';
import type { Actor } from '../../core/audit.ts';
import { count } from '../../core/counts.ts';
import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { linkTo } from '../../core/links.ts';
import { toMajor } from '../../core/money.ts';
import { SCOPES } from '../../core/plans.ts';
import { furthestOver } from '../../core/report-lines.ts';
import { readMapping } from '../../files/index.ts';
import { createKey, revokeKey } from '../../operations/keys.ts';
import { createSignInLink } from '../../operations/links.ts';
import { getReport, importProjects } from '../../operations/projects.ts';
import { budgetToDate, getRolledUp } from '../../operations/roll-up.ts';
import { listTransactions } from '../../operations/transactions.ts';
import { finish } from '../../operations/turns.ts';
import { createUser } from '../../operations/users.ts';
import { programWords } from '../../package-folder.ts';
import type { Service } from '../../service.ts';
import type { Access } from '../../store/access.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import { type Call, type Command, EXIT, type Io, UsageError } from '../command.ts';
import { copyDemoFiles, type PaymentFile } from '../demo-data.ts';
import { Log } from '../log.ts';
import { readWhole } from '../options.ts';
import { printJson, printLines, printNotes } from '../output.ts';
import { isTerminal, paintsFor, terminalWidth } from '../paint.ts';
import { Progress } from '../push/progress.ts';
import { rowFile } from '../push/row-files.ts';
import { runPush } from '../push/runner.ts';
import { quoted } from '../quoted.ts';
import { formatReport } from '../report-text.ts';
import { awaitInterrupt, DEFAULTS, listen, writePlace } from '../serving.ts';
import { runWithProgress } from './allocate.ts';

const LAST_PORT = 65_535;

/** How many lines of the report are shown. */
const SHOWN_LINES = 5;

/** How long a program such as `head` has to end. */
const GONE_MS = 500;

/** The only user. */
const VISITOR = 'demo@example.org';

/** 100 pounds. */
const RAISED_MINOR = 10_000;

/** What becomes of the amounts of some payments, in percent, and how many are between them. */
const CORRECTED = [90, 110, 0, 125, 95];
const BETWEEN = 40;

const demo: Command = {
  name: 'demo',
  summary: "runs the service on a year of a city council's payments",
  usage: `[--port ${DEFAULTS.port}]`,
  details: `
  --port P   the port (default ${DEFAULTS.port}, or a free one if that is in use)

Creates a temporary database and pushes the payments of a year over HTTP, with
their dates moved forward so that today is in its last quarter. It allocates
them by account code, and leaves the newest hundred or more to you. Then it
prints a report by quarter, a link that opens the console, a key, and commands
to try in a second terminal. Ctrl-C, or closing the terminal, stops the service
and deletes the database.`,
  shared: ['json'],
  async run(call) {
    const unused = ['db', 'config', 'org'].find((name) => call.values[name] !== undefined);
    if (unused !== undefined) {
      throw new UsageError(`The demo creates a temporary database. Omit --${unused}.`);
    }
    const port = readWhole(call, 'port', { min: 0, max: LAST_PORT });
    const folder = mkdtempSync(join(tmpdir(), 'budgetd-demo-'));
    const remove = () => rmSync(folder, { recursive: true, force: true });
    // A second Ctrl-C, or a terminal that is closed, ends the process without returning here.
    process.once('exit', remove);
    const hangUp = () => process.exit(EXIT.interrupted);
    process.once('SIGHUP', hangUp);
    try {
      return await runDemo(call, join(folder, 'demo.db'), port);
    } finally {
      remove();
      process.off('exit', remove);
      process.off('SIGHUP', hangUp);
    }
  },
};

/** What the parts of the demo share. */
interface Stage {
  /** With `--json`, standard output is standard error here. */
  readonly io: Io;
  readonly service: Service;
  readonly access: Access;
  readonly database: string;
  readonly files: ReturnType<typeof copyDemoFiles>;
  readonly url: string;
  readonly projectId: string;
}

async function runDemo(call: Call, database: string, port: number | undefined): Promise<number> {
  const io = call.json ? { ...call.io, stdout: call.io.stderr } : call.io;
  const { interrupted, forget } = awaitInterrupt(io);
  const busyTimeoutMs = DEFAULTS.busyTimeoutMs;
  const log = new Log(io, 'text');
  const service = await call.openService({
    database,
    create: true,
    exclusive: true,
    // At once, so that its pages show a backup.
    backups: { folder: join(dirname(database), 'backups'), at: '02:00', keep: 3, catchUpMs: 0 },
    busyTimeoutMs,
    log: (event) => log.failure(event),
  });
  try {
    const draft = { name: 'Oxford City Council (demo)', baseCurrency: 'GBP' };
    const access = service.access(service.organisations.create(draft).id);
    const url = await listenSomewhere(io, service, port);
    writePlace(database, url);
    const files = copyDemoFiles(dirname(database), service.actor().nowMs);
    const projectId = importProjectFiles(io, access, service.actor(), files);
    const stage = { io, service, access, database, files, url, projectId };
    const exitCode = await fillIn(stage);
    if (exitCode !== EXIT.done) return exitCode;
    const token = await addVisitor(access, service.actor());
    const { key } = createKey(access, { name: 'demo', scopes: SCOPES }, service.actor());
    // `budgetd demo | head` would serve on unseen once its reader has gone.
    const gone = new Promise<void>((resolve) => io.stdout.once('error', () => resolve()));
    if (call.json) printJson(call.io, { url, key, projectId });
    printReport(stage);
    await printWhatToTry(stage, key, linkTo(url, token));
    await Promise.race([interrupted, gone]);
    printNotes(io, '', 'Stopping and deleting the database.');
    return EXIT.done;
  } finally {
    await service.close();
    await log.close();
    forget();
  }
}

async function listenSomewhere(io: Io, service: Service, port: number | undefined) {
  const host = DEFAULTS.host;
  try {
    return await listen(service, { host, port: port ?? DEFAULTS.port });
  } catch (error) {
    const isTaken = error instanceof Failure && error.code === 'conflict';
    if (port !== undefined || !isTaken) throw error;
    printNotes(io, `Port ${DEFAULTS.port} is in use: using another.`);
    return listen(service, { host, port: 0 });
  }
}

/** Imports the projects, and returns the identifier of the council's. */
function importProjectFiles(io: Io, access: Access, actor: Actor, { projects }: Stage['files']) {
  const imported = projects.flatMap((file) => {
    const document: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return importProjects(access, document, actor);
  });
  const [first] = imported;
  if (first === undefined) throw new Error('the project file of the demo has no project');
  const lines = count(imported.flatMap((project) => project.lines).length, 'budget line');
  const what = `${count(imported.length, 'project')} and ${lines}`;
  printNotes(io, `Created ${access.organisation.name} with ${what} in a temporary database.`);
  return formatId('prj', first.id);
}

/**
 * Pushes the payments as `budgetd push` does, and allocates them; then the newest ones, and
 * corrections. A separate key: the printed one keeps its rate limit. It is then revoked, or rows
 * that are pushed again with the printed one would have the warning `other_key`.
 */
async function fillIn(stage: Stage): Promise<number> {
  const { io, service, access, files, url } = stage;
  const draft = { name: 'demo: the payments', scopes: ['transactions:write'] } as const;
  const { id, key } = createKey(access, draft, service.actor());
  const moved = `Their dates are moved forward by ${count(files.months, 'month')}, up to today.`;
  printNotes(io, `Pushing a year of payments to ${url}/api/v1/transactions:`, moved);
  const target = { url, key, progress: new Progress(io, { quiet: false }) };
  const exitCode = await pushFiles(io, files.payments, target);
  if (exitCode !== EXIT.done) return exitCode;
  const { allocated } = await runWithProgress(io, access, service.actor(), {
    onlyByAccountCode: true,
  });
  printNotes(io, '', `${count(allocated, 'transaction')} allocated by account code.`);
  printNotes(io, 'Pushing the newest payments, and corrections:');
  const last = await pushFiles(io, [...files.newest, writeCorrections(stage)], target);
  revokeKey(access, formatId('key', id), service.actor());
  return last;
}

async function pushFiles(
  io: Io,
  files: readonly PaymentFile[],
  target: Parameters<typeof pushFile>[2],
): Promise<number> {
  for (const payments of files) {
    printNotes(io, '', payments.name);
    const exitCode = await pushFile(io, payments, target);
    if (exitCode !== EXIT.done) return exitCode;
  }
  return EXIT.done;
}

/** Some allocated payments with another amount, and one with another account code. */
function writeCorrections({ access, database }: Stage): PaymentFile {
  const limit = CORRECTED.length * BETWEEN;
  const { items } = finish(listTransactions(access, { statuses: ['allocated'], limit }));
  const rows = CORRECTED.flatMap((percent, at) => {
    const payment = items[at * BETWEEN];
    const amountMinor = Math.round(((payment?.amountMinor ?? 0) * percent) / 100);
    return payment === undefined ? [] : [rowOf(access, { ...payment, amountMinor })];
  });
  const [, recoded] = items;
  const other = items.find(({ accountCode }) => accountCode !== recoded?.accountCode);
  if (recoded !== undefined && other !== undefined) {
    rows.push(rowOf(access, { ...recoded, accountCode: other.accountCode }));
  }
  const name = 'corrections.json';
  const path = join(dirname(database), name);
  writeFileSync(path, JSON.stringify(rows));
  return { name, path, mappingPath: undefined };
}

/** A payment as it is pushed. */
function rowOf({ organisation }: Access, payment: TransactionRecord) {
  const { externalId, date, description, contact, accountCode, projectCode } = payment;
  const amount = toMajor(payment.amountMinor, organisation.currency.places);
  return { externalId, date, description, contact, amount, accountCode, projectCode };
}

async function pushFile(
  io: Io,
  { path, mappingPath }: PaymentFile,
  { progress, ...target }: { url: string; key: string; progress: Progress },
): Promise<number> {
  const text = mappingPath && readFileSync(mappingPath, 'utf8');
  const mapping = text && (await readMapping(JSON.parse(text)));
  const { exitCode } = await runPush({
    file: rowFile(path, mapping ? { mapping } : {}),
    sender: createClient({ ...target, onWait: (wait) => progress.wait(wait) }),
    dryRun: false,
    rejectedPath: undefined,
    progress,
    io,
  });
  return exitCode;
}

function printReport({ io, access, projectId }: Stage): void {
  const query = { granularity: 'quarterly', withSubProjects: false } as const;
  const rolled = getRolledUp(access, projectId, query);
  const { rows: all } = rolled.report;
  const bySpending = [...all].sort((a, b) => Math.abs(b.total.actual) - Math.abs(a.total.actual));
  const largest = new Set(bySpending.slice(0, SHOWN_LINES));
  const lines = all.filter((line) => largest.has(line));
  const { currency } = access.organisation;
  const due = budgetToDate(access, rolled, Date.now(), query);
  const view = { rolled, all, lines, due, currency, isSample: true, paints: paintsFor(io) };
  printLines(io, '', ...formatReport({ ...view, width: terminalWidth(io) }));
  const rest = count(all.length - lines.length, 'smaller line');
  printLines(io, '', `The total includes ${rest}. \`budgetd report\` shows them all.`);
}

/** Adds an owner, and returns the token of a link that signs in. Nobody knows the password. */
async function addVisitor(access: Access, actor: Actor): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const draft = { email: VISITOR, role: 'owner', password } as const;
  const { user } = await createUser(access, draft, actor);
  return createSignInLink(access, user, actor);
}

async function printWhatToTry(stage: Stage, key: string, link: string): Promise<void> {
  const { io, url, database, projectId, files } = stage;
  const { bold } = paintsFor(io);
  const budgetd = `${programWords('node').map(quoted).join(' ')} --db ${quoted(database)}`;
  const authorization = `-H "Authorization: Bearer ${key}"`;
  printLines(
    io,
    '',
    bold(`Listening on ${url}. Press Ctrl-C to stop.`),
    '',
    bold('Open the console in a browser. The link works once, for 30 minutes:'),
    link,
    '',
    bold('Another link, after signing out:'),
    `${budgetd} users reset-password ${VISITOR}`,
    '',
    bold('A bank statement to import in the console:'),
    files.statement,
    '',
    bold('A key with every scope:'),
    key,
    '',
    bold('In a second terminal, list the two newest payments:'),
    `curl -sS ${authorization} "${url}/api/v1/transactions?limit=2"`,
    '',
    bold('Push a payment again with another amount. It then needs review:'),
    `curl -sS ${authorization} -H "Content-Type: application/json" ` +
      `-d ${quoted(JSON.stringify({ rows: [changedRow(stage)] }))} ${url}/api/v1/transactions`,
    `${budgetd} transactions list --status needs_review`,
    '',
    bold('Print the whole report:'),
  );
  // A reader that wanted only the first lines has gone by then, which the next write shows.
  if (!isTerminal(io.stdout)) await setTimeout(GONE_MS);
  printLines(io, `${budgetd} report ${projectId} --granularity quarterly`);
}

/** The newest payment of the line furthest over budget, with its amount 100 pounds higher. */
function changedRow({ access, projectId }: Stage): object {
  const [worst] = furthestOver(getReport(access, projectId).rows);
  const accountCode = worst?.line.code ?? undefined;
  const filter = { limit: 1, accountCode, statuses: ['allocated'] } as const;
  const [payment] = finish(listTransactions(access, filter)).items;
  if (payment === undefined) throw new Error('the line furthest over budget has no payment');
  return rowOf(access, { ...payment, amountMinor: payment.amountMinor + RAISED_MINOR });
}

export const commands = [demo];
