// Fails unless every line of src/core ran, in the coverage that c8 has written (npm run coverage).

import { readFileSync } from 'node:fs';

const records = readFileSync('coverage/lcov.info', 'utf8')
  .split('end_of_record\n')
  .map((text) => ({ file: /^SF:(.*)$/m.exec(text)?.[1] ?? '', text }))
  .filter(({ file }) => file.startsWith('src/core/'));
if (records.length === 0) throw new Error('coverage/lcov.info has no file of src/core.');
const missed = records
  .map(({ file, text }) => ({ file, lines: [...text.matchAll(/^DA:(\d+),0$/gm)] }))
  .filter(({ lines }) => lines.length > 0)
  .map(({ file, lines }) => `${file}: ${lines.map(([, line]) => line).join(', ')}`);
if (missed.length > 0) {
  process.stderr.write(`No test runs these lines of src/core:\n${missed.join('\n')}\n`);
  process.exitCode = 1;
}
