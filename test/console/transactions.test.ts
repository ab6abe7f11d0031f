import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { importProjects } from '../../src/operations/projects.ts';
import {
  countTransactions,
  getTransaction,
  listTransactions,
  pushTransactions,
} from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { fieldsOf, openDesk, push, textOf } from './desk.ts';

const OLD = { name: 'Old', startDate: '2015-06-01', endDate: '2015-06-30', budgetLines: [] };

describe('the page of the transactions', () => {
  it('filters by its address, and shows text as text', async (test) => {
    const { browser } = await openDesk(test);
    const { text } = await browser.get('/transactions');
    assert.match(text, /&lt;b&gt;Dan/);
    assert.match(text, /<b>4<\/b> transactions/);
    const filtered = await browser.get('/transactions?q=ann&from=2026-01-01&to=2026-01-31');
    assert.match(filtered.text, /<b>1<\/b> transaction</);
    assert.match(filtered.text, /Remove <\/span>Text: <bdi>ann/);
    const wrong = await browser.get('/transactions?from=2026-02-30&provider=x&tab=y');
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /There is a problem/);
    const nothing = await browser.get('/transactions?q=ann&accountCode=9');
    assert.match(nothing.text, /No transaction matches all of these filters/);
    assert.match(nothing.text, /Without Text: /);
  });

  it('offers a transaction of amount 0 to nobody', async (test) => {
    const desk = await openDesk(test);
    const { browser, rows } = desk;
    push(desk, [{ ...rows[1], amount: 0 }]);
    const home = await browser.get('/');
    assert.match(home.text, /<h1>3 to allocate<\/h1>/);
    for (const path of ['/transactions', '/transactions?tab=open']) {
      const { text } = await browser.get(path);
      assert.match(text, /To allocate <span class="figure">3<\/span>/);
      assert.equal(text.includes(`id="${formatId('txn', 2)}"`), path === '/transactions');
    }
    const { text } = await browser.get(`/transactions?open=${formatId('txn', 2)}`);
    assert.match(text, /Its amount is 0, so there is nothing to allocate/);
    assert.doesNotMatch(text, /action="\/transactions\/allocate"/);
    fieldsOf(text, '/transactions/exclude');
  });

  it('allocates one, which can be undone, and refuses what has changed since', async (test) => {
    const { browser, access, ...office } = await openDesk(test);
    const id = formatId('txn', 1);
    const page = await browser.get(`/transactions?tab=open&open=${id}`);
    assert.match(page.text, /<optgroup label="Likely"><option value="bln_\w+">A Rent/);
    assert.match(page.text, /7500<\/code>, claimed by <bdi>A Rent<\/bdi> of <bdi>Youth work/);
    const hidden = fieldsOf(page.text, '/transactions/allocate');
    const line = formatId('bln', 1);
    const shares = [
      ['line', line],
      ['amount', '25%'],
      ['line', 'B'],
      ['amount', ''],
    ];
    const form = (more: string[][], fields = hidden) => [...Object.entries(fields), ...more];
    const saved = await browser.send('/transactions/allocate', form([...shares, ['do', 'next']]));
    assert.equal(saved.status, 303);
    assert.deepEqual(getTransaction(access, id).status, 'allocated');
    const next = await browser.get(saved.location ?? '');
    assert.match(next.text, /role="status"[^>]*><p>100\.00 of <bdi>Ann<\/bdi> allocated/);
    const undo = fieldsOf(next.text, '/undo');
    const undone = await browser.send('/undo', undo);
    assert.equal(undone.status, 303);
    assert.equal(getTransaction(access, id).status, 'unallocated');
    const stale = await browser.send(
      '/transactions/allocate',
      form([...shares, ['do', 'save']], { ...hidden, form: 'A'.repeat(16) }),
    );
    assert.equal(stale.status, 409);
    assert.match(stale.text, /the transaction has changed\. Below is the current version/);
    for (const [amounts, message] of [
      [['', ''], /href="#amount-1">Leave only one amount empty/],
      [['100', ''], /href="#amount-1">Nothing is left for this line/],
      [['60', '50'], /href="#amount-1">The lines add up to 110\.00, which is 10\.00 more/],
    ] as const) {
      const both = amounts.flatMap((amount, at) => [
        ['line', at === 0 ? line : 'B'],
        ['amount', amount],
      ]);
      const wrong = await browser.send('/transactions/allocate', form([...both, ['do', 'save']]));
      assert.match(wrong.text, message);
    }
    const press = (button: string) => {
      const both = [
        ['line', line],
        ['amount', '80'],
        ['line', 'B'],
        ['amount', '40%'],
      ];
      return browser.send('/transactions/allocate', form([...both, ['do', button]]));
    };
    const more = await press('add');
    assert.equal(more.status, 200);
    assert.match(more.text, /Too much by<\/th><td class="num"><b data-left class="over">20\.00</);
    const fewer = await press('remove-0');
    assert.match(fewer.text, /Left to allocate<\/th><td class="num"><b data-left>60\.00</);
    assert.doesNotMatch(fewer.text, /id="amount-1"/);
    for (const [amount, message] of [
      ['100.01', /which is 0\.01 more than 100\.00/],
      ['x', /&quot;x&quot; is not an amount/],
      ['101%', /The percentages are more than 100/],
    ] as const) {
      const wrong = await browser.send(
        '/transactions/allocate',
        form([
          ['line', line],
          ['amount', amount],
          ['do', 'save'],
        ]),
      );
      assert.equal(wrong.status, 422, amount);
      assert.match(wrong.text, message);
    }
    push(office, []);
  });

  it('overwrites nothing unseen after a fault, and keeps the place in the list', async (test) => {
    const { browser, access, service, ...office } = await openDesk(test);
    push(
      { service, ...office },
      Array.from({ length: 60 }, (_, at) => {
        return { externalId: `M${at}`, date: '2026-02-01', description: 'More', amount: 1 };
      }),
    );
    const list = await browser.get('/transactions?tab=open&line=bln_0000000009');
    assert.match(list.text, /type="hidden" name="line" value="bln_0000000009"/);
    const first = await browser.get('/transactions');
    const [, older = ''] = /href="([^"]*)" rel="next"/.exec(first.text) ?? [];
    const second = await browser.get(older.replaceAll('&amp;', '&'));
    const id = formatId('txn', 4);
    const link = new RegExp(`href="([^"]*open=${id}[^"]*)"`).exec(second.text)?.[1] ?? '';
    const panel = await browser.get(link.replaceAll('&amp;', '&'));
    assert.match(panel.text, /href="\/transactions\?cursor=[^"#]*#txn_\w+">Close</);
    assert.match(
      panel.text,
      new RegExp(`<tr[^>]*aria-current[^>]*id="${id}"|id="${id}"[^>]*aria-current`),
    );
    const path = '/transactions/allocate';
    const hidden = fieldsOf(panel.text, path);
    const allocations = [{ budgetLineId: formatId('bln', 2) }];
    allocate(access, { transactionId: id, allocations }, service.actor());
    const shares = { line: formatId('bln', 1), amount: 'abc', do: 'save' };
    const wrong = await browser.send(path, { ...hidden, ...shares });
    assert.equal(wrong.status, 422);
    const again = { ...fieldsOf(wrong.text, path), ...shares, amount: '50' };
    const refused = await browser.send(path, again);
    assert.equal(refused.status, 409);
    const saved = await browser.send(path, {
      ...fieldsOf(refused.text, path),
      ...shares,
      amount: '50',
    });
    assert.equal(saved.status, 303);
    assert.match(saved.location ?? '', /cursor=/);
    const none = await browser.send('/transactions/exclude', {
      ...fieldsOf(first.text, '/transactions/bulk'),
      id: formatId('txn', 5),
      seen: '1',
      filters: '',
      reason: 'x'.repeat(2001),
    });
    assert.match(none.text, /id="reason"[^>]*value="x{2001}"/);
  });

  it('changes the selected ones, or all of a filter after a look', async (test) => {
    const { browser, access, ...office } = await openDesk(test);
    const page = await browser.get('/transactions');
    const hidden = fieldsOf(page.text, '/transactions/bulk');
    const ids = [...page.text.matchAll(/name="id" value="([^"]*)"/g)].map(([, id = '']) => id);
    assert.equal(ids.length, 4);
    const send = (path: string, fields: string[][]) => browser.send(path, fields);
    const none = await send('/transactions/bulk', [...Object.entries(hidden), ['do', 'allocate']]);
    assert.equal(none.status, 422);
    assert.match(none.text, /Select some transactions/);
    const two = ids.slice(0, 2).map((id) => ['id', id]);
    const chosen = [...Object.entries(hidden), ['do', 'allocate'], ['line', formatId('bln', 2)]];
    const done = await send('/transactions/bulk', [...chosen, ...two]);
    assert.equal(done.status, 303);
    const after = await browser.get(done.location ?? '');
    assert.match(after.text, /2 transactions allocated to <bdi>B Heat<\/bdi>, 205\.00 in total/);
    const all = await send('/transactions/bulk', [
      ...chosen.filter(([name]) => name !== 'form'),
      ['scope', 'all'],
    ]);
    assert.match(all.location ?? '', /^\/transactions\/bulk\?/);
    const look = await browser.get(all.location ?? '');
    assert.match(look.text, /<b>2 transactions<\/b>, 201\.00 GBP in total: allocated/);
    assert.match(look.text, /<b>2 transactions<\/b>, 205\.00 GBP in total: they have allocations/);
    assert.match(look.text, />Replace their allocations with <bdi>B Heat<\/bdi></);
    const apply = fieldsOf(look.text, '/transactions/bulk/apply');
    push(office, [
      { externalId: 'NEW', date: '2026-01-09', description: 'Late', amount: 1, accountCode: '9' },
    ]);
    const refused = await send('/transactions/bulk/apply', Object.entries(apply));
    assert.equal(refused.status, 409);
    const again = fieldsOf(refused.text, '/transactions/bulk/apply');
    const applied = await send('/transactions/bulk/apply', Object.entries(again));
    assert.equal(applied.status, 303);
    const { items } = finish(listTransactions(access, { statuses: ['unallocated'] }));
    assert.equal(items.length, 0);
  });

  it('names and leaves what the project of the line does not contain', async (test) => {
    const desk = await openDesk(test);
    const { browser, access, service } = desk;
    importProjects(access, { ...OLD, budgetLines: [{ code: 'O', name: 'Old' }] }, service.actor());
    const dates = ['2015-06-30', '2015-07-01', '2014-12-31'];
    push(
      desk,
      dates.map((date) => ({ externalId: date, date, description: 'Rent', amount: 10 })),
    );
    const list = await browser.get('/transactions?q=rent');
    const ids = [...list.text.matchAll(/name="id" value="([^"]*)"/g)].map(([, id = '']) => id);
    const chosen = [
      ...ids,
      `${formatId('txn', 1)}.${getTransaction(access, formatId('txn', 1)).updatedAtMs}`,
    ];
    const bulk = Object.entries(fieldsOf(list.text, '/transactions/bulk'));
    const task = [
      ['do', 'allocate'],
      ['line', formatId('bln', 1)],
    ];
    const fields = [...bulk, ...task, ...chosen.map((id) => ['id', id])];
    const { location } = await browser.send('/transactions/bulk', fields);
    assert.match(location ?? '', /^\/transactions\/bulk\?/);
    const look = textOf((await browser.get(location ?? '')).text);
    assert.match(look, /1 transaction, 100\.00 GBP in total: allocated to A Rent/);
    assert.match(look, /3 transactions, 30\.00 GBP in total, not changed: Youth work runs from/);
    assert.match(look, /No project runs on the days of 2 of them\./);
    assert.match(look, /Left in A Rent after: 0 /);
    const apply = '/transactions/bulk/apply';
    const { text } = await browser.get(location ?? '');
    const again = [
      ...Object.entries(fieldsOf(text, apply)).filter(([name]) => name !== 'id'),
      ...[...text.matchAll(/name="id" value="([^"]*)"/g)].map(([, id = '']) => ['id', id]),
    ];
    const done = await browser.send(apply, again);
    const after = textOf((await browser.get(done.location ?? '')).text);
    assert.match(
      after,
      /1 transaction allocated to A Rent, 100\.00 in total\. 3 were not changed\./,
    );
    assert.equal(
      finish(countTransactions(access, { search: 'rent' })).byStatus.unallocated.count,
      3,
    );
    const july = 'do=allocate&scope=all&line=A&filters=from%3D2015-07-01%26to%3D2015-12-31';
    const none = textOf((await browser.get(`/transactions/bulk?${july}`)).text);
    assert.match(none, /No project runs on 1 Jul 2015\. .*Left in A Rent after: 0 .*Back/);
    assert.doesNotMatch(none, /Cancel/);
  });

  it('says why there is no line to choose for one', async (test) => {
    const desk = await openDesk(test);
    const { browser, access, service } = desk;
    importProjects(access, OLD, service.actor());
    const dates = ['2015-06-30', '2015-07-01'];
    push(
      desk,
      dates.map((date) => ({ externalId: date, date, description: 'Rent', amount: 10 })),
    );
    for (const [id, why] of [
      [5, 'No project that runs on 30 Jun 2015 has a budget line to choose.'],
      [6, 'No project runs on 1 Jul 2015, so there is no budget line to choose.'],
    ] as const) {
      const { text } = await browser.get(`/transactions?open=${formatId('txn', id)}`);
      assert.ok(textOf(text).includes(why), why);
      assert.doesNotMatch(text, /action="\/transactions\/allocate"/);
    }
  });

  it('keeps the selection in the list when some of it has changed since', async (test) => {
    const { browser, access, rows, ...office } = await openDesk(test);
    const page = await browser.get('/transactions');
    const ids = [...page.text.matchAll(/name="id" value="([^"]*)"/g)].map(([, id = '']) => id);
    const hidden = Object.entries(fieldsOf(page.text, '/transactions/bulk'));
    const chosen = [...hidden, ['do', 'allocate'], ['line', formatId('bln', 2)]];
    const fields = [...chosen, ...ids.slice(0, 2).map((id) => ['id', id])];
    push(office, [{ ...rows[2], amount: 500 }]);
    const refused = await browser.send('/transactions/bulk', fields);
    assert.equal(refused.status, 409);
    const why =
      '1 of the 2 that you selected has changed since it was shown: Cat, 3 Jan 2026, 500.00.';
    assert.ok(refused.text.includes(`<a href="#scope">${why} Nothing was done.</a>`));
    assert.doesNotMatch(refused.text.match(/class="problem"[\s\S]*?<\/div>/)?.[0] ?? '', /txn_/);
    const kept = [...refused.text.matchAll(/name="id" value="([^"]*)"[^>]*checked/g)];
    assert.deepEqual(
      kept.map(([, id = '']) => id.split('.')[0]),
      ids.slice(0, 2).map((id) => id.split('.')[0]),
    );
    assert.equal(finish(listTransactions(access, { statuses: ['allocated'] })).items.length, 0);
    const again = [
      ...hidden,
      ...chosen.slice(hidden.length),
      ...kept.map(([, id = '']) => ['id', id]),
    ];
    const done = await browser.send('/transactions/bulk', again);
    assert.equal(done.status, 303);
  });

  it('shows what the selected ones are now before it excludes them', async (test) => {
    const { browser, rows, ...office } = await openDesk(test);
    const page = await browser.get('/transactions');
    const [id = ''] = [...page.text.matchAll(/name="id" value="([^"]*)"/g)].map(
      ([, each = '']) => each,
    );
    const hidden = Object.entries(fieldsOf(page.text, '/transactions/bulk'));
    const asked = await browser.send('/transactions/bulk', [
      ...hidden,
      ['do', 'exclude'],
      ['id', id],
    ]);
    const look = await browser.get(asked.location ?? '');
    const apply = '/transactions/bulk/apply';
    const send = (text: string) => browser.send(apply, { ...fieldsOf(text, apply), reason: 'Own' });
    push(office, [{ ...rows[3], amount: 500 }]);
    const refused = await send(look.text);
    assert.equal(refused.status, 409);
    assert.match(
      refused.text,
      /The transaction that you selected has changed since it was shown: &lt;b&gt;Dan/,
    );
    assert.match(refused.text, /value="Own"/);
    assert.equal((await send(refused.text)).status, 303);
  });

  it('leaves and counts what changes while many are allocated', async (test) => {
    const desk = await openDesk(test);
    const { browser, access } = desk;
    const rows = Array.from({ length: 401 }, (_, at) => {
      const row = { externalId: `MANY-${at}`, date: '2026-02-01', description: 'Bus', amount: 5 };
      return { ...row, contact: 'Many' };
    });
    push(desk, rows);
    const query = 'do=allocate&scope=all&line=A&filters=contact%3DMany';
    const look = await browser.get(`/transactions/bulk?${query}`);
    const apply = '/transactions/bulk/apply';
    const sent = browser.send(apply, fieldsOf(look.text, apply));
    const allocated = () =>
      finish(countTransactions(access, { contact: 'Many' })).byStatus.allocated.count;
    // Between two steps.
    while (allocated() === 0) await new Promise((resolve) => setImmediate(resolve));
    push(
      desk,
      rows.slice(-1).map((row) => ({ ...row, amount: 7 })),
    );
    const { text } = await browser.get((await sent).location ?? '');
    assert.match(text, /400 transactions allocated to [^.]*, 2,000\.00 in total\. 1 has changed/);
    assert.equal(allocated(), 400);
  });

  it('excludes with a reason, and restores', async (test) => {
    const { browser, access } = await openDesk(test);
    const id = formatId('txn', 2);
    const page = await browser.get(`/transactions?open=${id}`);
    const hidden = fieldsOf(page.text, '/transactions/exclude');
    const blank = await browser.send('/transactions/exclude', { ...hidden, reason: ' ' });
    assert.equal(blank.status, 422);
    const reason = '<script>own account';
    const done = await browser.send('/transactions/exclude', { ...hidden, reason });
    assert.equal(getTransaction(access, id).status, 'excluded');
    const shown = await browser.get(done.location ?? '');
    assert.match(shown.text, /Excluded from the budgets: <bdi>&lt;script&gt;own account/);
    const back = fieldsOf(shown.text, '/transactions/restore');
    assert.equal((await browser.send('/transactions/restore', back)).status, 303);
    assert.equal(getTransaction(access, id).status, 'unallocated');
  });

  it('knows nothing of other organisations', async (test) => {
    const { browser, service } = await openDesk(test);
    const theirs = service.organisations.create({ name: 'Theirs', baseCurrency: 'GBP' });
    const rows = [{ externalId: 'T', date: '2026-01-01', description: 'Secret', amount: 1 }];
    const access = service.access(theirs.id);
    pushTransactions(access, { provider: 'api', dryRun: false, rows }, service.actor());
    const id = formatId('txn', 5);
    assert.equal((await browser.get(`/transactions?open=${id}`)).status, 404);
    for (const path of ['allocate', 'exclude', 'restore']) {
      const fields = { id, seen: '1', reason: 'x', line: formatId('bln', 1) };
      assert.equal((await browser.send(`/transactions/${path}`, fields)).status, 404);
    }
    const fields = { id: `${id}.1`, do: 'allocate', line: formatId('bln', 1) };
    const { location } = await browser.send('/transactions/bulk', fields);
    assert.doesNotMatch((await browser.get(location ?? '/')).text, /Secret/);
  });
});
