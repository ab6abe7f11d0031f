import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { listOptions } from '../../src/cli/arguments.ts';
import { EXIT } from '../../src/cli/command.ts';
import { listCommands } from '../../src/cli/entries.ts';
import { without } from '../programs.ts';
import { readText } from '../repository.ts';
import { Terminal } from './terminal.ts';

const PAGE = readText('dist/man/budgetd.1');

describe('the manual page', () => {
  it('has every command with its options, and every exit code', () => {
    const sections = new Map(
      PAGE.split('\n.SS ').map((section) => {
        const [name = ''] = section.split('\n', 1);
        return [name.replaceAll('\\-', '-'), section.replaceAll('\\-', '-')] as const;
      }),
    );
    for (const command of listCommands()) {
      const section = sections.get(command.name) ?? '';
      assert.notEqual(section, '', command.name);
      for (const option of Object.keys(listOptions(command))) {
        assert.match(section, new RegExp(`--${option}\\b`), command.name);
      }
    }
    for (const code of Object.values(EXIT)) assert.match(PAGE, new RegExp(`^\\.B ${code}$`, 'm'));
  });

  it('is what `budgetd print man` prints', async (context) => {
    const { stdout } = await new Terminal(context).run(['print', 'man']);
    assert.equal(stdout, PAGE);
  });

  it('is shown without a warning', { skip: without('man') }, () => {
    const file = new URL('../../man/budgetd.1', import.meta.url).pathname;
    const env = { ...process.env, MANWIDTH: '80', MAN_KEEP_FORMATTING: '' };
    const { status, stdout, stderr } = spawnSync('man', ['--warnings', '-l', file], {
      encoding: 'utf8',
      env,
    });
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /^BUDGETD\(1\) .* BUDGETD\(1\)$/m);
    assert.match(stdout, /^ {7}budgetd +push +FILE/m);
    assert.deepEqual(
      stdout.split('\n').filter((line) => line.length > 80),
      [],
    );
  });
});
