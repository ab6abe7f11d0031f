/** The currency that a file states, and its effect. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Terminal } from './terminal.ts';

function file(header: string, ...rows: string[]): Buffer {
  return Buffer.from(`${[header, ...rows].join('\n')}\n`);
}

describe('csv inspect: the currency of a file is compared with the database', () => {
  const one = ['--money-out', 'negative'];

  it('a file in euros is refused by a database in pounds', async (context) => {
    const terminal = new Terminal(context);
    await terminal.json(['init', '--name', 'T', '--currency', 'GBP']);
    for (const [name, header, sign] of [
      ['code', 'Betrag (EUR)', 'EUR'],
      ['sign', 'Amount ($)', '\\$'],
    ] as const) {
      const path = join(terminal.folder, `${name}.csv`);
      writeFileSync(path, file(`Date,Text,${header}`, '31/01/2016,a,-1.5'));
      const inspected = await terminal.run(['csv', 'inspect', `${name}.csv`, ...one]);
      assert.equal(inspected.exitCode, 0, inspected.stderr);
      assert.match(inspected.stdout, new RegExp(`The amounts are in ${sign}: push refuses`));
      const args = [`${name}.csv`, '--map', `${name}.map.json`];
      for (const line of [
        ['import', ...args],
        ['push', ...args, '--dry-run'],
      ]) {
        const refused = await terminal.run(line);
        assert.equal(refused.exitCode, 2);
        assert.match(refused.stderr, new RegExp(`amounts are in ${sign}, but T uses GBP`));
      }
    }
    for (const [currency, says] of [
      ['GBP', '--currency GBP: the file says EUR: line 1 has "Betrag (EUR)".'],
      ['Taler', '--currency Taler: the file says EUR'],
    ] as const) {
      const wrong = await terminal.run(['csv', 'inspect', 'code.csv', '--currency', currency]);
      assert.equal(wrong.exitCode, 2);
      assert.ok(wrong.stderr.includes(says), wrong.stderr);
    }
    const pounds = file('Date,Text,Amount (£)', '31/01/2016,a,-1.5');
    writeFileSync(join(terminal.folder, 'pounds.csv'), pounds);
    await terminal.run(['csv', 'inspect', 'pounds.csv', ...one]);
    const done = await terminal.run(['import', 'pounds.csv', '--map', 'pounds.map.json']);
    assert.equal(done.exitCode, 0, done.stderr);
  });
});
