/** Prints what a check of a database finds, rule by rule. */

import { count } from '../core/counts.ts';
import { cleanText, cutText } from '../core/text-width.ts';
import type { CheckResult } from '../upkeep/backups.ts';
import type { Call } from './command.ts';
import { printLines } from './output.ts';
import { paintsFor, terminalWidth } from './paint.ts';

/** Prints each result as it comes; nothing with `--json`. */
export function checkPrinter({ io, json }: Call): (result: CheckResult) => void {
  const { green, red } = paintsFor(io);
  return ({ name, ok, found, examples }) => {
    if (json) return;
    if (ok) printLines(io, `${green('ok   ')}  ${name}`);
    else printLines(io, `${red('WRONG')}  ${name}: ${count(found, 'exception')}`);
    const width = terminalWidth(io);
    printLines(io, ...examples.map((example) => cutText(`       ${cleanText(example)}`, width)));
  };
}
