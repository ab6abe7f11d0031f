import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { allocations } from '../../src/operations/allocations.ts';
import { changeMany, inSteps } from '../../src/operations/changes.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { openDesk, push } from './desk.ts';

/** Bytes of a page of the list. */
const MOST = 60 * 1024;

it('a page of the list has at most 60 kB with 300 budget lines, also of a split', async (test) => {
  const desk = await openDesk(test);
  const { access, service, browser } = desk;
  for (let at = 0; at < 6; at += 1) {
    const days = { startDate: '2026-01-01', endDate: '2026-12-31' };
    const lines = Array.from({ length: at === 0 ? 48 : 50 }, (_, line) => {
      const name = `Budget line of something ${line}`;
      return { code: `${at}${1000 + line}`, name, category: 'Things of every kind' };
    });
    importProjects(access, { name: `Project ${at}`, ...days, budgetLines: lines }, service.actor());
  }
  const row = (at: number) => ({
    externalId: `INV-1000${at}`,
    date: `2026-0${1 + (at % 9)}-20`,
    description: `CARD PAYMENT TO SOME SHOP ${at} ON 12 MAR`,
    contact: at % 2 === 0 ? null : `A contact with a name ${at}`,
    amount: 1000 + at,
    accountCode: `${7000 + at}`,
  });
  push(
    desk,
    Array.from({ length: 100 }, (_, at) => row(at)),
  );
  const size = async (path: string) => (await browser.get(path)).text.length;
  for (const path of ['?tab=open', '', '?tab=open&open=txn_0000000002']) {
    const bytes = await size(`/transactions${path}`);
    assert.ok(bytes > 40_000 && bytes < MOST, `${path}: ${bytes}`);
  }
  const id = 'txn_0000000002';
  const { text } = await browser.get(`/transactions?open=${id}`);
  assert.equal(text.match(/<option value="bln_/g)?.length, 300);
  const [, seen = ''] = /name="seen" value="(\d+)"/.exec(text) ?? [];
  const rows = [0, 1, 2].flatMap((at) => [
    ['line', `bln_000000000${at + 1}`],
    ['amount', '1'],
  ]);
  const form = [['id', id], ['seen', seen], ['filters', ''], ['do', 'add'], ...rows];
  const split = (await browser.send('/transactions/allocate', form)).text;
  assert.equal(split.match(/<option value="bln_/g)?.length, 300);
  assert.match(
    split,
    /value="B Heat \(Youth work\)"\s+autocomplete="off" data-line="bln_0000000002"/,
  );
  assert.ok(split.length < MOST, `${split.length}`);

  const halves = Array.from({ length: 100 }, (_, at) => {
    const lines = at % 2 === 0 ? [3] : [4 + at / 2, 3];
    const shares = lines.map((line) => ({
      budgetLineId: formatId('bln', Math.floor(line)),
      amountMinor: 50_000,
    }));
    return { transactionId: formatId('txn', 5 + at), allocations: shares };
  });
  const steps = inSteps(halves, (step) => allocations(access, step));
  assert.equal((await changeMany(access, steps, service.actor())).count, 100);
  const path = '/transactions?project=prj_0000000002&category=Things+of+every+kind';
  const bytes = await size(path);
  assert.ok(bytes > 40_000 && bytes < MOST, `${path}: ${bytes}`);
});
