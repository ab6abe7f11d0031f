/** `budgetd import`: the rows of a file into the database of this machine (contract 8). */

import { noCounts } from '../../client/push-counts.ts';
import type { Call } from '../command.ts';
import { type Command, hasFlag, readPositionals } from '../command.ts';
import { printJson } from '../output.ts';
import { chooseRejectedPath, FILE_OPTIONS, openRows } from '../push/file-options.ts';
import { importSender } from '../push/import-sender.ts';
import { Progress } from '../push/progress.ts';
import { type PushOutcome, runPush } from '../push/runner.ts';
import { refuseOtherCurrency } from '../push/stated-currency.ts';

/** `budgetd import FILE`. `--json` prints the counts, whatever the exit. */
export const importFile: Command = {
  usage: 'import FILE.csv|.json|.ndjson|- [--map …] [--dry-run] [--rejected FILE]',
  summary: 'takes a file of transactions into the database',
  details: `
  --map FIELD=COLUMN, --map FILE
                  which column of a CSV is which field, as for \`budgetd push\`
  --decimal ,     the sign before the pence of a CSV
  --delimiter ;   the sign between the values of a CSV
  --dry-run       checks every row, says what would change, stores nothing
  --rejected F    where rejected rows go; by default beside FILE.csv, in
                  FILE.rejected.csv; those of JSON in FILE.rejected.ndjson
  --quiet         no progress; rejected rows and errors are shown all the same

No service need run, and one that does may go on. Rows are kept under the
provider csv: one with the externalId of a pushed transaction is another
transaction. Importing a file again is safe: what is stored is updated.

Exit: 0 done, 1 failed, 2 wrong usage, 3 some rows rejected, 5 every row
rejected, 130 interrupted.

Example: budgetd import january.csv --map bank.json --dry-run`,
  options: FILE_OPTIONS,
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

async function importRows(call: Call): Promise<PushOutcome> {
  const { io } = call;
  const [path] = readPositionals(call, 'FILE');
  const rejectedPath = chooseRejectedPath(call, path);
  const file = openRows(call, path);
  const { service, organisation } = await call.openOrganisation();
  refuseOtherCurrency(file.currency, organisation.baseCurrency, organisation.name);
  return runPush({
    file,
    sender: importSender(service, organisation.id),
    dryRun: hasFlag(call, 'dry-run'),
    rejectedPath,
    progress: new Progress(io, { quiet: hasFlag(call, 'quiet') }),
    onInterrupt: (listener, again) => io.onInterrupt(listener, again),
    command: 'import',
  });
}
