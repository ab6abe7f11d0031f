/** `budgetd push`: sends the rows of a file to a service, over its HTTP interface (contract 8). */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { BudgetdError, type Client, createClient, type Wait } from '../../client/index.ts';
import { noCounts } from '../../client/push.ts';
import { findCurrency } from '../../core/currencies.ts';
import { isKey } from '../../core/keys.ts';
import { OPTIONAL_FIELDS } from '../../core/row-members.ts';
import { findTextProblems } from '../../core/text.ts';
import { statedCurrency } from '../../files/index.ts';
import { type Call, type Command, EXIT, UsageError } from '../command.ts';
import { settleMapping } from '../csv/page.ts';
import { hasFlag, optionText, readPositionals, readWhole, requireText } from '../options.ts';
import { printJson } from '../output.ts';
import { pushComplete, readComplete } from '../push/complete.ts';
import {
  chooseRejectedPath,
  openRows,
  readCsvMapping,
  refuseOtherCurrency,
} from '../push/file-options.ts';
import { type InboxJob, runInbox } from '../push/inbox.ts';
import { Progress } from '../push/progress.ts';
import type { RowFile } from '../push/row-files.ts';
import { exitCodeOfError, type PushEnd, runPush } from '../push/runner.ts';
import { checkingSender, serviceSender } from '../push/senders.ts';
import { findSecret, readSecretFile } from '../secrets.ts';

/** How long a file in an inbox must be unchanged before it is pushed. */
const SETTLE_SECONDS = 5;
const SETTLE_SECONDS_MOST = 3600;

const push: Command = {
  name: 'push',
  summary: 'pushes a file of transactions to a service, over HTTP',
  usage: 'FILE|-|--inbox DIR --url U [--key-file F] [--map …] [--dry-run] [--rejected FILE]',
  details: `
  --url U             the address of the service, such as
                      https://budget.example.org
  --key-file F        a file with the API key; or set BUDGETD_KEY, or
                      BUDGETD_KEY_FILE to the name of a file. Use --key K
                      only to try things out: other users of the machine can
                      see it
  --map FIELD=COLUMN  the column of a CSV file for a field:
                        --map externalId="Trans No"
                        --map date="Paid Date:DD/MM/YYYY"   with its format
                        --map amount=-Amount                reverses the sign
                      Without it, columns must have the names of the fields
  --map FILE          the same in a JSON file; csv inspect writes one
  --maps DIR          for each file the mapping in DIR that was made for its
                      columns
  --decimal ,         the decimal separator in a CSV file
  --delimiter ;       the delimiter of a CSV file (the word tab for a tab)
  --sheet NAME        a sheet of a workbook that has several
  --account N         an account of a statement that has several; can be
                      repeated
  --id-prefix P       puts P before each externalId, such as ERP/, so that two
                      systems can use the same ids. P is part of the id: add or
                      change P later, and every row is another transaction
  --complete FROM..TO  says that the file has every payment of these days, both
                      included, such as 2026-01-01..2026-01-31. Once all rows
                      are accepted, other payments of these days (with
                      --id-prefix those with that prefix) are voided: pushed
                      with amount 0. The key needs transactions:read too
  --void-limit N      the most payments that --complete voids, 20 by default. If
                      there are more, none is voided and they are named
  --dry-run           checks every row and stores nothing. With --url the
                      service checks; without it, this command does, and sends
                      nothing
  --currency GBP      the currency of a check without --url. By default that of
                      the organisation in the database (--db, --org)
  --rejected F        a new file for rejected rows. By default
                      FILE.rejected.csv beside FILE.csv; for JSON
                      FILE.rejected.ndjson. Earlier files are never overwritten,
                      and --dry-run writes one only if you name it
  --quiet             shows only rejected rows and errors

FILE is CSV, JSON or NDJSON, an Excel workbook (.xlsx), which is read as CSV is,
or a bank's statement (OFX, CAMT, MT940), which needs no mapping.

Fields: externalId, date, description, amount; optional:
${OPTIONAL_FIELDS.join(', ')}.
Money out is positive, money in negative. "-" reads standard input: NDJSON, or
JSON that begins with [ or {"rows". You can push a file again: rows that are
stored already are updated, not duplicated.

For schedulers: --inbox DIR pushes every file in DIR, the oldest first. It moves
each to DIR/done, or, if rows were rejected, to DIR/rejected with a file of
those rows beside it. A file that cannot be pushed stays for the next run. A
file is pushed once it has not changed for 5 seconds (--settle S). Names that
begin with . or ~ are skipped. Only one run at a time works on DIR.

The exit code of an inbox is the worst of its files.

Example: budgetd push payments.csv --url https://budget.example.org \\
           --key-file key.txt`,
  repeatable: ['map', 'account'],
  exits: Object.keys(EXIT) as (keyof typeof EXIT)[],
  unlisted: ['--key K', '--inbox DIR', '--settle S'],
  async run(call) {
    const dryRun = hasFlag(call, 'dry-run');
    const folder = optionText(call, 'inbox');
    const complete = readComplete(call);
    let document: object = {
      ...noCounts(dryRun),
      ...(folder !== undefined && { files: [] }),
      ...(complete && { voided: 0 }),
    };
    try {
      const outcome =
        folder === undefined ? await pushFile(call, complete) : await pushInbox(call, folder);
      document = 'files' in outcome ? { ...outcome.meta, files: outcome.files } : outcome.meta;
      return outcome.exitCode;
    } catch (error) {
      if (!(error instanceof BudgetdError)) throw error;
      const { message, code } = error;
      if (code === 'invalid_option') throw new UsageError(message);
      progressOf(call).problem(`budgetd push: ${message} (${code}). Nothing was sent.`);
      return exitCodeOfError(error);
    } finally {
      if (call.json) printJson(call.io, document);
    }
  },
};

async function pushFile(call: Call, days: ReturnType<typeof readComplete>): Promise<PushEnd> {
  const [path] = readPositionals(call, 'FILE');
  if (call.values['settle'] !== undefined)
    throw new UsageError('--settle works only with --inbox.');
  const dryRun = hasFlag(call, 'dry-run');
  const rejectedPath = chooseRejectedPath(call, path);
  const url = dryRun ? optionText(call, 'url') : requireText(call, 'url');
  const file = await openRows(call, path, settleMapping);
  const { openSender, openClient, endNow } = await chooseSender(call, url, file);
  const progress = progressOf(call);
  const job = { file, dryRun, rejectedPath, progress, io: call.io, endNow };
  const onWait = (wait: Wait) => progress.wait(wait);
  if (days === undefined || openClient === undefined) {
    return runPush({ ...job, sender: openSender(onWait) });
  }
  return pushComplete({ ...job, days, client: openClient(onWait), prefix: readIdPrefix(call) });
}

async function pushInbox(call: Call, folder: string) {
  const { io } = call;
  if (call.positionals.length > 0) throw new UsageError('Use either a file or --inbox, not both.');
  if (call.values['rejected'] !== undefined) {
    throw new UsageError(
      '--rejected works only with one file: the inbox has a folder named rejected.',
    );
  }
  const dryRun = hasFlag(call, 'dry-run');
  const url = dryRun ? optionText(call, 'url') : requireText(call, 'url');
  const range = { min: 0, max: SETTLE_SECONDS_MOST };
  const settleSeconds = readWhole(call, 'settle', range) ?? SETTLE_SECONDS;
  const mappingOf = await readCsvMapping(call, settleMapping);
  const hasOne = call.values['maps'] === undefined;
  const currency = hasOne ? statedCurrency(await mappingOf(folder)) : undefined;
  return runInbox({
    io,
    folder: resolve(io.cwd, folder),
    mappingOf,
    ...(await chooseSender(call, url, { currency })),
    dryRun,
    quiet: hasFlag(call, 'quiet'),
    settleMs: settleSeconds * 1000,
  });
}

interface Chosen extends Pick<InboxJob, 'openSender' | 'endNow'> {
  /** Undefined without a service. */
  readonly openClient?: (onWait: (wait: Wait) => void) => Client;
}

/** The service at the URL, or a check in this process without one. Sends nothing yet. */
async function chooseSender(
  call: Call,
  url: string | undefined,
  file: Pick<RowFile, 'currency' | 'isStatement'>,
): Promise<Chosen> {
  const ending = new AbortController();
  const endNow = () => ending.abort();
  const prefix = readIdPrefix(call);
  if (url === undefined) {
    const known = await findCurrencyOf(call, file);
    return { openSender: () => checkingSender(known, prefix), endNow };
  }
  if (call.values['currency'] !== undefined) {
    throw new UsageError('--currency works only without --url: the service has its own currency.');
  }
  const key = readKey(call);
  const { signal } = ending;
  const open = (onWait: (wait: Wait) => void) => createClient({ url, key, onWait, signal });
  const openSender: Chosen['openSender'] = (onWait) =>
    serviceSender(open(onWait), prefix, () => progressOf(call).note(UNREAD));
  return { openSender, openClient: open, endNow };
}

const PREFIX_CHARACTERS = 100;

/** The prefix that a call asks for; empty without one. Refuses one that no externalId can have. */
function readIdPrefix(call: Call): string {
  const prefix = optionText(call, 'id-prefix');
  if (prefix === undefined) return '';
  const problems = findTextProblems(prefix, PREFIX_CHARACTERS).filter((each) => each !== 'blank');
  if (prefix !== '' && problems.length === 0) return prefix;
  throw new UsageError('--id-prefix has 1 to 100 characters and no control character.');
}

/**
 * The key from `--key-file` or `--key`, or else from BUDGETD_KEY or the file of BUDGETD_KEY_FILE.
 * Throws `invalid_api_key` for a text that cannot be a key, before anything is sent.
 */
function readKey(call: Call): string {
  const { text, from } = findKey(call);
  const key = text.trim();
  if (isKey(key)) return key;
  const what =
    key === ''
      ? `${from} is empty`
      : `${from} does not contain an API key, or one of its characters is wrong`;
  const message = `${what}: a key is bdg_live_ followed by 48 characters`;
  throw new BudgetdError('invalid_api_key', message, { status: 401 });
}

function findKey(call: Call): NonNullable<ReturnType<typeof findSecret>> {
  const file = optionText(call, 'key-file');
  const written = optionText(call, 'key');
  if (file !== undefined && written !== undefined) {
    throw new UsageError('Use either --key-file or --key, not both.');
  }
  if (file !== undefined) {
    const text = readSecretFile(resolve(call.io.cwd, file), '--key-file');
    return { text, from: file };
  }
  if (written !== undefined) return { text: written, from: '--key' };
  const secret = findSecret(call.io, 'BUDGETD_KEY');
  if (secret !== undefined) return secret;
  throw new UsageError('The key is missing: pass --key-file FILE or set BUDGETD_KEY.');
}

/** The currency of `--currency`, or of the organisation in the database. */
async function findCurrencyOf(call: Call, file: Pick<RowFile, 'currency' | 'isStatement'>) {
  const stated = optionText(call, 'currency');
  const isMeant = call.values['db'] !== undefined || existsSync(call.database);
  if (stated === undefined && !isMeant) throw new UsageError(WHICH_CURRENCY);
  const { name, currency } =
    stated === undefined
      ? (await call.openOrganisation()).access.organisation
      : { name: 'this check', currency: findCurrency(stated.toUpperCase()) };
  if (currency === undefined) {
    throw new UsageError(`"${stated}" is not an ISO 4217 currency code such as GBP.`);
  }
  const { code } = currency;
  refuseOtherCurrency(file, code, name);
  const whose = stated === undefined ? `, the currency of ${name} in ${call.database}` : '';
  progressOf(call).note(`Checked here, in ${code}${whose}. ${ALL_NEW}`);
  return currency;
}

const UNREAD =
  'The key cannot read transactions, so push did not check whether a payment of this file is ' +
  'stored already as a sum or in parts. Give the key transactions:read.';
const WHICH_CURRENCY =
  'Use --url U to have the service check the rows, or --currency GBP to check them here.';
const ALL_NEW = 'Nothing is sent. Every accepted row counts as created.';

function progressOf(call: Call): Progress {
  return new Progress(call.io, { quiet: hasFlag(call, 'quiet') });
}

export const commands = [push];
