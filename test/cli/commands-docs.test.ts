/** What is in docs/commands.md: the command for each thing that the console can do, and back. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EXIT_MEANINGS } from '../../build/reference/help.ts';
import { EXIT } from '../../src/cli/command.ts';
import { listCommands } from '../../src/cli/entries.ts';
import { OPEN_PAGES, PAGES } from '../../src/console/routes.ts';
import { readText } from '../repository.ts';

const TEXT = readText('docs/commands.md');

/** The cells of a table, of the rows below its head. */
function rowsBelow(head: string): string[][] {
  const table = TEXT.slice(TEXT.indexOf(head)).trimEnd().split('\n\n', 1)[0] ?? '';
  return table
    .split('\n')
    .slice(2)
    .map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
}

function codesIn(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

const ROWS = rowsBelow('| what | console | command |');
const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

describe('docs/commands.md', () => {
  it('has every page and form of the console, and no others', () => {
    const known = [...OPEN_PAGES, ...PAGES].map(({ method, path }) => `${method} ${path}`);
    const listed = ROWS.flatMap(([, console]) => codesIn(console));
    assert.deepEqual(sorted(listed), sorted(known));
  });

  it('has every command, and no others', () => {
    const isReason = (cell = '') => cell.startsWith('– ');
    const listed = ROWS.flatMap(([, , command]) => (isReason(command) ? [] : codesIn(command)));
    assert.deepEqual(sorted(listed), sorted(listCommands().map(({ name }) => name)));
  });

  it('has both in each row, or a reason why not', () => {
    for (const [what, ...cells] of ROWS) {
      assert.equal(cells.length, 2, what);
      for (const cell of cells) assert.match(cell, /^`|^– [A-Z`].+\.$/, what);
      assert.ok(
        cells.some((cell) => cell.startsWith('`')),
        what,
      );
    }
  });

  it('has the exit codes', () => {
    const codes = Object.entries(EXIT).map(([name, code]) => {
      return [String(code), EXIT_MEANINGS[name as keyof typeof EXIT]];
    });
    assert.deepEqual(rowsBelow('| code | meaning |'), codes);
  });
});
