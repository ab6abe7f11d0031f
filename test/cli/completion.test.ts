import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { without } from '../programs.ts';
import { buildFixture } from '../store/fixture-file.ts';
import { openOffice } from './office.ts';
import { Terminal } from './terminal.ts';

/** What completion offers for a line whose words are between spaces: its kind, then the words. */
async function offered(terminal: Terminal, line: string): Promise<string[]> {
  const { exitCode, stdout, stderr } = await terminal.run([
    'completion',
    'words',
    '--',
    ...line.split(' '),
  ]);
  assert.deepEqual([exitCode, stderr], [0, '']);
  return stdout
    .trimEnd()
    .split('\n')
    .map((each) => each.split('\t', 1).join(''));
}

describe('8: completion', () => {
  const lines: [line: string, expected: readonly string[]][] = [
    ['ke', ['words', 'keys']],
    ['hel', ['words', 'help']],
    ['keys ', ['words', 'create', 'list', 'revoke']],
    ['help keys r', ['words', 'revoke']],
    ['--db x keys r', ['words', 'revoke']],
    ['plan ', ['words', 'set']],
    ['plan set p', ['words', 'professional']],
    ['completion ', ['words', 'bash', 'zsh', 'fish']],
    ['report P --gran', ['words', '--granularity']],
    ['report P --granularity q', ['words', 'quarterly']],
    ['report P --granularity=q', ['words', '--granularity=quarterly']],
    ['report P --granularity = q', ['words', 'quarterly']],
    ['keys create --scope transactions : w', ['words', 'write']],
    ['keys create --scope transactions:read --sc', ['words', '--scope']],
    ['keys create --name x --na', ['words']],
    ['demo --', ['words', '--port', '--json', '--help', '--version']],
    ['serve --log ', ['words', 'json', 'text']],
    ['users create --role a', ['words', 'admin']],
    ['push ', ['files']],
    ['push f --inbox ', ['folders']],
    ['backup ', ['files']],
    ['export ', ['folders']],
    ['--config ', ['files']],
    ['nonsense ', ['words']],
    ['keys create --name ', ['words']],
  ];
  for (const [line, expected] of lines) {
    it(`"${line}"`, async (context) => {
      assert.deepEqual(await offered(new Terminal(context), line), expected);
    });
  }

  it('offers what the database has, quoted as it is typed', async (context) => {
    const { terminal } = await openOffice(context);
    await terminal.json(['keys', 'create', '--name', 'erp', '--scope', 'reports:read']);
    const stored: [line: string, ...words: string[]][] = [
      ['report Y', 'Youth work 2026'],
      ['report "You', 'Youth work 2026'],
      ["report 'Y", 'Youth work 2026'],
      ['transactions list --project-id ', 'Youth work 2026'],
      ['allocate T --line R', 'RENT'],
      ['keys revoke ', 'key_0000000001'],
      ['keys revoke --org org_0000000002 ', ''],
      ['--org ', 'org_0000000001'],
    ];
    for (const [line, ...words] of stored) {
      const expected = ['words', ...words.filter((word) => word !== '')];
      assert.deepEqual(await offered(terminal, line), expected, line);
    }
  });

  it('offers a code that two lines have by their ids', async (context) => {
    const { terminal, lines } = await openOffice(context);
    const budgetLines = [{ code: 'RENT', name: 'Rent', budget: 1 }];
    const other = { name: 'Other', startDate: '2026-01-01', endDate: '2026-12-31' };
    const project = { ...other, budgetMode: 'total', budgetLines };
    writeFileSync(join(terminal.folder, 'other.json'), JSON.stringify(project));
    await terminal.json(['projects', 'import', 'other.json']);
    const words = await offered(terminal, 'allocate T --line ');
    assert.ok(words.includes(lines['RENT'] ?? '') && !words.includes('RENT'));
  });

  it('neither creates nor upgrades a database', async (context) => {
    const terminal = new Terminal(context);
    assert.deepEqual(await offered(terminal, 'report '), ['words']);
    assert.ok(!existsSync(terminal.database));
    const older = buildFixture(terminal.folder);
    const before = readFileSync(older);
    assert.deepEqual(await offered(terminal, `--db ${older} report `), ['words']);
    assert.deepEqual(readFileSync(older), before);
  });
});

/** Lines that are typed in a shell, and what the Tab key makes of each. */
const TYPED: readonly [line: string, completed: string][] = [
  ['budgetd ke', 'budgetd keys'],
  ['budgetd report You', 'budgetd report Youth\\ work\\ 2026'],
  ['budgetd keys rev', 'budgetd keys revoke'],
  ['budgetd push ledg', 'budgetd push ledger.csv'],
];

/** Runs a script of a shell in the office's folder, where `budgetd` is the program of the build. */
async function inShell(context: TestContext, shell: string, script: string): Promise<string> {
  const { terminal } = await openOffice(context);
  writeFileSync(join(terminal.folder, 'ledger.csv'), '');
  const bin = new URL('../../../bin', import.meta.url).pathname;
  const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: terminal.folder, TERM: 'dumb' };
  const options = { cwd: terminal.folder, encoding: 'utf8', env } as const;
  const { status, stdout, stderr } = spawnSync(shell, ['-c', script], options);
  assert.equal(status, 0, stderr);
  return stdout;
}

describe('8: completion in a shell', () => {
  it('bash', { skip: without('bash') }, async (context) => {
    const calls = TYPED.map(([line]) => `press ${line}`).join('\n');
    const script = `
source <(budgetd completion bash)
complete -p budgetd >&2
press() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _budgetd 2>/dev/null
  [[ \${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "\${!#}"))
  echo "\${@:1:$#-1} \${COMPREPLY[*]}"
}
${calls}`;
    const stdout = await inShell(context, 'bash', script);
    assert.deepEqual(
      stdout.trimEnd().split('\n'),
      TYPED.map(([, completed]) => completed),
    );
  });

  it('zsh', { skip: without('zsh') }, async (context) => {
    const calls = TYPED.map(([line]) => `press '${line}'`).join('\n');
    // A shell at a terminal of its own, whose line is shown after each Tab.
    const script = `
zmodload zsh/zpty
press() {
  local text part
  zpty shell zsh -f -i
  zpty -w shell 'PS1=; unsetopt zle_bracketed_paste 2>/dev/null; autoload -Uz compinit; compinit -u'
  zpty -w shell 'show() { print -r -- "<$BUFFER>" }; zle -N show; bindkey "^X" show'
  zpty -w shell 'source <(budgetd completion zsh); print REA""DY'
  while zpty -r shell part; do text+=$part; [[ $text == *READY* ]] && break; done
  text=
  zpty -w -n shell "$1"$'\\t\\x18'
  while zpty -r shell part; do text+=$part; [[ $text == *\\<*\\>* ]] && break; done
  print -r -- "\${\${text##*\\<}%%\\>*}"
  zpty -d shell
}
${calls}`;
    const stdout = await inShell(context, 'zsh', script);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.trimEnd());
    assert.deepEqual(
      lines,
      TYPED.map(([, completed]) => completed),
    );
  });

  it('fish', { skip: without('fish') }, async (context) => {
    const calls = TYPED.map(([line]) => `complete -C '${line}' | head -1`).join('\n');
    const script = `budgetd completion fish | source\n${calls}\n`;
    const stdout = await inShell(context, 'fish', script);
    const words = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t', 1).join(''));
    const expected = ['keys', 'Youth work 2026', 'revoke', 'ledger.csv'];
    assert.deepEqual(words, expected);
  });
});
