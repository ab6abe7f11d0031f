/** `budgetd import`: imports the rows of a file into a local database (contract 8). */

import { noCounts } from '../../client/push.ts';
import type { Actor } from '../../core/audit.ts';
import { listExternalIds, pushTransactions } from '../../operations/transactions.ts';
import type { Access } from '../../store/access.ts';
import type { Call, Command } from '../command.ts';
import { settleMapping } from '../csv/page.ts';
import { hasFlag, readPositionals } from '../options.ts';
import { printJson } from '../output.ts';
import { chooseRejectedPath, openRows, refuseOtherCurrency } from '../push/file-options.ts';
import { Progress } from '../push/progress.ts';
import { type PushEnd, runPush } from '../push/runner.ts';
import { localSender, type RowSender } from '../push/senders.ts';

const importFile: Command = {
  name: 'import',
  summary: 'imports a file of transactions into the database',
  usage: 'FILE|- [--map …] [--dry-run] [--rejected FILE]',
  details: `
  --map FIELD=COLUMN, --map FILE
                  the columns of a CSV file, as for \`budgetd push\`
  --maps DIR      the mapping in DIR that was made for the file's columns
  --decimal ,     the decimal separator in a CSV file
  --delimiter ;   the delimiter of a CSV file (the word tab for a tab)
  --sheet NAME    a sheet of a workbook that has several
  --account N     an account of a statement that has several; can be
                  repeated
  --dry-run       checks every row, shows what would change, stores nothing
  --rejected F    a new file for rejected rows. By default FILE.rejected.csv
                  beside FILE.csv; for JSON FILE.rejected.ndjson. Earlier files
                  are never overwritten, and --dry-run writes one only if you
                  name it
  --quiet         shows only rejected rows and errors

FILE is CSV, JSON or NDJSON, an Excel workbook (.xlsx), which is read as CSV is,
or a bank's statement (OFX, CAMT, MT940), which needs no mapping. "-" reads
standard input: NDJSON, or JSON that begins with [ or {"rows".

import works with or without a running service. Its transactions have the
provider csv, so a row with the externalId of a pushed transaction is another
transaction. You can import a file again: rows that are stored already are
updated, not duplicated. Automatic rules run before it ends.

Example: budgetd import january.csv --map bank.json --dry-run`,
  repeatable: ['map', 'account'],
  exits: ['done', 'failed', 'usage', 'someRejected', 'allRejected', 'interrupted'],
  async run(call) {
    let meta = noCounts(hasFlag(call, 'dry-run'));
    try {
      const outcome = await importRows(call);
      meta = outcome.meta;
      return outcome.exitCode;
    } finally {
      if (call.json) printJson(call.io, meta);
    }
  },
};

/** Writes rows to the database: each batch atomically and durably before it answers. */
export function importSender(access: Access, actor: () => Actor): RowSender {
  const sender = localSender((rows, dryRun) => {
    const batch = { rows, provider: 'csv', dryRun } as const;
    const { results: data, meta } = pushTransactions(access, batch, actor());
    return { data, meta };
  });
  return { ...sender, listStored: (ids) => listExternalIds(access, ids) };
}

async function importRows(call: Call): Promise<PushEnd> {
  const { io } = call;
  const [path] = readPositionals(call, 'FILE');
  const rejectedPath = chooseRejectedPath(call, path);
  const file = await openRows(call, path, settleMapping);
  const { access, service } = await call.openOrganisation();
  const { currency, name } = access.organisation;
  refuseOtherCurrency(file, currency.code, name);
  const outcome = await runPush({
    file,
    sender: importSender(access, () => service.actor()),
    dryRun: hasFlag(call, 'dry-run'),
    rejectedPath,
    progress: new Progress(io, { quiet: hasFlag(call, 'quiet') }),
    io,
    command: 'import',
  });
  await service.finishRules();
  return outcome;
}

export const commands = [importFile];
