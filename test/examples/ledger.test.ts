/** The nightly job in examples/ledger, against a real ledger that changes its mind. */

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createService } from '../../src/index.ts';
import { without } from '../programs.ts';
import { ROOT, readText } from '../repository.ts';
import { walkThrough } from '../walk.ts';

const NIGHTLY = `${ROOT}examples/ledger/nightly.py`;
const SINCE = '2026-01-01';
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** What the people of the ledger do, one night after another. */
const CHANGES: readonly [what: string, sql: string][] = [
  ['nothing', ''],
  [
    'correct an amount',
    'update lines set debit = 1 where id = 12; update lines set credit = 1 where id = 13',
  ],
  ['recode', "update lines set account = '7100', project = 'ELD' where account = '7600'"],
  ['split otherwise', "delete from lines where move_id = 3 and account = '7500'"],
  ['void', "update moves set state = 'void' where id = 5"],
  ['move out of the window', "update moves set date = '2025-12-31' where id = 2"],
  ['delete', 'pragma foreign_keys = on; delete from moves where id = 6'],
  ['take the void back', "update moves set state = 'posted' where id = 5"],
  [
    'reverse',
    `insert into moves (id, date, description) values (7, '2026-03-01', 'Reversed');
     insert into lines (move_id, account, project, debit, credit) values
       (7, '7100', 'YOU', 0, 120000), (7, '1200', null, 120000, 0);`,
  ],
];

describe('examples/ledger', { skip: hasPython ? false : 'python3 is not installed' }, () => {
  it('has every amount of the ledger after each night, however often it was killed', async (t) => {
    const desk = await openDesk(t);
    for (const [night, [what, sql]] of CHANGES.entries()) {
      desk.change(sql);
      // While it pushes, and while it reads before or after that.
      for (const request of [2, night % 2 === 0 ? 1 : 3]) {
        assert.equal(await desk.run({ request, isForwarded: night % 4 < 2 }), null, what);
      }
      assert.equal(await desk.run(), 0, what);
      assert.deepEqual(desk.listStored(), desk.listLedger(), what);
    }
    assert.match(desk.printed(), /^Youth: 0\.00, of which 0\.00 needs review$/m);
    assert.match(desk.printed(), /^ {2}and 0\.00 was recoded; \d+\.\d\d out and \d/m);
  });

  it('the commands of its page print what it shows', { skip: without('sqlite3') }, async (t) => {
    const text = readText('examples/ledger/README.md');
    assert.equal(await walkThrough(t, SET_UP + text), SET_UP + text);
  });

  it('voids nothing when more than its limit has vanished', async (t) => {
    const desk = await openDesk(t);
    const moves = Array.from({ length: 21 }, (_, index) => index + 100);
    desk.change(
      moves
        .map(
          (id) => `insert into moves (id, date, description) values (${id}, '${SINCE}', 'a');
        insert into lines (move_id, account, debit) values (${id}, '7100', 1), (${id}, '1200', 0);`,
        )
        .join('\n'),
    );
    assert.equal(await desk.run(), 0);
    const before = desk.listStored();
    desk.change("update moves set state = 'void' where id >= 100");
    assert.equal(await desk.run(), 1);
    assert.match(desk.printed(), /21 payments are not in the ledger any more\. Nothing was sent\./);
    assert.deepEqual(desk.listStored(), before);
  });

  it('voids nothing that another key has pushed', async (t) => {
    const desk = await openDesk(t);
    assert.equal(await desk.run(), 0);
    await desk.pushAsPayroll({ externalId: 'ERP/99/1', description: 'Pay', amount: 5 });
    desk.change("update moves set state = 'void' where id = 5");
    const before = desk.listStored();
    assert.equal(await desk.run(), 1);
    assert.match(desk.printed(), /^ERP\/99\/1 is another key's, .* Nothing was sent\.$/m);
    assert.deepEqual(desk.listStored(), before);
  });

  it('prints one line without a setting, or for a ledger that it cannot read', async (t) => {
    const desk = await openDesk(t);
    assert.equal(await desk.run(undefined, { BUDGETD_KEY: '' }), 1);
    assert.equal(desk.printed(), 'Set BUDGETD_URL and BUDGETD_KEY.\n');
    for (const [ledger, why] of [
      ['none.db', 'unable to open database file'],
      [`${ROOT}package.json`, 'file is not a database'],
    ] as const) {
      const { status, stderr } = spawnSync('python3', [NIGHTLY, ledger, SINCE]);
      assert.deepEqual([status, String(stderr)], [1, `Cannot read ${ledger}: ${why}\n`]);
    }
  });
});

/** What the page takes for granted: a service of an organisation with a project. */
const SET_UP = `\`\`\`console
$ export PATH="$PWD/bin:$PATH"
$ budgetd init --name "Harbour Trust" --currency GBP &> made
$ budgetd projects import examples/walk/projects.json &> made
$ budgetd serve
Serving …/clone/budgetd.db. Listening on http://127.0.0.1:8080. Press Ctrl-C to stop.
\`\`\`
`;

/** Where a run is killed: at this request, before or after the service has it. */
interface Kill {
  readonly request: number;
  readonly isForwarded: boolean;
}

/** A service, a ledger, and the job between them. */
async function openDesk(t: TestContext) {
  const service = await createService({ database: ':memory:', rateLimit: false });
  t.after(() => service.close());
  const { organisationId, keys } = service.seed({
    keys: {
      erp: ['projects:read', 'reports:read', 'transactions:read', 'transactions:write'],
      payroll: ['transactions:write'],
    },
    projects: [
      {
        name: 'Youth',
        startDate: SINCE,
        endDate: '2026-12-31',
        budgetMode: 'total',
        budgetLines: [{ name: 'Rent', budget: 1 }],
      },
    ],
  });
  const { url } = await service.listen({ port: 0 });
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-ledger-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const ledger = join(folder, 'ledger.db');
  const query = (sql: string): unknown => {
    const { stdout, stderr } = spawnSync('python3', ['-c', QUERY, ledger], { input: sql });
    assert.equal(String(stderr), '');
    return JSON.parse(String(stdout));
  };
  query(readText('examples/ledger/ledger.sql'));

  let printed = '';
  let job: ChildProcess | undefined;
  let kill: Kill | undefined;
  let requests = 0;
  const proxy = createServer(async (request, response) => {
    requests += 1;
    const isLast = requests === kill?.request;
    if (isLast && !kill?.isForwarded) {
      job?.kill('SIGKILL');
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization = '', 'content-type': type = 'text/plain' } = request.headers;
    const answer = await fetch(url + request.url, {
      method: request.method ?? 'GET',
      headers: { authorization, 'content-type': type },
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    const body = await answer.text();
    if (isLast) job?.kill('SIGKILL');
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const { port } = proxy.address() as AddressInfo;

  return {
    change: query,
    printed: () => printed,
    async pushAsPayroll(row: object): Promise<void> {
      const answer = await fetch(`${url}/api/v1/transactions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys.payroll}`, 'content-type': 'application/json' },
        body: JSON.stringify({ rows: [{ date: SINCE, ...row }] }),
      });
      assert.equal(answer.status, 200);
    },
    /** The job's exit code; null if it was killed. */
    async run(when?: Kill, settings = {}): Promise<number | null> {
      [printed, kill, requests] = ['', when, 0];
      const env = {
        ...process.env,
        BUDGETD_URL: `http://127.0.0.1:${port}`,
        BUDGETD_KEY: keys.erp,
        ...settings,
      };
      const child = spawn('python3', [NIGHTLY, ledger, SINCE], { env });
      job = child;
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          printed += text;
        });
      }
      const [exitCode] = await once(child, 'close');
      return exitCode;
    },
    /** What is stored, as {@link listLedger} has it. */
    listStored(): unknown {
      const sums = new Map<string, number>();
      for (const each of service.transactions.list(organisationId, { from: SINCE, limit: 1000 })
        .data) {
        const code = `${each.projectCode} ${each.accountCode}`;
        const pence = Math.round(each.amount * 100);
        if (pence !== 0) sums.set(code, (sums.get(code) ?? 0) + pence);
      }
      return [...sums].filter(([, pence]) => pence !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
    },
    /** The sums of the ledger by project and account in pence. */
    listLedger: () =>
      query(`select coalesce(project, 'null') || ' ' || account as code, sum(debit - credit)
        from lines join moves on moves.id = move_id
        where state = 'posted' and account not like '12%' and date >= '${SINCE}'
        group by 1 having sum(debit - credit) <> 0 order by 1`),
  };
}

/** Runs SQL from standard input in a file, and prints the rows of a query. */
const QUERY = `
import json, sqlite3, sys
sql, database = sys.stdin.read(), sqlite3.connect(sys.argv[1])
if sql.startswith("select"):
    print(json.dumps(database.execute(sql).fetchall()))
else:
    database.executescript(sql)
    print("null")
`;
