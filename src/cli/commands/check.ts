import { checkPrinter } from '../check-lines.ts';
import { type Command, EXIT } from '../command.ts';
import { printLines, printNotes, printResult } from '../output.ts';

const check: Command = {
  name: 'check',
  summary: 'checks the file and the consistency of its records',
  details: `
Reads the whole file and changes nothing in it, except that, like every command,
it first upgrades the file of an older version (a copy stays beside it). Exits
with 1 if something is wrong.`,
  async run(call) {
    const { io, database } = call;
    const service = await call.openService();
    const checks = service.check(checkPrinter(call));
    const ok = checks.every((each) => each.ok);
    printResult(call, { ok, checks }, () => {
      printLines(io, ok ? `${database} is sound.` : `${database} is damaged.`);
      if (!ok)
        printNotes(
          io,
          'Stop the service and put a backup in its place: budgetd restore-backup FILE',
        );
    });
    return ok ? EXIT.done : EXIT.failed;
  },
};

export const commands = [check];
