import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { openDesk } from './desk.ts';

const PROJECT = `/projects/${formatId('prj', 1)}`;

describe('the page of a report', () => {
  it('links figures to their transactions, and says what its charts show', async (test) => {
    const { browser, access, service } = await openDesk(test);
    const allocations = [{ budgetLineId: formatId('bln', 1) }];
    for (const number of [1, 2]) {
      const transactionId = formatId('txn', number);
      allocate(access, { transactionId, allocations }, service.actor());
    }
    const { text } = await browser.get(PROJECT);
    assert.match(text, /Over budget<\/dt><dd><span class="over">101/);
    assert.match(text, /<desc id="bars-finding">Over budget in Jan\./);
    const [, target = ''] = /href="(\/transactions\?[^"]*line=[^"]*)"/.exec(text) ?? [];
    const list = await browser.get(target.replaceAll('&amp;', '&'));
    assert.match(list.text, /<b>2<\/b> transactions/);
    assert.match(list.text, /Budget line <bdi>A Rent/);
    assert.match(text, /1 line without figures is left out/);
    const quarters = await browser.get(`${PROJECT}?by=quarters`);
    assert.match(quarters.text, />Q1<span class="sub">2026/);
    const csv = await browser.get(`${PROJECT}?format=csv`);
    assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.match(csv.text, /Youth work,A,Rent,,2026-01,2026-01-01,2026-01-31,GBP,100\.00,201\.00/);
    assert.equal((await browser.get(`/projects/${formatId('prj', 9)}`)).status, 404);
  });

  it('adds up the projects below, in its own periods', async (test) => {
    const { browser, access, service } = await openDesk(test);
    const child = {
      name: 'Summer <i>',
      startDate: '2026-06-01',
      endDate: '2027-01-31',
      budgetMode: 'total',
      parentProject: 'Youth work',
      budgetLines: [{ name: 'Camp', budget: 800 }],
    };
    importProjects(access, child, service.actor());
    const { text } = await browser.get(PROJECT);
    assert.match(text, /Budget<\/dt><dd>900/);
    assert.match(text, /<bdi>Summer &lt;i&gt;<\/bdi><\/a> <span\s+class="sub">project below/);
    const below = await browser.get(`/projects/${formatId('prj', 2)}`);
    assert.match(below.text, /Projects<\/a> · <a href="[^"]*"><bdi>Youth work/);
    const list = await browser.get('/projects');
    assert.match(list.text, /below <bdi>Youth work/);
  });
});
