import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { archiveProject, getProject } from '../../src/operations/projects.ts';
import { previewByAccountCode } from '../operations/by-code.ts';
import { fieldsOf, openDesk, push } from './desk.ts';

const ID = formatId('prj', 1);
const ACTION = `/projects/${ID}/archive`;
const OPEN = `/transactions?open=${formatId('txn', 1)}`;

describe('an archived project', () => {
  it('is neither on the first page nor offered, and comes back', async (test) => {
    const { browser, access, service, org } = await openDesk(test, 'admin');
    assert.match((await browser.get(OPEN)).text, /<option value="bln_[^>]*>A Rent/);
    const form = fieldsOf((await browser.get(`/projects/${ID}/edit`)).text, ACTION);
    const sent = await Promise.all([1, 2].map(() => browser.send(ACTION, form)));
    assert.deepEqual(
      sent.map(({ status }) => status),
      [303, 303],
    );
    const list = await browser.get(sent[0]?.location ?? '');
    assert.match(list.text, /<bdi>Youth work<\/bdi> is archived/);
    assert.doesNotMatch(list.text, new RegExp(`href="/projects/${ID}"`));
    assert.match(list.text, /tab=archived">Archived 1</);
    assert.match((await browser.get('/projects?tab=archived')).text, new RegExp(`projects/${ID}"`));
    assert.doesNotMatch((await browser.get('/')).text, /Youth work/);
    assert.doesNotMatch((await browser.get(OPEN)).text, /A Rent/);
    assert.doesNotMatch((await browser.get('/transactions')).text, /A Rent/);
    const entry = service.audit.list(org).at(-1);
    assert.deepEqual([entry?.action, entry?.subject], ['project.archived', ID]);
    assert.match((await browser.get('/activity')).text, /Archived a project/);

    const report = await browser.get(`/projects/${ID}`);
    assert.match(report.text, /Archived on <time/);
    const back = await browser.send(ACTION, fieldsOf(report.text, ACTION));
    assert.match((await browser.get(back.location ?? '')).text, /was restored/);
    assert.match((await browser.get('/')).text, /Youth work/);
    assert.match((await browser.get(OPEN)).text, /A Rent/);
    assert.equal(getProject(access, ID).archivedAtMs, null);
  });

  it('claims no account code, but can still be allocated to by its id', async (test) => {
    const { browser, access, service } = await openDesk(test, 'admin');
    const page = await browser.get(`/projects/${ID}/edit`);
    await browser.send(ACTION, fieldsOf(page.text, ACTION));
    assert.match((await browser.get('/rules/run?only=code')).text, /7500/);
    const kinds = previewByAccountCode(access).map(({ kind }) => kind);
    assert.deepEqual([...new Set(kinds)], ['unmatched']);
    const allocations = [{ budgetLineId: formatId('bln', 1) }];
    allocate(access, { transactionId: formatId('txn', 1), allocations }, service.actor());
    const panel = (await browser.get(OPEN)).text;
    assert.match(panel, /<option value="bln_0000000001" selected>A Rent/);
    const saved = await browser.send('/transactions/allocate', [
      ...Object.entries(fieldsOf(panel, '/transactions/allocate')),
      ['line', formatId('bln', 1)],
      ['amount', '40'],
      ['note', ''],
      ['do', 'save'],
    ]);
    assert.equal(saved.status, 303);
  });

  it('is not offered to others like a transaction that it keeps', async (test) => {
    const desk = await openDesk(test, 'admin');
    const { browser, access, service } = desk;
    push(desk, [{ ...desk.rows[0], externalId: 'More' }]);
    const allocations = [{ budgetLineId: formatId('bln', 1) }];
    allocate(access, { transactionId: formatId('txn', 1), allocations }, service.actor());
    for (const [isArchived, isOffered] of [
      [false, true],
      [true, false],
    ] as const) {
      archiveProject(access, { id: ID, isArchived }, service.actor());
      const shown = fieldsOf((await browser.get(OPEN)).text, '/transactions/allocate');
      const given = { line: formatId('bln', 1), amount: '', note: '', do: 'save' };
      const saved = await browser.send('/transactions/allocate', { ...shown, ...given });
      const { text } = await browser.get(saved.location ?? '');
      assert.match(text, /allocated to\s+<bdi>A Rent/);
      assert.equal(text.includes('The same for them'), isOffered);
    }
  });

  it('is refused to a user who looked at it before someone else changed it', async (test) => {
    const { browser, access, service, org } = await openDesk(test, 'admin');
    const form = fieldsOf((await browser.get(`/projects/${ID}/edit`)).text, ACTION);
    service.projects.import(org, {
      name: 'Youth work',
      startDate: '2026-01-01',
      endDate: '2026-11-30',
      budgetLines: [{ code: 'A', name: 'Rent', accountCodes: ['7500'] }],
    });
    const { status, text } = await browser.send(ACTION, form);
    assert.equal(status, 409);
    assert.match(text, /Someone else saved &quot;Youth work&quot; while you were editing/);
    assert.match(text, /value="2026-11-30"/);
    assert.equal(getProject(access, ID).archivedAtMs, null);
    const unknown = '/projects/prj_9999999999/archive';
    assert.equal((await browser.send(unknown, form)).status, 404);
  });
});
