import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { STATEMENT_TEXTS } from '../../src/database/statements.ts';
import { pageOfAllocations } from '../../src/store/allocations.ts';
import { listAuditPage } from '../../src/store/audit.ts';
import { type LineFilters, listLineChoices } from '../../src/store/line-list.ts';
import { pageOfProjects } from '../../src/store/projects.ts';
import type { TransactionFilters } from '../../src/store/transaction-walks.ts';
import { pageOfTransactions } from '../../src/store/transactions.ts';
import '../../src/operations/links.ts';
import '../../src/service.ts';
import { rows, Workshop } from './workshop.ts';

/** Tables that grow with use. Organisations are few, and json_each reads only the batch. */
const GROWING =
  'transactions allocations actuals reviews audit_log budget_amounts budget_lines projects'
    .concat(
      ' budget_line_account_codes api_keys memberships one_time_links rules rule_shares left_alone',
    )
    .split(' ');

const shop = new Workshop();
const DAYS = { startDate: '2026-01-01', endDate: '2026-12-31' };
for (const name of ['A', 'B'])
  shop.import({ ...DAYS, name, parentProject: name < 'B' ? null : 'A' });

describe('the plans of fixed statements', () => {
  it('every module with statements is loaded', () => {
    const isIn = (table: string) => STATEMENT_TEXTS.some((text) => text.includes(table));
    assert.deepEqual(GROWING.filter(isIn), GROWING);
  });

  for (const text of STATEMENT_TEXTS) {
    it(`no full scan: ${text.replaceAll(/\s+/g, ' ').slice(0, 90)}`, () => {
      assert.deepEqual(scansOf(text), []);
    });
  }
});

describe('the statements that read a whole table of one organisation', () => {
  it('only read keys, users, invitations, totals, rules, codes, statements, projects', () => {
    const whole = STATEMENT_TEXTS.filter((text) => {
      return planOf(text).some((step) => step.endsWith('(organisation_id=?)'));
    });
    const tables = whole.map(
      (text) => /from (\w+) (?:[im] |s indexed[\s\S]*?)?(?:join .*)?\s*where/.exec(text)?.[1],
    );
    assert.deepEqual(tables.sort(), [
      ...Array(3).fill('api_keys'),
      ...['budget_line_account_codes', 'budget_lines', 'invitations'],
      ...Array(2).fill('memberships'),
      ...Array(6).fill('projects'),
      ...Array(2).fill('rules'),
      ...['statements', 'statements', 'transaction_totals'],
    ]);
  });
});

describe('the plans of triggers', () => {
  const triggers = shop.db
    .prepare<[], { name: string; sql: string }>(
      `select name, sql from sqlite_master where type = 'trigger'`,
    )
    .all();
  for (const { name, sql } of triggers) {
    it(`no full scan: ${name}`, () => {
      const body = sql.slice(sql.lastIndexOf('begin') + 'begin'.length, sql.lastIndexOf('end'));
      for (const part of body.split(';')) {
        // Columns of old and new are constants to the planner, like any number.
        const text = part.replaceAll(/\b(old|new)\.\w+( is not null)?/g, '1').trim();
        if (text !== '' && !text.includes('raise')) assert.deepEqual(scansOf(text), []);
      }
    });
  }
});

describe('the plans of pages', () => {
  const filters: Required<TransactionFilters> = {
    ids: [1, 2],
    from: '2026-01-01',
    to: '2026-01-31',
    statuses: ['needs_review'],
    isAllocatable: true,
    isCleared: true,
    provider: 'api',
    externalId: 'INV-1',
    accountCode: 'A',
    contact: 'Ann',
    reference: 'R',
    bankAccount: 'B',
    projectCode: 'P',
    ...{ externalIdPrefix: 'INV', accountCodePrefix: 'A' },
    isRecoded: true,
    projectId: 1,
    branchId: 1,
    budgetLineId: 1,
    ...{ category: 'Premises', rule: 'Rent', isWithin: true, sizes: [1, 2] },
    outside: ['2026-01-01', '2026-01-31'],
    updatedSinceMs: 1,
    ...{ search: 'rent', words: [{ text: '40', minors: [4000] }], fixedPart: 'a', isIn: true },
    ...{ contactText: { is: 'ann' }, descriptionText: { contains: 'rent' } },
  };
  const ends = { date: { sort: -20260101, id: 1 }, updatedAt: { sort: 1, id: 1 } } as const;
  for (const order of ['date', 'updatedAt'] as const) {
    for (const name of [undefined, ...(Object.keys(filters) as (keyof TransactionFilters)[])]) {
      it(`no full scan: transactions by ${order}, filter ${name ?? 'none'}`, () => {
        for (const after of [undefined, ends[order]]) {
          const given = name === undefined ? {} : { [name]: filters[name] };
          const page = { filters: given, order, after, limit: 1 };
          const texts = listen(() => pageOfTransactions(shop, page));
          assert.ok(texts.length > 0);
          // Few transactions match an id, an externalId or a recent change: they are sorted.
          const isRecent = name === 'updatedSinceMs' && order === 'date';
          const isShort = name === 'ids' || name === 'externalId' || isRecent;
          for (const text of texts) {
            assert.deepEqual(scansOf(text), []);
            assert.doesNotMatch(text, /limit [?@]/, 'SQLite would compile it for every value');
            const sorts = planOf(text).some((step) => step.includes('TEMP B-TREE'));
            // A search by id already returns them in id order if the sort key is fixed.
            const isInOrder = name === 'ids' && text.includes('= @afterSort');
            assert.equal(sorts, isShort && !isInOrder && text.includes('order by'), text);
          }
        }
      });
    }
  }

  it('filters in date order are answered inside one index; the table is read for matches', () => {
    const all = {
      statuses: ['allocated'],
      provider: 'csv',
      accountCode: 'A',
      contact: 'Ann',
    } as const;
    const aside = { ...all, statuses: ['excluded', 'needs_review'] } as const;
    for (const [filters, index] of [
      [all, 'transactions_by_date'],
      [aside, 'transactions_set_aside'],
    ] as const) {
      const fresh = new Workshop();
      const page = { filters, order: 'date', limit: 1 } as const;
      const texts = listen(() => pageOfTransactions(fresh, page), fresh);
      assert.equal(texts.length, 2);
      for (const text of texts) {
        assert.match(planOf(text).join(), new RegExp(`INDEX ${index} `));
        const filter = text.replace(/^select .*? from/, 'select t.newest_first, t.id_copy from');
        const tables = programOf(text).filter(({ opcode }) => opcode === 'OpenRead');
        const [table] = tables.map(({ p1 }) => p1);
        const read = programOf(filter).filter(
          ({ opcode, p1 }) => opcode === 'Column' && p1 === table,
        );
        assert.deepEqual(read, [], text);
      }
    }
  });

  it('a cursor seeks in the index: its sort key with the id, then the following keys', () => {
    const cases: [filters: TransactionFilters, order: 'date' | 'updatedAt'][] = [
      [{}, 'date'],
      [{ to: '2026-01-31' }, 'date'],
      [{ statuses: ['unallocated'] }, 'date'],
      [{ statuses: ['excluded'] }, 'date'],
      [{ accountCode: 'A' }, 'date'],
      [{ projectId: 1 }, 'date'],
      [{}, 'updatedAt'],
      [{ updatedSinceMs: 1 }, 'updatedAt'],
    ];
    for (const [each, order] of cases) {
      const fresh = new Workshop();
      const page = { filters: each, order, after: ends[order], limit: 1 };
      assertSought(listen(() => pageOfTransactions(fresh, page), fresh));
    }
    for (const each of [{}, { to: '2026-01-31' }, { budgetLineId: 1 }]) {
      const fresh = new Workshop();
      const page = { projectId: 1, after: ends.date, limit: 1, ...each };
      assertSought(listen(() => pageOfAllocations(fresh, page), fresh));
    }
    for (const each of [{}, { parentProjectId: 1 }]) {
      const fresh = new Workshop();
      const page = { after: { sort: 'x', id: 1 }, limit: 1, ...each };
      assertSought(listen(() => pageOfProjects(fresh, page), fresh));
    }
  });

  it('the position where a page stops also seeks in the index', () => {
    const fresh = new Workshop();
    // Reads 16 records, then 128 of the same date, then more of both dates.
    for (let batch = 0; batch < 3; batch += 1) {
      const dateOf = (index: number) => (batch === 0 && index < 200 ? '2026-01-02' : '2026-01-01');
      fresh.push(rows(500, (at) => ({ externalId: `${batch}/${at}`, date: dateOf(at) })));
    }
    const page = { filters: { provider: 'csv' }, order: 'date', limit: 1 } as const;
    const texts = listen(() => pageOfTransactions(fresh, page), fresh);
    const conditions = [/= @afterSort.*<= @endId/, /> @afterSort.*< @endSort/, /= @endSort/];
    for (const condition of conditions) assert.ok(texts.some((text) => condition.test(text)));
    assertSought(texts);
  });

  it('common filters seek in an index that is already sorted', () => {
    const plans: [filters: TransactionFilters, plan: RegExp][] = [
      [{}, /INDEX transactions_by_date \(organisation_id=\?\)/],
      [{ statuses: ['needs_review'] }, /INDEX transactions_set_aside \(organisation_id=\?\)/],
      [{ externalId: 'INV-1' }, /organisation_id=\? AND external_id=\? AND provider=\?/],
      [{ externalId: 'INV-1', provider: 'api' }, /external_id=\? AND provider=\?/],
      [{ ids: [1], accountCode: 'A' }, /SEARCH t USING INTEGER PRIMARY KEY/],
      [{ accountCode: 'A', from: '2026-01-01' }, /_by_date \(organisation_id=\? AND newest_first</],
    ];
    const fresh = new Workshop();
    for (const [each, wanted] of plans) {
      const page = { filters: each, order: 'date', limit: 1 } as const;
      const [text = ''] = listen(() => pageOfTransactions(fresh, page), fresh);
      assert.match(planOf(text).join('\n'), wanted);
    }
  });

  it('each filter of allocations and projects seeks in its own index', () => {
    const allocations: [page: object, index: RegExp][] = [
      [{}, /INDEX allocations_by_project /],
      [{ budgetLineId: 1 }, /INDEX allocations_by_line /],
      [{ transactionId: 1 }, /INDEX allocations_by_transaction /],
    ];
    const fresh = new Workshop();
    for (const [page, index] of allocations) {
      const whole = { projectId: 1, limit: 1, ...page };
      const texts = listen(() => pageOfAllocations(fresh, whole), fresh);
      assert.match(planOf(texts.at(-1) ?? '').join(), index);
    }
    const projects: [page: object, index: RegExp][] = [
      [{}, /INDEX projects_by_name /],
      [{ parentProjectId: 1 }, /INDEX projects_by_parent /],
    ];
    for (const [page, index] of projects) {
      const read = () => pageOfProjects(fresh, { limit: 1, ...page });
      assert.match(planOf(listen(read, fresh).at(-1) ?? '').join(), index);
    }
  });

  it('no full scan: allocations and projects, with and without each filter', () => {
    const pages = [{}, { from: '2026-01-01' }, { to: '2026-01-31' }];
    for (const page of [...pages, { budgetLineId: 1 }, { transactionId: 1 }]) {
      for (const after of [undefined, { sort: -20260101, id: 1 }]) {
        const whole = { projectId: 1, limit: 1, after, ...page };
        for (const text of listen(() => pageOfAllocations(shop, whole))) {
          assert.deepEqual(scansOf(text), []);
          assert.ok(!planOf(text).some((step) => step.includes('TEMP B-TREE')), text);
        }
      }
    }
    for (const page of [{}, { parentProjectId: 1 }, { updatedSinceMs: 1 }]) {
      for (const after of [undefined, { sort: 'x', id: 1 }]) {
        for (const text of listen(() => pageOfProjects(shop, { limit: 1, after, ...page }))) {
          assert.deepEqual(scansOf(text), []);
          assert.ok(!planOf(text).some((step) => step.includes('TEMP B-TREE')), text);
        }
      }
    }
  });
});

describe('the plans of the audit log and of budget lines', () => {
  const end = { sort: 1, id: 1 };
  const entries: [page: Omit<Parameters<typeof listAuditPage>[1], 'limit'>, plan: RegExp][] = [
    [{ filters: {} }, /INDEX audit_log_by_time \(organisation_id=\?/],
    [{ filters: { actor: 'Ann' } }, /INDEX audit_log_by_time \(organisation_id=\?/],
    [{ filters: { actions: ['plan.changed'] } }, /INDEX audit_log_by_time/],
    [{ filters: { sinceMs: 1 } }, /audit_log_by_time \(organisation_id=\? AND at/],
    [{ filters: { beforeMs: 1 } }, /audit_log_by_time \(organisation_id=\? AND at/],
    [{ filters: {}, subject: 'x' }, /audit_log_by_subject \(organisation_id=\? AND subject=\?/],
  ];
  for (const [page, wanted] of entries) {
    it(`a page of the log in its order: ${JSON.stringify(page)}`, () => {
      for (const after of [undefined, end]) {
        const read = (fresh: Workshop) => {
          return listAuditPage(fresh, { ...page, after, limit: 1 });
        };
        assertWalked(read, wanted, after === undefined ? /./ : /at<\?\)|at=\? AND rowid<\?\)/);
      }
    });
  }

  const lines: [filters: LineFilters, plan: RegExp, cursor: RegExp][] = [
    [{}, /budget_lines_2 \(organisation_id=\?/, /project_id=\? AND id>\?|project_id>\?/],
    [{ projectId: 1 }, /budget_lines_2 \(organisation_id=\? AND project_id=\?/, /./],
    [{ search: 'x' }, /budget_lines_2 \(organisation_id=\?/, /project_id=\? AND id>\?|project_id>/],
    [{ date: '2026-01-31' }, /budget_lines_2 \(organisation_id=\?/, /project_id/],
    [{ code: 'A' }, /budget_lines_1 \(organisation_id=\? AND project_id=\? AND code=\?/, /./],
    [{ accountCode: 'A' }, /account_codes_by_code \(organisation_id=\? AND account_code=\?/, /./],
  ];
  for (const [filters, wanted, cursor] of lines) {
    it(`a page of lines in its order: ${JSON.stringify(filters)}`, () => {
      for (const after of [undefined, end]) {
        const read = (fresh: Workshop) => {
          return listLineChoices(fresh, { filters, after, limit: 1 });
        };
        assertWalked(read, wanted, after === undefined ? /./ : cursor);
      }
    });
  }

  it('lines are found by their numbers, and these alone are sorted', () => {
    const fresh = new Workshop();
    const read = () => listLineChoices(fresh, { filters: { ids: [1] }, limit: 1 });
    for (const text of listen(read, fresh)) {
      assert.match(planOf(text).join(), /SEARCH l USING INTEGER PRIMARY KEY/, text);
      assert.deepEqual(scansOf(text), []);
    }
  });

  it("a transaction's allocations in all projects", () => {
    const read = (fresh: Workshop) => {
      return pageOfAllocations(fresh, { transactionId: 1, limit: 1 });
    };
    assertWalked(
      read,
      /allocations_by_transaction \(organisation_id=\? AND transaction_id=\?/,
      /./,
    );
  });
});

/** Asserts that a list reads an index in its order: no scan of a table, no sorting. */
function assertWalked(read: (fresh: Workshop) => unknown, wanted: RegExp, cursor: RegExp): void {
  const fresh = new Workshop();
  const texts = listen(() => read(fresh), fresh).filter((text) => text.startsWith('select '));
  assert.notEqual(texts.length, 0);
  for (const text of texts) {
    if (STATEMENT_TEXTS.includes(text)) continue;
    const plan = planOf(text).join('\n');
    assert.deepEqual(scansOf(text), []);
    assert.doesNotMatch(plan, /TEMP B-TREE/, text);
    assert.match(plan, wanted, text);
    assert.match(plan, cursor, text);
  }
}

/** Asserts that each cursor seeks a range of the index, not all records with its sort key. */
function assertSought(texts: readonly string[]): void {
  const column = '(?:newest_first|updated_at|name)';
  const id = '(?:rowid|id_copy|transaction_id)';
  const plans: [condition: RegExp, plan: RegExp][] = [
    [/ = @afterSort.*<= @endId/, new RegExp(`${column}=\\? AND ${id}>\\? AND ${id}<\\?\\)`)],
    [/ = @afterSort/, new RegExp(`${column}=\\? AND ${id}>\\?`)],
    [/ > @afterSort/, new RegExp(`${column}>\\?`)],
    [/ = @endSort/, new RegExp(`${column}=\\? AND ${id}<\\?`)],
    [/ < @endSort/, new RegExp(`${column}<\\?`)],
  ];
  const cursors = texts.filter((text) => /@(?:after|end)Sort/.test(text));
  assert.notEqual(cursors.length, 0);
  for (const text of cursors) {
    const plan = planOf(text).join('\n');
    for (const [condition, wanted] of plans) {
      if (condition.test(text)) assert.match(plan, wanted, text);
    }
  }
}

/** The steps of a plan that scan a whole growing table. */
function scansOf(text: string): string[] {
  const aliases = [...text.matchAll(/\b(?:from|join|update)\s+(\w+)(?:\s+(?:as\s+)?(\w+))?/g)];
  const names = new Set(GROWING);
  for (const [, table = '', alias = ''] of aliases) {
    if (GROWING.includes(table) && alias !== '') names.add(alias);
  }
  return planOf(text).filter((step) => {
    return names.has(/^SCAN (\w+)/.exec(step)?.[1] ?? '');
  });
}

function planOf(text: string): string[] {
  const plan = shop.db.prepare<unknown[], { detail: string }>(`explain query plan ${text}`);
  const names = [...text.matchAll(/@(\w+)/g)].map(([, name]) => name);
  const values =
    names.length > 0
      ? [Object.fromEntries(names.map((name) => [name, 1]))]
      : [...text.matchAll(/\?/g)].map(() => 1);
  return plan.all(...values).map(({ detail }) => detail);
}

/** The steps of the program that SQLite makes of a statement. */
function programOf(text: string): { opcode: string; p1: number }[] {
  const names = [...text.matchAll(/@(\w+)/g)].map(([, name]) => [name, 1]);
  const program = shop.db.prepare<unknown[], { opcode: string; p1: number }>(`explain ${text}`);
  return program.all(Object.fromEntries(names));
}

/** The texts prepared while a page is read. Each database prepares a text only once. */
function listen(read: () => unknown, { db } = shop): string[] {
  const texts: string[] = [];
  const prepare = db.prepare;
  db.prepare = ((text: string) => {
    texts.push(text);
    return prepare.call(db, text);
  }) as typeof prepare;
  try {
    read();
  } finally {
    db.prepare = prepare;
  }
  return texts;
}
