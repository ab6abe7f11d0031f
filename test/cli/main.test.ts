import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { PARAMETERS } from '../../src/api/parameters.ts';
import { listOptions } from '../../src/cli/arguments.ts';
import { EXIT, listForms } from '../../src/cli/command.ts';
import { listCommands } from '../../src/cli/entries.ts';
import { toKebabCase } from '../../src/cli/errors.ts';
import { main } from '../../src/cli/main.ts';
import { createService } from '../../src/index.ts';
import { openOffice } from './office.ts';
import { Sink, Terminal } from './terminal.ts';

const COMMANDS = listCommands();
const NAMES = COMMANDS.map(({ name }) => name);

/** The options of a command besides the global ones. */
function optionsOf(name: string): string[] {
  const command = COMMANDS.find((each) => each.name === name);
  return command === undefined ? [] : Object.keys(listOptions(command));
}

describe('8: help', () => {
  for (const argv of [[], ['help'], ['--help'], ['-h'], ['--db', 'x', '--help']]) {
    it(`"budgetd ${argv.join(' ')}" lists every command on standard output`, async (context) => {
      const { exitCode, stdout, stderr } = await new Terminal(context).run(argv);
      assert.deepEqual([exitCode, stderr], [0, '']);
      for (const name of NAMES) assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
      assert.deepEqual(linesOver(stdout, 80), []);
    });
  }

  for (const name of NAMES) {
    it(`"budgetd ${name} --help" names each option, even with a wrong one`, async (context) => {
      const terminal = new Terminal(context);
      const { exitCode, stdout, stderr } = await terminal.run([
        ...name.split(' '),
        '--xyz',
        '--help',
      ]);
      assert.deepEqual([exitCode, stderr], [0, '']);
      assert.ok(stdout.startsWith(`Usage: budgetd ${name}`));
      for (const option of optionsOf(name)) {
        assert.match(stdout, new RegExp(`--${option}\\b`));
      }
      assert.deepEqual(linesOver(stdout, 80), []);
      assert.equal((await terminal.run(['help', ...name.split(' ')])).stdout, stdout);
    });
  }

  for (const line of ['keys', 'keys --help', 'help keys']) {
    it(`"budgetd ${line}" lists the commands of the group`, async (context) => {
      const { exitCode, stdout } = await new Terminal(context).run(line.split(' '));
      assert.equal(exitCode, 0);
      assert.match(stdout, /^Usage: budgetd keys create\|list\|revoke\n/);
    });
  }

  it('prints every exit code, and with a command its own', async (context) => {
    const terminal = new Terminal(context);
    const all = (await terminal.run(['help'])).stdout;
    const push = (await terminal.run(['push', '--help'])).stdout;
    for (const code of Object.values(EXIT)) {
      assert.match(all, new RegExp(`^  ${code} +\\w`, 'm'));
      assert.match(push, new RegExp(`\\b${code} \\w`));
    }
  });

  it('names only the options for every command that a command uses', async (context) => {
    const terminal = new Terminal(context);
    const endingOf = async (name: string) => {
      const { stdout } = await terminal.run([name, '--help']);
      return stdout.trimEnd().split('\n').at(-1);
    };
    assert.equal(await endingOf('demo'), 'Also: --json (see `budgetd help`).');
    assert.match((await endingOf('check')) ?? '', /^Also: --db FILE, --config FILE, --json/);
    assert.match((await endingOf('report')) ?? '', /--org ID/);
  });

  it('loads no command', async () => {
    // Of the program as users have it: what help loads is what it costs.
    const bundle = new URL('../../bundle/', import.meta.url);
    const script = `
      process.on('exit', () => {
        const names = Object.keys(require.cache).map((file) => require('node:path').basename(file));
        process.stderr.write(names.join(' '));
      });
      require('./main.js').main(['push', '--help']);`;
    const options = { cwd: bundle, encoding: 'utf8' } as const;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], options);
    assert.match(stdout, /^Usage: budgetd push /);
    assert.match(stderr, /\bmain\.js\b/);
    assert.doesNotMatch(stderr, /\b(?:push|demo|service|files)\.js\b/);
  });

  it('prints each form of a command on a separate line', async (context) => {
    const { stdout } = await new Terminal(context).run(['allocate', '--help']);
    assert.deepEqual(stdout.split('\n').slice(0, 3), [
      'Usage: budgetd allocate TXN --line BLN [--amount A] …',
      '       budgetd allocate TXN --none',
      '       budgetd allocate --by-account-code',
    ]);
    // A form ends where its brackets do: `[--csv | --xlsx FILE]` would be two halves.
    const halves = COMMANDS.flatMap(listForms).filter((form) => {
      return form.split('[').length !== form.split(']').length;
    });
    assert.deepEqual(halves, []);
  });

  it('--version prints one line, also after a command', async (context) => {
    const terminal = new Terminal(context);
    const { exitCode, stdout } = await terminal.run(['--version']);
    assert.equal(exitCode, 0);
    assert.match(stdout, /^budgetd \d+\.\d+\.\d+ \((?:commit [0-9a-f]{12}, )?schema \d+\)\n$/);
    for (const line of ['keys list --version', 'version', '-v', '-v keys', 'keys -v']) {
      assert.equal((await terminal.run(line.split(' '))).stdout, stdout, line);
    }
  });
});

describe('8: wrong usage exits with 2 and prints one clear line', () => {
  const wrong: [line: string, message: RegExp][] = [
    ['reprot', /^budgetd: There is no command "reprot"\. Did you mean `budgetd report`\?$/],
    ['xyzzy', /^budgetd: There is no command "xyzzy"\. `budgetd help` lists the commands\.$/],
    ['help xyzzy', /^budgetd: There is no command "xyzzy"/],
    ['help check now', /^budgetd: Unexpected argument "now": help accepts one command\.$/],
    ['keys crate', /There is no command "keys crate"\. Did you mean `budgetd keys create`\?$/],
    ['keys x', /There is no command "keys x"\. Use one of create, list, revoke\.$/],
    ['--jsno check', /^budgetd: Unknown option --jsno before the command\. Did you mean --json\?$/],
    ['keys --name x create', /^budgetd: Unknown option --name between the words of "keys"\. Put /],
    ['report P --granuarity monthly', /no option --granuarity\. Did you mean --granularity\?$/],
    ['check -v', /^budgetd: There is no option -v\. /],
    ['check --ok=yes', /^budgetd: There is no option --ok/],
    ['check --json=yes', /^budgetd: --json does not accept a value\. Usage: budgetd check$/],
    ['check now', /^budgetd: Unexpected argument "now"\. Usage: /],
    ['check --db', /^budgetd: --db needs a value\./],
    ['check --db=', /^budgetd: --db must be a file, not ""\./],
    ['check --db a --db b', /^budgetd: --db appears twice\. Pass it once\./],
    [
      'init --name --currency GBP',
      /--name needs a value\. If that is --currency, write --name=--currency\./,
    ],
    ['report', /^budgetd: PROJECT is missing\. Usage: budgetd report PROJECT /],
    [
      'report Youth work',
      /Unexpected argument "work"\. Put quotation marks around a name with spaces\./,
    ],
    [
      'report P --granularity weekly',
      /--granularity must be one of monthly, quarterly, not "weekly"/,
    ],
    ['report P --json --csv', /Choose one: --csv, --json or --xlsx/],
    ['report P --json --over-budget', /--json prints the whole report/],
    ['init --currency GBP', /^budgetd: --name is missing\./],
    ['init --name N --currency GBX', /"GBX" is not an ISO 4217 currency code/],
    ['init --name N --currency GBP --plan gold', /--plan must be one of free, /],
    ['plan set gold', /^budgetd: PLAN must be one of free, .*, not "gold"\./],
    ['keys create --name N', /^budgetd: --scope is missing\. Pass one or more of /],
    ['keys create --name N --scope all', /^budgetd: --scope must be one of .*, not "all"\./],
    ['keys revoke bdg_live_00', /That is the key itself\. Use its id/],
    ['allocate', /^budgetd: TXN is missing\./],
    ['allocate T', /^budgetd: --line is missing\./],
    ['allocate T --amount 5 --line L', /--amount 5 has no --line before it\./],
    ['allocate T --line L --amount 5 --amount 6', /--amount 6 has no --line before it\./],
    ['allocate T --line L --line M', /Only one --line can lack --amount/],
    ['allocate T --line L --none', /Use --none without --line/],
    ['allocate T --by-account-code', /--by-account-code allocates every transaction/],
    ['exclude T', /^budgetd: --reason is missing\./],
    ['review T', /^budgetd: Use one of --keep, --rescale, --clear and --by-account-code\./],
    [
      'review T --keep --clear',
      /^budgetd: Use one of --keep, --rescale, --clear and --by-account-code\./,
    ],
    ['serve --port 65536', /--port must be a whole number, 0 to 65535, not "65536"\./],
    ['audit --limit 0', /--limit must be a whole number, 1 or more, not "0"\./],
    ['audit --action key.lost', /--action must be one of /],
    ['demo --db x', /The demo creates a temporary database\. Omit --db\./],
    ['demo --config x', /The demo creates a temporary database\. Omit --config\./],
    ['plan x', /^budgetd: Unexpected argument "x"\. Usage: budgetd plan$/],
    ['undo yesterday', /^budgetd: T must be a moment such as /],
    ['organisations set', /^budgetd: Pass --name, --time-zone or --letterhead\./],
    ['completion tcsh', /^budgetd: The shell must be one of bash, zsh, fish, not "tcsh"\./],
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
  it('--name value is --name=value; global options can go anywhere', async (context) => {
    const { terminal } = await openOffice(context);
    const lines = [
      ['--db', terminal.database, 'projects', 'list', '--json'],
      [`--db=${terminal.database}`, 'projects', '--json', 'list'],
      ['projects', 'list', '--json', '--db', 'budgetd.db'],
      ['projects', 'list', '--json'],
    ];
    const outcomes = await Promise.all(lines.map((argv) => terminal.run(argv)));
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

  it('--org selects one of several organisations by id or exact name', async (context) => {
    const { terminal, organisationId } = await openOffice(context);
    await terminal.json(['init', '--name', 'Other', '--currency', 'JPY', '--another']);
    const { exitCode, stderr } = await terminal.run(['projects', 'list']);
    assert.equal(exitCode, 2);
    assert.match(
      stderr,
      /several organisations\. Pass --org ID: org_0000000001 \(Harbour Trust\), /,
    );
    for (const org of [organisationId, 'Harbour Trust']) {
      const list = await terminal.json(['projects', 'list', '--org', org]);
      assert.equal((list as { data: unknown[] }).data.length, 1);
    }
    const other = await terminal.json(['projects', 'list', '--org=Other']);
    assert.deepEqual(other, { data: [], meta: { nextCursor: null } });
    assert.equal((await terminal.run(['projects', 'list', '--org', 'org_x'])).exitCode, 2);
  });

  it('a database without an organisation gets a hint to create one', async (context) => {
    const terminal = new Terminal(context);
    const service = await createService({ database: terminal.database, create: true });
    await service.close();
    const { exitCode, stderr } = await terminal.run(['projects', 'list']);
    const problem = 'budgetd: The database has no organisation.';
    assert.deepEqual([exitCode, stderr], [1, `${problem} Create one with \`budgetd init\`.\n`]);
  });

  it('8: the lists accept all parameters of the interface in kebab case', async () => {
    const lists = [
      ['projects list', PARAMETERS.ProjectQuery],
      ['transactions list', PARAMETERS.TransactionQuery],
    ] as const;
    for (const [name, parameters] of lists) {
      // Only the command line has these filters.
      const own = name === 'transactions list' ? ['line', 'to-allocate'] : [];
      const wanted = [...Object.keys(parameters).map(toKebabCase), ...own].sort();
      assert.deepEqual(optionsOf(name).sort(), wanted);
    }
  });
});

describe('8: errors', () => {
  it('a bug prints one line, and its stack only with BUDGETD_DEBUG', async (context) => {
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
      assert.match(told, /^budgetd: Oops\. This is a bug\. Set BUDGETD_DEBUG=1 to see where/);
      assert.equal(/\n\s+at /.test(told), 'BUDGETD_DEBUG' in env);
    }
  });

  for (const [code, exitCode] of [
    ['EPIPE', 0],
    ['ENOSPC', 1],
  ] as const) {
    it(`exits with ${exitCode} if standard output fails with ${code}`, async (context) => {
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
      assert.match(told, exitCode === 0 ? /^$/ : /^budgetd: cannot write to standard output: ENO/);
    });
  }
});

function linesOver(text: string, columns: number): string[] {
  return text.split('\n').filter((line) => line.length > columns);
}
