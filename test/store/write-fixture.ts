/**
 * Writes a fixture: a file of the current schema with records in every table, as SQL text. Run
 * `node dist/test/store/write-fixture.js` when the schema has changed, and keep the older ones.
 */

import { writeFileSync } from 'node:fs';
import { SCHEMA_VERSION } from '../../src/database/migrations.ts';
import { issueStatement, withdrawStatement } from '../../src/operations/statements.ts';
import { storeNewKey, storeRevocation } from '../../src/store/keys.ts';
import { createLink } from '../../src/store/links.ts';
import { KnownRules, takeRulings } from '../../src/store/rule-runs.ts';
import { changeRules } from '../../src/store/rules.ts';
import { setSecondFactor } from '../../src/store/second-factors.ts';
import { createSession } from '../../src/store/sessions.ts';
import { StatementStage } from '../../src/store/statements.ts';
import { addUser } from '../../src/store/users.ts';
import { ROOT } from '../repository.ts';
import { excludeTransaction } from './single-changes.ts';
import { row, rows, Workshop, YEAR } from './workshop.ts';

const HEADER = `-- A database of schema version ${SCHEMA_VERSION}, as budgetd wrote it: its
-- tables, a few records, then the rest of its schema (so that no trigger fires while the records
-- are read back).
pragma application_id = ${0x62646764};
pragma user_version = ${SCHEMA_VERSION};
pragma foreign_keys = off;
`;

/** Does a little of everything, one act a second. */
function fill(shop: Workshop): void {
  const { db, organisation: org } = shop;
  const later = () => {
    shop.nowMs += 1000;
  };
  const amounts = { '2026-01': 400, '2026-02': 250.5 };
  const lines = ['A', 'B'].map((code) => {
    return { code, name: `Line ${code}`, accountCodes: [code], budget: amounts };
  });
  shop.import({ ...YEAR, funder: { name: 'Lottery' }, codes: ['YW'], budgetLines: lines });
  later();
  const texts = (at: number) => ({ contact: ['Ann', 'Bob'][at], accountCode: ['A', 'B'][at] });
  shop.push(rows(4, (at) => ({ externalId: `INV-${at + 1}`, ...texts(at), amount: 100 - 6 * at })));
  later();
  shop.push([row({ description: 'From a file', memo: { lines: [1, 2] } })], { provider: 'csv' });
  later();
  shop.allocate(1, [
    [1, 4000],
    [2, 6000],
  ]);
  later();
  shop.allocate(4, [[1, 2500]]);
  later();
  const reason = 'A copy';
  excludeTransaction(shop, { transactionId: 3, reason }, shop.actor());
  later();
  shop.push([row({ ...texts(0), amount: 120 })]);
  later();
  const shares = [{ budgetLineId: 2, weight: null }];
  const rule = { name: 'Bob', isOn: true, from: null, until: null, shares };
  const rules = [{ ...rule, conditions: { contact: { is: 'Bob' } } }];
  changeRules(shop, { automatic: true, byAccountCode: false, rules }, shop.actor());
  later();
  takeRulings(shop, { known: new KnownRules(), limit: 10 }, shop.actor());
  later();
  shop.allocate(5, []);
  later();
  const theirs = shop.addOrganisation('JPY', 'Theirs');
  later();
  shop.pushOne({}, theirs);
  for (const name of ['Bank', 'Books']) {
    later();
    storeNewKey(shop, { name, scopes: ['reports:read'], expiresAtMs: null }, shop.actor());
  }
  later();
  storeRevocation(shop, 2, shop.actor());
  later();
  const ann = { email: 'ann@example.org', name: 'Ann', role: 'owner', password: 'scrypt' } as const;
  const { user } = addUser(shop, ann, shop.actor());
  createLink({ db }, user.id, shop.actor());
  const codes = [Buffer.alloc(32)];
  const sealed = { secret: Buffer.alloc(24), step: 1 };
  setSecondFactor({ db }, { userId: user.id, sealed, codes }, shop.actor());
  later();
  createSession({ db }, { userId: user.id, agent: 'Browser' }, shop.nowMs);
  const invitation = db.prepare('insert into invitations values (?, ?, ?, ?, ?, ?, ?, ?)');
  const bob = ['bob@example.org', 'Bob@example.org', null, 'member'];
  invitation.run(org.id, ...bob, user.id, Buffer.alloc(32, 2), shop.nowMs);
  later();
  const project = 'prj_0000000001';
  issueStatement(shop, project, { to: '2026-01', withoutReasons: true }, shop.actor());
  later();
  withdrawStatement(shop, project, { number: 1, reason: 'Too early' }, shop.actor());
  const scope = { projects: [], startDate: null, earlier: [] };
  StatementStage.begin(shop, 1, { scope, sinceMs: shop.nowMs });
  const mapping = db.prepare('insert into csv_mappings values (?, ?, ?, ?)');
  mapping.run(org.id, Buffer.alloc(32, 1), '{}', shop.nowMs);
}

/** A value as SQL, in pieces that fit into a line. */
function literal(value: unknown): string {
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  if (typeof value !== 'string') return String(value);
  const pieces = value.match(/.{1,80}/gs) ?? [''];
  return pieces.map((piece) => `'${piece.replaceAll("'", "''")}'`).join('\n   || ');
}

/** Texts with commas between them, in lines of at most 100 characters. */
function list(texts: readonly string[]): string {
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines.at(-1)?.split('\n').at(-1);
    if (last === undefined || last.length + text.length > 94 || text.includes('\n')) {
      lines.push(text);
    } else lines.push(`${lines.pop()}, ${text}`);
  }
  return lines.join(',\n  ');
}

function textOf({ db }: Workshop): string {
  const schema = db
    .prepare<[], { type: string; name: string; sql: string }>(
      `select type, name, sql from sqlite_schema
        where sql is not null and name not like 'sqlite_%' order by rowid`,
    )
    .all();
  const tables = schema.filter(({ type }) => type === 'table');
  const records = tables.flatMap(({ name }) => {
    const columns = db.prepare<[], string>(`select name from pragma_table_info('${name}')`);
    const names = columns.pluck().all();
    const found = db
      .prepare<[], unknown[]>(`select ${names.join(', ')} from ${name}`)
      .raw()
      .all();
    return found.map((values) => {
      return `insert into ${name}\n  (${list(names)}) values\n  (${list(values.map(literal))});\n`;
    });
  });
  const sql = (objects: typeof schema) => objects.map((each) => `${each.sql};\n`);
  const rest = schema.filter(({ type }) => type !== 'table');
  return [HEADER, '\n', ...sql(tables), ...records, ...sql(rest)].join('');
}

const shop = new Workshop();
fill(shop);
shop.check();
writeFileSync(`${ROOT}test/store/fixtures/version-${SCHEMA_VERSION}.sql`, textOf(shop));
