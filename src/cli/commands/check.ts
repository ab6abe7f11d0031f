import { count } from '../../core/counts.ts';
import { cleanText, cutText } from '../../core/text-width.ts';
import { type Command, EXIT } from '../command.ts';
import { readPositionals } from '../options.ts';
import { printLines, printNotes, printResult } from '../output.ts';
import { paintsFor, terminalWidth } from '../paint.ts';

/** `budgetd check`. */
export const check: Command = {
  usage: 'check',
  details: 'Reads the whole file and changes nothing. Exits with 1 if something is wrong.',
  options: {},
  async run(call) {
    readPositionals(call);
    const { io, json, database } = call;
    const service = await call.openService();
    const { green, red } = paintsFor(io);
    const checks = service.check(({ name, ok, found, examples }) => {
      if (json) return;
      if (ok) printLines(io, `${green('ok   ')}  ${name}`);
      else printLines(io, `${red('WRONG')}  ${name}: ${count(found, 'exception')}`);
      const width = terminalWidth(io);
      printLines(io, ...examples.map((example) => cutText(`       ${cleanText(example)}`, width)));
    });
    const ok = checks.every((each) => each.ok);
    printResult(call, { ok, checks }, () => {
      printLines(io, ok ? `${database} is sound.` : `${database} is damaged.`);
      if (!ok) printNotes(io, 'Stop the service and put a backup in its place.');
    });
    return ok ? EXIT.done : EXIT.failed;
  },
};
