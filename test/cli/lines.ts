/** Runs each line of standard input as a command, and prints what it writes, `== ` and its exit. */

import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../src/cli/main.ts';
import { Sink } from './terminal.ts';

for (const line of (await text(process.stdin)).trimEnd().split('\n')) {
  const said = new Sink();
  const io = { stdin: Readable.from([]), stdout: said, stderr: said };
  const exitCode = await main(line.split(' '), io);
  process.stdout.write(`${said.text}== ${exitCode}\n`);
}
