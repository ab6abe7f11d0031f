/** Words of commands that a person copies from a message into a shell. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { quoted } from '../../src/cli/quoted.ts';
import { without } from '../programs.ts';

const PLAIN = ['january.csv', 'date=Größe:DD/MM/YYYY', '-Amount', 'you@example.org', '/a/b#1'];
const ODD = [
  'a b',
  '=Name',
  '#1',
  "Men's",
  'say "x"',
  '$$',
  'Net $?',
  '$HOME',
  '`id`',
  'Pay!x',
  '*',
  '',
];
const PATHS = ['C:\\in box\\x', '\\\\server\\x', 'end\\'];

it('a shell reads a quoted word as it was', { skip: without('bash') }, () => {
  const words = [...PLAIN, ...ODD, ...PATHS];
  const show = `printf '%s\\n' ${words.map(quoted).join(' ')}\n`;
  // With the history of an interactive shell.
  const input = `set -o history -o histexpand\n${show}`;
  const { stdout } = spawnSync('bash', ['--norc'], { input, encoding: 'utf8' });
  assert.deepEqual(stdout.split('\n').slice(0, -1), words);
  assert.deepEqual(PLAIN.map(quoted), PLAIN);
  // Windows reads double quotation marks alone.
  assert.equal(quoted('a b'), '"a b"');
});
