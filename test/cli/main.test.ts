import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { PROJECT_PARAMETERS } from '../../src/api/projects.ts';
import { TRANSACTION_PARAMETERS } from '../../src/api/transactions.ts';
import { toKebabCase } from '../../src/cli/errors.ts';
import { COMMAND_GROUPS } from '../../src/cli/help.ts';
import { COMMANDS, main } from '../../src/cli/main.ts';
import { createService } from '../../src/index.ts';
import { openOffice } from './office.ts';
import { Sink, Terminal } from './terminal.ts';

describe('8: help', () => {
  for (const argv of [[], ['help'], ['--help'], ['-h'], ['--db', 'x', '--help']]) {
    it(`"budgetd ${argv.join(' ')}" lists every command on standard output`, async (context) => {
      const { exitCode, stdout, stderr } = await new Terminal(context).run(argv);
      assert.deepEqual([exitCode, stderr], [0, '']);
      for (const name of Object.keys(COMMANDS))
        assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
      assert.deepEqual(linesOver(stdout, 80), []);
    });
  }

  it('the list holds each command once', () => {
    const listed = COMMAND_GROUPS.flatMap(([, names]) => names);
    assert.deepEqual([...listed].sort(), Object.keys(COMMANDS).sort());
  });

  for (const name of Object.keys(COMMANDS)) {
    it(`"budgetd ${name} --help" names each option, whatever else is wrong`, async (context) => {
      const command = await COMMANDS[name]?.();
      const terminal = new Terminal(context);
      const { exitCode, stdout, stderr } = await terminal.run([
        ...name.split(' '),
        '--xyz',
        '--help',
      ]);
      assert.deepEqual([exitCode, stderr], [0, '']);
      assert.ok(stdout.startsWith(`Usage: budgetd ${name}`));
      for (const option of Object.keys(command?.options ?? {})) {
        assert.match(stdout, new RegExp(`--${option}\\b`));
      }
      assert.deepEqual(linesOver(stdout, 80), []);
      assert.equal((await terminal.run(['help', ...name.split(' ')])).stdout, stdout);
    });
  }

  it('"budgetd keys --help" is about the commands that begin so', async (context) => {
    const { exitCode, stdout } = await new Terminal(context).run(['keys', '--help']);
    assert.equal(exitCode, 0);
    assert.match(stdout, /^Usage: budgetd keys create\|list\|revoke\n/);
  });

  it('--version is one line, after a command too', async (context) => {
    const terminal = new Terminal(context);
    const { exitCode, stdout } = await terminal.run(['--version']);
    assert.equal(exitCode, 0);
    assert.match(stdout, /^budgetd \d+\.\d+\.\d+\n$/);
    assert.equal((await terminal.run(['keys', 'list', '--version'])).stdout, stdout);
  });
});

describe('8: wrong usage is exit 2 and one clear line', () => {
  const wrong: [line: string, message: RegExp][] = [
    ['reprot', /^budgetd: There is no command "reprot": did you mean `budgetd report`\?$/],
    ['xyzzy', /^budgetd: There is no command "xyzzy": `budgetd help` lists them\.$/],
    ['help xyzzy', /^budgetd: There is no command "xyzzy"/],
    ['help check now', /^budgetd: help takes one command: "now" is too much\.$/],
    ['keys', /^budgetd: After "keys" comes one of: create, list, revoke\.$/],
    ['keys crate', /^budgetd: There is no "keys crate": did you mean `budgetd keys create`\?$/],
    ['keys x', /^budgetd: There is no "keys x": there is create, list, revoke\.$/],
    [
      '--jsno check',
      /^budgetd: Before the command there is no option --jsno: did you mean --json\?$/,
    ],
    ['keys --name x create', /^budgetd: Before a word of "keys" there is no option --name/],
    ['report P --granuarity monthly', /no option --granuarity: did you mean --granularity\?$/],
    ['check -v', /^budgetd: There is no option -v: /],
    ['check --ok=yes', /^budgetd: There is no option --ok/],
    ['check --json=yes', /^budgetd: --json takes no value\. Usage: budgetd check$/],
    ['check now', /^budgetd: "now" is one argument too many\. Usage: /],
    ['check --db', /^budgetd: --db needs a value\./],
    ['check --db=', /^budgetd: --db needs a file\./],
    ['check --db a --db b', /^budgetd: --db is given twice\./],
    ['init --name --currency GBP', /--name needs a value: write --name=--currency if that is it\./],
    ['report', /^budgetd: PROJECT is missing\. Usage: budgetd report PROJECT /],
    ['report Youth work', /"work" is one argument too many\. Quote a name that has blanks\./],
    [
      'report P --granularity weekly',
      /--granularity must be one of monthly, quarterly, not "weekly"/,
    ],
    ['report P --json --csv', /--json prints the whole report/],
    ['report P --json --over-budget', /--json prints the whole report/],
    ['init --currency GBP', /^budgetd: --name is missing\./],
    ['init --name N --currency GBX', /"GBX" is not a currency of ISO 4217/],
    ['init --name N --currency GBP --plan gold', /--plan must be one of free, /],
    ['plan set gold', /^budgetd: PLAN must be one of free, .*, not "gold"\./],
    ['keys create --name N', /^budgetd: --scope is missing: one or more of /],
    ['keys create --name N --scope all', /^budgetd: --scope must be one of .*, not "all"\./],
    ['keys revoke bdg_live_00', /KEYID is the identifier/],
    ['allocate', /^budgetd: TXN is missing\./],
    ['allocate T', /^budgetd: --line is missing\./],
    ['allocate T --amount 5 --line L', /--amount 5 has no --line before it\./],
    ['allocate T --line L --amount 5 --amount 6', /--amount 6 has no --line before it\./],
    ['allocate T --line L --line M', /Only one --line can go without --amount/],
    ['allocate T --line L --none', /--line does not go with that/],
    ['allocate T --by-account-code', /--by-account-code takes every transaction/],
    ['exclude T', /^budgetd: --reason is missing\./],
    ['review T', /^budgetd: Say one of --keep, --rescale and --clear\./],
    ['review T --keep --clear', /^budgetd: Say one of --keep, --rescale and --clear\./],
    ['serve --port 65536', /--port takes a whole number, 0 to 65535, not "65536"\./],
    ['audit --limit 0', /--limit takes a whole number, 1 or more, not "0"\./],
    ['audit --action key.lost', /--action must be one of /],
    ['demo --db x', /The demo makes a database of its own/],
  ];
  for (const [line, message] of wrong) {
    it(line, async (context) => {
      const { exitCode, stdout, stderr } = await new Terminal(context).run(line.split(' '));
      assert.deepEqual([exitCode, stdout], [2, '']);
      assert.match(stderr.trimEnd(), message);
      assert.equal(stderr.split('\n').length, 2);
    });
  }
});

describe('8: options', () => {
  it('--name value and --name=value are the same, global ones stand anywhere', async (context) => {
    const { terminal } = await openOffice(context);
    const ways = [
      ['--db', terminal.database, 'projects', 'list', '--json'],
      [`--db=${terminal.database}`, 'projects', '--json', 'list'],
      ['projects', 'list', '--json', '--db', 'budgetd.db'],
      ['projects', 'list', '--json'],
    ];
    const outcomes = await Promise.all(ways.map((argv) => terminal.run(argv)));
    assert.deepEqual(new Set(outcomes.map(({ stdout }) => stdout)).size, 1);
    assert.deepEqual(new Set(outcomes.map(({ exitCode }) => exitCode)), new Set([0]));
  });

  it('the database is --db, else BUDGETD_DB, else ./budgetd.db', async (context) => {
    const { terminal } = await openOffice(context);
    const env = { BUDGETD_DB: 'other.db' };
    const { exitCode, stderr } = await terminal.run(['projects', 'list'], { env });
    assert.equal(exitCode, 1);
    assert.match(stderr, /other\.db does not exist/);
    const argv = ['projects', 'list', '--db', 'budgetd.db'];
    assert.equal((await terminal.run(argv, { env })).exitCode, 0);
    const unset = { BUDGETD_DB: '' };
    assert.equal((await terminal.run(['projects', 'list'], { env: unset })).exitCode, 0);
  });

  it('--org chooses where the database holds several, by id or exact name', async (context) => {
    const { terminal, organisationId } = await openOffice(context);
    await terminal.json(['init', '--name', 'Other', '--currency', 'JPY']);
    const { exitCode, stderr } = await terminal.run(['projects', 'list']);
    assert.equal(exitCode, 2);
    assert.match(
      stderr,
      /several organisations: say --org ID of org_0000000001 \(Harbour Trust\), /,
    );
    for (const org of [organisationId, 'Harbour Trust']) {
      const list = await terminal.json(['projects', 'list', '--org', org]);
      assert.equal((list as { data: unknown[] }).data.length, 1);
    }
    const other = await terminal.json(['projects', 'list', '--org=Other']);
    assert.deepEqual(other, { data: [], meta: { nextCursor: null } });
    assert.equal((await terminal.run(['projects', 'list', '--org', 'org_x'])).exitCode, 2);
  });

  it('a database without an organisation says how to make one', async (context) => {
    const terminal = new Terminal(context);
    const service = await createService({ database: terminal.database, create: true });
    await service.close();
    const { exitCode, stderr } = await terminal.run(['projects', 'list']);
    const problem = 'budgetd: The database holds no organisation';
    assert.deepEqual([exitCode, stderr], [1, `${problem}: make one with \`budgetd init\`.\n`]);
  });

  it('8: the lists take all of the interface’s parameters in kebab case', async () => {
    const lists = [
      ['projects list', PROJECT_PARAMETERS],
      ['transactions list', TRANSACTION_PARAMETERS],
    ] as const;
    for (const [name, parameters] of lists) {
      const command = await COMMANDS[name]?.();
      const wanted = Object.keys(parameters).map(toKebabCase).sort();
      assert.deepEqual(Object.keys(command?.options ?? {}).sort(), wanted);
    }
  });
});

describe('8: errors', () => {
  it('a bug is one line; its stack is there with BUDGETD_DEBUG alone', async (context) => {
    const { terminal } = await openOffice(context);
    for (const env of [{}, { BUDGETD_DEBUG: '1' }]) {
      let told = '';
      const stderr = new Writable({
        write(chunk, _encoding, done) {
          told += chunk;
          done();
        },
      });
      const stdout = new Sink();
      Object.defineProperty(stdout, 'columns', {
        get: () => {
          throw new Error('Oops');
        },
      });
      const io = { stdout, stderr, cwd: terminal.folder, env };
      assert.equal(await main(['projects', 'list'], io), 1);
      assert.match(told, /^budgetd: Oops\. This is a bug: BUDGETD_DEBUG=1 shows where/);
      assert.equal(/\n\s+at /.test(told), 'BUDGETD_DEBUG' in env);
    }
  });

  for (const [code, exitCode] of [
    ['EPIPE', 0],
    ['ENOSPC', 1],
  ] as const) {
    it(`standard output that ends with ${code} is exit ${exitCode}`, async (context) => {
      const { terminal } = await openOffice(context);
      let told = '';
      const stdout = new Writable({
        write(_chunk, _encoding, done) {
          done(Object.assign(new Error(code), { code }));
        },
      });
      const stderr = new Writable({
        write(chunk, _encoding, done) {
          told += chunk;
          done();
        },
      });
      const io = { stdout, stderr, cwd: terminal.folder, env: {} };
      assert.equal(await main(['report', 'Youth work 2026'], io), exitCode);
      assert.match(
        told,
        exitCode === 0 ? /^$/ : /^budgetd: standard output cannot be written: ENO/,
      );
    });
  }
});

function linesOver(text: string, columns: number): string[] {
  return text.split('\n').filter((line) => line.length > columns);
}
