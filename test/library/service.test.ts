import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createService, type Service } from '../../src/index.ts';
import { folderFor, refusal } from '../store/workshop.ts';
import { FOUNDED, importYear, openHouse, pushOne } from './house.ts';

describe('contract 10: the service as a value', () => {
  it('10 the example of the contract works', async () => {
    const service = await createService({
      database: ':memory:',
      clock: () => new Date('2026-01-31T12:00:00Z'),
    });
    const org = service.organisations.create({ name: 'Test', baseCurrency: 'GBP' });
    const { key } = service.keys.create(org.id, { name: 'erp', scopes: ['transactions:write'] });
    assert.match(key, /^bdg_live_[0-9a-f]{48}$/);
    const { url, port } = await service.listen({ port: 0 });
    assert.equal(url, `http://127.0.0.1:${port}`);
    await assert.rejects(service.listen({ port: 0 }), refusal('conflict'));
    await service.close();
    await service.close();
    await assert.rejects(service.listen({ port: 0 }), refusal('conflict'));
    await assert.rejects(fetch(`${url}/healthz`));
  });

  it('10 after close every call is refused with conflict, whatever its arguments', async () => {
    const house = await openHouse(undefined);
    const { projectId, a } = importYear(house);
    const id = pushOne(house);
    const { service, org } = house;
    const key = service.keys.create(org, { name: 'k', scopes: ['projects:read'] });
    const calls: Record<string, () => unknown> = {
      'organisations.create': () => service.organisations.create({ name: '', baseCurrency: 'x' }),
      'organisations.list': () => service.organisations.list(),
      'organisations.setPlan': () => service.organisations.setPlan(org, 'free'),
      'organisations.setTimeZone': () => service.organisations.setTimeZone(org, 'UTC'),
      'keys.create': () => service.keys.create(org, { name: 'k', scopes: [] }),
      'keys.list': () => service.keys.list(org),
      'keys.revoke': () => service.keys.revoke(org, key.id),
      'projects.import': () => service.projects.import(org, 7),
      'projects.list': () => service.projects.list(org, { limit: 0 }),
      'projects.get': () => service.projects.get(org, projectId),
      'projects.report': () => service.projects.report(org, projectId, { x: 1 }),
      'projects.allocations': () => service.projects.allocations(org, projectId, { x: 1 }),
      'transactions.list': () => service.transactions.list(org, { limit: 0 }),
      'transactions.get': () => service.transactions.get(org, id),
      'transactions.push': () => service.transactions.push(org, [], { x: 1 }),
      'transactions.import': () => service.transactions.import(org, [], { x: 1 }),
      'transactions.allocate': () => service.transactions.allocate(org, id, [{ budgetLineId: a }]),
      'transactions.allocateByAccountCode': () => service.transactions.allocateByAccountCode(org),
      'transactions.exclude': () => service.transactions.exclude(org, id, ''),
      'transactions.restore': () => service.transactions.restore(org, id),
      'transactions.review': () => service.transactions.review(org, id, 'keep'),
      'transactions.settleAll': () => service.transactions.settleAll(org, 'keep'),
      'rules.list': () => service.rules.list(org),
      'rules.import': () => service.rules.import(org, []),
      'rules.run': () => service.rules.run(org, { until: 'x' }),
      'rules.automatic': () => service.rules.automatic(org, true),
      'statements.list': () => service.statements.list(org, projectId),
      'statements.show': () => service.statements.show(org, projectId, { number: 9 }),
      'statements.issue': () => service.statements.issue(org, projectId, { to: 'x' }),
      'statements.xlsx': () => service.statements.xlsx(org, projectId),
      'statements.withdraw': () => service.statements.withdraw(org, id, 1, { reason: '' }),
      'audit.list': () => service.audit.list(org, 'x'),
    };
    const named = Object.entries(service).flatMap(([noun, verbs]) => {
      return Object.keys(verbs).map((verb) => `${noun}.${verb}`);
    });
    assert.deepEqual(Object.keys(calls).sort(), named.sort(), 'every call is tested');
    const closed = service.close();
    for (const after of ['at once', 'after it has finished']) {
      for (const [name, call] of [
        ...Object.entries(calls),
        ['check', () => service.check()],
      ] as const) {
        const closing = refusal('conflict', /closed/);
        await assert.rejects(async () => call(), closing, `${name} ${after}`);
      }
      await assert.rejects(service.listen({ port: 0 }), refusal('conflict', /closed/));
      await closed;
    }
  });

  it('10 after close every method of everything in a service refuses with conflict', async () => {
    const service = await createService({ database: ':memory:', recordRequests: true });
    const { audit, faults, keys, organisations, projects, requests } = service;
    const { rules, statements, transactions } = service;
    const others = { rules, statements, transactions };
    const nouns = { audit, faults, keys, organisations, projects, requests, ...others };
    assert.deepEqual(Object.keys(service).sort(), Object.keys(nouns).sort());
    const closed = service.close();
    const own = new Set(['close', 'guard', 'add', 'isOn']);
    const calls = Object.entries({ service, ...nouns }).flatMap(([noun, value]) =>
      membersOf(value)
        .filter(([name]) => !own.has(name))
        .map(([name, call]) => [`${noun}.${name}`, call] as const),
    );
    assert.ok(calls.length > 30, `${calls.length} calls`);
    for (const after of ['at once', 'after it has finished']) {
      for (const [name, call] of calls) {
        await assert.rejects(async () => call(), refusal('conflict', /closed/), `${name} ${after}`);
      }
      await closed;
    }
  });

  it('10 a service is an AsyncDisposable: await using closes it', async () => {
    const disposable: AsyncDisposable = await createService({ database: ':memory:' });
    await disposable[Symbol.asyncDispose]();
    let left: Service | undefined;
    {
      await using service = await createService({ database: ':memory:' });
      service.organisations.list();
      left = service;
    }
    assert.throws(() => left?.organisations.list(), refusal('conflict'));
    await left.close();
  });

  it('10 one process can have several services with separate data', async (t) => {
    const [one, two] = [await openHouse(t), await openHouse(t)];
    pushOne(one);
    assert.equal(one.service.transactions.list(one.org).data.length, 1);
    assert.equal(two.service.transactions.list(two.org).data.length, 0);
  });

  it('10 after close only the database file is left', async (t) => {
    const folder = folderFor(t);
    const database = join(folder, 'budgetd.db');
    const house = await openHouse(undefined, { database, create: true });
    pushOne(house);
    await house.service.close();
    assert.deepEqual(readdirSync(folder), ['budgetd.db']);
    const again = await createService({ database });
    assert.equal(again.transactions.list(house.org).data.length, 1);
    await again.close();
  });

  it('10 an exclusive service shares its file with services that are not exclusive', async (t) => {
    const database = join(folderFor(t), 'budgetd.db');
    const first = await createService({ database, create: true, exclusive: true });
    const beside = await createService({ database });
    await assert.rejects(
      createService({ database, exclusive: true }),
      refusal('conflict', /already/),
    );
    beside.organisations.create({ name: 'Test', baseCurrency: 'GBP' });
    assert.equal(first.organisations.list().length, 1);
    await beside.close();
    await first.close();
    await (await createService({ database, exclusive: true })).close();
    await (await createService({ database: ':memory:', exclusive: true })).close();
  });

  it('8 a missing file is refused, and not created', async (t) => {
    const database = join(folderFor(t), 'none.db');
    await assert.rejects(createService({ database }), refusal('invalid_input', /does not exist/));
    assert.equal(existsSync(database), false);
  });

  it('8 check lists every rule it checked', async (t) => {
    const house = await openHouse(t);
    const { a } = importYear(house);
    house.service.transactions.allocate(house.org, pushOne(house), [{ budgetLineId: a }]);
    const heard: string[] = [];
    const results = house.service.check(({ name }) => heard.push(name));
    assert.deepEqual(
      heard,
      results.map(({ name }) => name),
    );
    assert.ok(results.length >= 5);
    for (const { ok, found, examples } of results)
      assert.deepEqual([ok, found, examples], [true, 0, []]);
  });

  it('5 the audit log names the actor: library, or the one that the program sets', async (t) => {
    const [plain, named] = [await openHouse(t), await openHouse(t, { actor: 'command line' })];
    const [entry] = plain.service.audit.list(plain.org);
    const after = { name: 'Test', baseCurrency: 'GBP', plan: 'professional', timeZone: 'UTC' };
    assert.deepEqual(entry, {
      at: FOUNDED,
      actor: 'library',
      action: 'organisation.created',
      subject: plain.org,
      requestId: null,
      details: { changes: [{ subject: plain.org, before: null, after }] },
    });
    assert.equal(named.service.audit.list(named.org)[0]?.actor, 'command line');
  });
});

describe('organisations', () => {
  it('1 a new organisation is professional, and its plan can be changed', async (t) => {
    const { service, org } = await openHouse(t);
    const shown = {
      id: org,
      name: 'Test',
      baseCurrency: 'GBP',
      timeZone: 'UTC',
      letterhead: '',
      createdAt: FOUNDED,
    };
    assert.deepEqual(service.organisations.list(), [{ ...shown, plan: 'professional' }]);
    const changed = service.organisations.setPlan(org, 'free');
    assert.deepEqual(changed, { ...shown, plan: 'free' });
    assert.deepEqual(service.organisations.list(), [changed]);
    const second = { name: ' Second ', baseCurrency: 'JPY', plan: 'starter' } as const;
    const { name, plan, baseCurrency } = service.organisations.create(second);
    assert.deepEqual([name, plan, baseCurrency], ['Second', 'starter', 'JPY']);
  });

  it('12 times are shown in UTC or in the time zone of the organisation', async (t) => {
    const { service, org } = await openHouse(t);
    const draft = { name: 'Second', baseCurrency: 'JPY', timeZone: 'Asia/Tokyo' };
    assert.equal(service.organisations.create(draft).timeZone, 'Asia/Tokyo');
    assert.equal(service.organisations.setTimeZone(org, 'Europe/London').timeZone, 'Europe/London');
    const zones = service.organisations.list().map(({ timeZone }) => timeZone);
    assert.deepEqual(zones, ['Europe/London', 'Asia/Tokyo']);
    const wrong = () => service.organisations.setTimeZone(org, 'London');
    assert.throws(wrong, refusal('invalid_input', /"London" is not a time zone.*Europe\/London/));
  });

  it('8 onlyFirst refuses to add an organisation to another one', async (t) => {
    const { service, org } = await openHouse(t);
    const draft = { name: 'Second', baseCurrency: 'JPY', onlyFirst: true };
    const message = `The database already has Test (${org}, GBP).`;
    assert.throws(() => service.organisations.create(draft), { code: 'conflict', message });
    assert.equal(service.organisations.list().length, 1);
    const empty = await createService({ database: ':memory:' });
    t.after(() => empty.close());
    assert.equal(empty.organisations.create(draft).name, 'Second');
  });

  const wrong: [
    why: string,
    draft: { name: string; baseCurrency: string; plan?: never; timeZone?: string },
  ][] = [
    ['an unknown currency', { name: 'x', baseCurrency: 'ABC' }],
    ['a currency in lower case', { name: 'x', baseCurrency: 'gbp' }],
    ['a blank name', { name: '  ', baseCurrency: 'GBP' }],
    ['a name that is too long', { name: 'x'.repeat(256), baseCurrency: 'GBP' }],
    ['a control character', { name: 'a\nb', baseCurrency: 'GBP' }],
    ['an unknown time zone', { name: 'x', baseCurrency: 'GBP', timeZone: 'Mars/Olympus' }],
    ['an unknown plan', { name: 'x', baseCurrency: 'GBP', plan: 'gold' as never }],
  ];
  for (const [why, draft] of wrong) {
    it(`8 refused: ${why}`, async (t) => {
      const { service } = await openHouse(t);
      assert.throws(() => service.organisations.create(draft), refusal('invalid_input'));
      assert.equal(service.organisations.list().length, 1);
    });
  }

  it('8 an unknown plan or organisation is refused', async (t) => {
    const { service, org } = await openHouse(t);
    const gold = () => service.organisations.setPlan(org, 'gold' as never);
    assert.throws(gold, refusal('invalid_input', /free, starter, professional, enterprise/));
    for (const id of ['org_0000000099', 'nonsense', '', org.toUpperCase()]) {
      assert.throws(() => service.organisations.setPlan(id, 'free'), refusal('not_found'));
      assert.throws(() => service.transactions.list(id), refusal('not_found'));
    }
  });
});

describe('reading the audit log', () => {
  it('8 starts at a date (UTC) or a date-time; anything else is refused', async (t) => {
    const { service, org, clock } = await openHouse(t);
    clock.nowMs = Date.parse('2026-02-01T00:00:00Z');
    service.organisations.setPlan(org, 'free');
    const count = (since?: string) => service.audit.list(org, since).length;
    assert.deepEqual(
      [count(), count('2026-01-31'), count('2026-02-01'), count('2026-02-02')],
      [2, 2, 1, 0],
    );
    assert.equal(count(FOUNDED), 2);
    assert.equal(count('2026-01-31T11:59:00.001Z'), 1);
    assert.equal(count('2026-02-01T01:00:00+01:00'), 1);
    for (const since of ['', 'yesterday', '2026-02-30', '2026-02-01T00:00:00']) {
      assert.throws(() => count(since), refusal('invalid_input'));
    }
  });
});

/** Every method and getter of an object, by its name, called without usable arguments. */
function membersOf(value: object): [name: string, call: () => unknown][] {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isClass = typeof prototype === 'object' && prototype !== Object.prototype;
  const named = Object.entries(Object.getOwnPropertyDescriptors(isClass ? prototype : value));
  return named.flatMap(([name, { get, value: method }]): [string, () => unknown][] => {
    if (get !== undefined) return [[name, () => get.call(value)]];
    if (typeof method !== 'function' || name === 'constructor') return [];
    return [[name, () => Reflect.apply(method, value, [{}, {}, {}])]];
  });
}
