import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { FORMS } from '../../src/core/limits.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { getProjectPlan, readProject, saveProject } from '../../src/operations/project-plans.ts';
import { projectToSave } from '../operations/project-to-save.ts';
import { fieldsOf, openDesk, textOf } from './desk.ts';

const ID = formatId('prj', 1);
const EDIT = `/projects/${ID}/edit`;
const DETAILS = {
  name: 'Youth <b>',
  startDate: '2026-01-01',
  endDate: '2026-12-31',
  mode: 'monthly',
};
/** A line as its page sends it. */
const FILLED = { code: '', name: 'Rent', category: '', kind: 'expense', accountCodes: 'x' };
const CELL = `${formatId('bln', 1)}.2026-01`;

describe('the pages of editing a project', () => {
  it('saves details and amounts as the user types them', async (test) => {
    const { browser, access } = await openDesk(test, 'admin');
    const { text } = await browser.get(EDIT);
    assert.match(text, /<title>Edit Youth work · budgetd<[\s\S]*<h1>Edit project</);
    assert.match(text, new RegExp(`name="${CELL}"[^>]*value="100.00"`));
    assert.match(
      text,
      /All lines<\/th><td class="num">100\.00<[\s\S]*sum">100\.00<\/td><\/tr>\s*<\/tfoot>/,
    );
    const hidden = fieldsOf(text, EDIT);
    const done = await browser.send(EDIT, { ...hidden, ...DETAILS, [CELL]: '1,250.5' });
    assert.equal(done.status, 303);
    const { project, lines } = getProjectPlan(access, ID);
    assert.equal(project.name, 'Youth <b>');
    assert.deepEqual(lines[0]?.budget, {
      mode: 'monthly',
      byMonth: new Map([['2026-01', 125_050]]),
    });
    assert.deepEqual(lines[0]?.accountCodes, ['7500']);
    const list = await browser.get(done.location ?? '');
    assert.match(list.text, /<bdi>Youth &lt;b&gt;<\/bdi> is saved/);
    const stale = await browser.send(EDIT, {
      ...hidden,
      form: 'B'.repeat(16),
      ...DETAILS,
      [CELL]: '7',
    });
    assert.equal(stale.status, 409);
    assert.match(stale.text, /value="7">\s*<span class="sub">saved: 1,250\.50/);
    const wrong = await browser.send(EDIT, { ...hidden, ...DETAILS, [CELL]: 'x' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /Rent, Jan 2026: &quot;x&quot; is not an amount/);
    const again = { ...fieldsOf(stale.text, EDIT), ...DETAILS };
    const days = await browser.send(EDIT, { ...again, endDate: '2025-01-01' });
    assert.equal(days.status, 422);
    assert.equal((await browser.get(`/projects/${formatId('prj', 9)}/edit`)).status, 404);
  });

  it('overwrites nothing unseen, however often a form is sent', async (test) => {
    const { browser, access, service } = await openDesk(test, 'admin');
    const hidden = fieldsOf((await browser.get(EDIT)).text, EDIT);
    const lineId = formatId('bln', 2);
    const path = `/projects/${ID}/lines/${lineId}`;
    const line = fieldsOf((await browser.get(path)).text, path);
    const { lines } = getProjectPlan(access, ID);
    const budgetLines = [
      { id: 1, code: 'A', name: 'Rent', amounts: { '2026-01': 777 } },
      { id: 2, code: 'B', name: 'Theirs' },
      { code: 'N', name: 'New', amounts: { '2026-02': 5000 } },
    ];
    const { mode: _, ...details } = DETAILS;
    const project = projectToSave({ ...details, id: 1, budgetLines });
    saveProject(access, readProject(access, project), service.actor());
    assert.equal(lines.length, 2);
    const send = (fields: object) => browser.send(EDIT, { ...hidden, ...DETAILS, ...fields });
    const typo = await send({ [CELL]: 'x' });
    assert.equal(typo.status, 422);
    const mended = { ...fieldsOf(typo.text, EDIT), ...DETAILS, [CELL]: '9.00' };
    const refused = await browser.send(EDIT, mended);
    assert.equal(refused.status, 409);
    assert.match(refused.text, /<a href="#name">Someone else saved this project/);
    assert.doesNotMatch(textOf(refused.text), /prj_|Look at it again/);
    assert.match(refused.text, /value="9\.00">\s*<span class="sub">saved: 7\.77/);
    assert.match(refused.text, /value="50\.00"/);
    const typed = { name: 'Mine', code: 'B', category: '', kind: 'expense', accountCodes: '' };
    const other = await browser.send(path, { ...line, ...typed, name: ' ' });
    assert.equal(other.status, 422);
    assert.match(other.text, /href="#name">Enter a name\./);
    const late = await browser.send(path, { ...fieldsOf(other.text, path), ...typed });
    assert.equal(late.status, 409);
    assert.match(late.text, /<b>Saved: <bdi>Theirs<\/bdi><\/b>/);
    assert.match(late.text, /value="Mine"/);
    assert.equal(getProjectPlan(access, ID).lines[1]?.name, 'Theirs');
    const last = await browser.send(path, { ...fieldsOf(late.text, path), ...typed });
    assert.equal(last.status, 303);
  });

  it('asks before it spreads the months of a budget evenly', async (test) => {
    const { browser, access } = await openDesk(test, 'admin');
    const { text } = await browser.get(EDIT);
    const budget = () => getProjectPlan(access, ID).lines[0]?.budget;
    const before = budget();
    const cells = { [CELL]: '100.00', [`${formatId('bln', 1)}.2026-03`]: '20' };
    const fields = { ...DETAILS, ...cells, mode: 'total' };
    const look = await browser.send(EDIT, { ...fieldsOf(text, EDIT), ...fields });
    assert.equal(look.status, 422);
    assert.match(look.text, /href="#mode">The months of 1 line would be lost/);
    assert.match(
      look.text,
      /<bdi>A Rent<\/bdi><\/b>: Jan 2026 100\.00 → 10\.00; Feb 2026 0\.00 → 10\.00; .*and 8 more/,
    );
    assert.deepEqual(budget(), before);
    const [, agree = ''] = /name="agree" value="([^"]*)"/.exec(look.text) ?? [];
    const other = { ...fieldsOf(look.text, EDIT), ...fields, [CELL]: '101', agree };
    assert.equal((await browser.send(EDIT, other)).status, 422);
    const done = await browser.send(EDIT, { ...fieldsOf(look.text, EDIT), ...fields, agree });
    assert.equal(done.status, 303);
    assert.deepEqual(budget(), { mode: 'total', totalMinor: 12_000 });
    const back = { ...fieldsOf((await browser.get(EDIT)).text, EDIT), ...DETAILS };
    const total = `${formatId('bln', 1)}.total`;
    for (const endDate of ['zzzz', '9999-12-31']) {
      const wrong = { ...back, [total]: '120', endDate };
      assert.equal((await browser.send(EDIT, wrong)).status, 422);
    }
    assert.equal((await browser.send(EDIT, { ...back, [total]: '120' })).status, 303);
  });

  it('names the months outside new days, and removes them on request', async (test) => {
    const { browser, access } = await openDesk(test, 'admin');
    const hidden = fieldsOf((await browser.get(EDIT)).text, EDIT);
    const line = (month: string) => `${formatId('bln', 1)}.2026-${month}`;
    const cells = { [CELL]: '100', [line('07')]: '5', [line('08')]: '6', [line('12')]: '7' };
    const fields = { ...DETAILS, ...cells, endDate: '2026-06-30' };
    const look = await browser.send(EDIT, { ...hidden, ...fields, next: 'paste' });
    assert.equal(look.status, 422);
    assert.match(look.text, /href="#endDate">Amounts of 1 line are outside these days/);
    assert.equal(look.text.match(/18\.00 in Jul 2026 to Aug 2026, Dec 2026/g)?.length, 1);
    const [, agree = ''] = /name="agree" value="([^"]*)"/.exec(look.text) ?? [];
    const done = await browser.send(EDIT, { ...fieldsOf(look.text, EDIT), ...fields, agree });
    assert.match(done.location ?? '', /\/paste\?done=/);
    const { project, lines } = getProjectPlan(access, ID);
    assert.equal(project.endDate, '2026-06-30');
    assert.deepEqual(lines[0]?.budget, {
      mode: 'monthly',
      byMonth: new Map([['2026-01', 10_000]]),
    });
  });

  it('says once why days are too many, or a text is too long, at its field', async (test) => {
    const { browser } = await openDesk(test, 'admin');
    const path = `/projects/${ID}/paste`;
    const paste = async (count: number) => {
      const rows = Array.from({ length: count }, (_, at) => `L${at}\t${at}`);
      const hidden = fieldsOf((await browser.get(path)).text, path);
      return browser.send(path, { ...hidden, table: `Line\tJan 2026\n${rows.join('\n')}` });
    };
    assert.match(
      (await paste(2_001)).text,
      /href="#table">There are 2,001 lines, more than 2,000\./,
    );
    const few = await paste(12);
    assert.equal((await browser.send(path, saveOf(few.text))).status, 303);
    // The amounts of January would be outside these days, too.
    const days = { startDate: '2026-02-01', endDate: '2199-12-31' };
    const hidden = fieldsOf((await browser.get(EDIT)).text, EDIT);
    const wrong = await browser.send(EDIT, { ...hidden, ...DETAILS, ...days });
    assert.match(wrong.text, /href="#endDate">12 lines over 2,087 months make a report of 25,044/);
    assert.doesNotMatch(wrong.text, /2026-01 is outside/);
    const line = `/projects/${ID}/lines/new`;
    const texts = { ...FILLED, code: 'c'.repeat(256), category: 'a\tb' };
    const given = { ...fieldsOf((await browser.get(line)).text, line), ...texts };
    const { text } = await browser.send(line, given);
    assert.match(text, /href="#code">Code: The text is longer than 255 characters/);
    assert.match(text, /href="#category">Category: The text contains a control character/);
    assert.equal(text.match(/longer than 255/g)?.length, 2);
    const made = { ...DETAILS, name: 'n'.repeat(256), funder: 'f'.repeat(256), reference: '' };
    const { text: page } = await browser.send('/projects/new', made);
    assert.match(
      page,
      /href="#name">Name: The text is longer.*href="#funder">Funder: The text is longer/s,
    );
  });

  it('saves what was typed before it leads to a line, a new one, or a table', async (test) => {
    const { browser, access } = await openDesk(test, 'admin');
    const shown = await browser.get(EDIT);
    const form = shown.text.slice(shown.text.indexOf('data-unsaved'));
    assert.doesNotMatch(form.slice(0, form.indexOf('</form>')), /<a href="[^"]*(paste|lines)/);
    // Enter in a field saves: the first button of the form is the one that it presses.
    assert.match(form.slice(form.indexOf('<button')), /^<button class="hidden" tabindex="-1"/);
    const names = [...form.matchAll(/<button[^>]*name="next"\s+value="([^"]*)"/g)];
    const places = names.map(([, name = '']) => name);
    assert.deepEqual(places, [
      `lines/${formatId('bln', 1)}`,
      `lines/${formatId('bln', 2)}`,
      'lines/new?kind=income',
      'lines/new',
      'paste',
    ]);
    for (const [at, next] of [...places, '//evil.example'].entries()) {
      const fields = { ...fieldsOf((await browser.get(EDIT)).text, EDIT), ...DETAILS };
      const done = await browser.send(EDIT, { ...fields, [CELL]: `${at + 1}`, next });
      const to = places.includes(next) ? `/${next}` : '';
      const end = to.includes('?') ? '&done=' : '?done=';
      assert.ok(done.location?.startsWith(`/projects/${ID}${to}${end}`), done.location ?? '');
      const { lines } = getProjectPlan(access, ID);
      assert.deepEqual(lines[0]?.budget, {
        mode: 'monthly',
        byMonth: new Map([['2026-01', 100 * (at + 1)]]),
      });
      assert.match((await browser.get(done.location ?? '')).text, /is saved/);
    }
  });

  it('says what is wrong beside each field', async (test) => {
    const { browser } = await openDesk(test, 'admin');
    for (const [fields, fault] of [
      [{ name: ' ' }, /href="#name">Enter a name\./],
      [{ startDate: '' }, /href="#startDate">Enter the first day\./],
      [{ endDate: '2026-02-30' }, /href="#endDate">There is no 30 February 2026\./],
      [{ endDate: '2025-12-31' }, /href="#endDate">The last day is before the first day\./],
      [{ reference: 'R1' }, /href="#funder">Enter the funder too/],
    ] as const) {
      const wrong = await browser.send('/projects/new', { ...DETAILS, ...fields });
      assert.equal(wrong.status, 422);
      assert.match(wrong.text, fault);
    }
    const path = `/projects/${ID}/lines/new`;
    const double = { ...FILLED, name: 'X', code: 'A' };
    const hidden = fieldsOf((await browser.get(path)).text, path);
    const wrong = await browser.send(path, { ...hidden, ...double });
    assert.match(wrong.text, /href="#code">Another line of the project has this code\./);
    const made = await browser.send('/projects/new', { ...DETAILS, name: 'Child', parent: ID });
    assert.equal(made.status, 303);
    const { text } = await browser.get(EDIT);
    assert.doesNotMatch(text, /<option value="prj_/);
    const edit = fieldsOf(text, EDIT);
    const cycle = await browser.send(EDIT, { ...edit, ...DETAILS, parent: formatId('prj', 2) });
    assert.match(cycle.text, /href="#parent">That project is itself a part of this one\./);
  });

  it('makes a project, and adds, changes and removes lines', async (test) => {
    const { browser, access, service } = await openDesk(test, 'admin');
    const blank = await browser.send('/projects/new', { ...DETAILS, name: ' ' });
    assert.equal(blank.status, 422);
    const made = await browser.send('/projects/new', { ...DETAILS, name: 'New' });
    assert.match(made.location ?? '', /^\/projects\/prj_\w+\/edit\?done=/);
    const lines = `/projects/${ID}/lines`;
    const fresh = fieldsOf((await browser.get(`${lines}/new`)).text, `${lines}/new`);
    const draft = { ...FILLED, code: 'C', name: 'Food', accountCodes: '1, 2 ; 2' };
    const added = await browser.send(`${lines}/new`, { ...fresh, ...draft });
    assert.equal(added.status, 303);
    const codes = () => getProjectPlan(access, ID).lines.map(({ code }) => code);
    assert.deepEqual(codes(), ['A', 'B', 'C']);
    const more = {
      ...fieldsOf((await browser.get(`${lines}/new`)).text, `${lines}/new`),
      ...draft,
    };
    const wrong = await browser.send(`${lines}/new`, { ...more, code: 'D', amount: 'five' });
    assert.match(wrong.text, /href="#amount">&quot;five&quot; is not an amount/);
    assert.match(wrong.text, /id="amount"[^>]* value="five"/);
    const sent = { ...more, code: 'D', kind: 'income', amount: '10.50', do: 'another' };
    const next = await browser.send(`${lines}/new`, sent);
    assert.match(next.location ?? '', /\/lines\/new\?kind=income&done=/);
    assert.match((await browser.get(next.location ?? '')).text, /value="income" checked/);
    const { budget } = getProjectPlan(access, ID).lines[3] ?? assert.fail();
    assert.ok(budget.mode === 'monthly');
    assert.deepEqual([budget.byMonth.size, budget.byMonth.get('2026-12')], [12, 1050]);
    const fourth = `${lines}/${formatId('bln', 4)}`;
    const unwanted = { ...fieldsOf((await browser.get(fourth)).text, fourth), do: 'remove' };
    assert.equal((await browser.send(fourth, unwanted)).status, 303);
    assert.deepEqual(getProjectPlan(access, ID).lines[2]?.accountCodes, ['1', '2']);
    const first = `${lines}/${formatId('bln', 1)}`;
    const allocations = [{ budgetLineId: formatId('bln', 1) }];
    allocate(access, { transactionId: formatId('txn', 1), allocations }, service.actor());
    const kept = fieldsOf((await browser.get(first)).text, first);
    const refused = await browser.send(first, { ...kept, do: 'remove' });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /allocation/);
    assert.doesNotMatch(textOf(refused.text), /bln_/);
    const link = /<a href="([^"]*line=[^"]*)">1 transaction<\/a>/.exec(refused.text)?.[1] ?? '';
    const list = await browser.get(link.replaceAll('&amp;', '&'));
    assert.match(list.text, /<b>1<\/b> transaction</);
    assert.match(list.text, /id="txn_0000000001"/);
    assert.doesNotMatch(refused.text, /Remove the line/);
    const second = `${lines}/${formatId('bln', 2)}`;
    const gone = fieldsOf((await browser.get(second)).text, second);
    assert.equal((await browser.send(second, { ...gone, do: 'remove' })).status, 303);
    assert.deepEqual(codes(), ['A', 'C']);
    assert.equal((await browser.get(second)).status, 404);
  });

  it('takes a whole table, and says in which row it is wrong', async (test) => {
    const { browser, access } = await openDesk(test, 'admin');
    const path = `/projects/${ID}/paste`;
    const { text } = await browser.get(path);
    assert.match(text, /Code\tLine\tCategory\tAccount codes\t2026-01/);
    const hidden = fieldsOf(text, path);
    const table = 'Code\tLine\tAccount codes\t2026-01\nA\tRent\t7500, 7501\t1,000.00\n\tNew\t\t';
    for (const [wrong, message] of [
      ['Line\t2026-01\nA\tx', /Row 2, “2026-01”: &quot;x&quot; is not an amount/],
      ['Line\tMoon\nA\t5', /“Moon” has amounts but is not a month/],
      ['', /The first row/],
      [`Line\n${'n'.repeat(256)}`, /Row 2, Line: The text is longer than 255 characters/],
      ['Code\tLine\nN\tx\nN\ty', /Row 3: An earlier line has the same code/],
    ] as const) {
      const { status, text: page } = await browser.send(path, { ...hidden, table: wrong });
      assert.equal(status, 422, wrong);
      assert.match(page, message);
    }
    for (const [wrong, message] of [
      ['Line\tCode\tLine\nA\tx\ty', /Two columns are the same: “Line” and “Line”/],
      ['Line\t2026-01\nRent\t1\t2', /Column 3 has amounts/],
      ['Code\tLine\nA\tx\nA\ty', /href="#table">Row 3 is the line of row 2: A Rent/],
      ['Line\tJan\nA\tx\nB\ty', /href="#table">The table has 2 faults.*<li>Row 2, .*<li>Row 3, /s],
    ] as const) {
      const { status, text: page } = await browser.send(path, { ...hidden, table: wrong });
      assert.equal(status, 422, wrong);
      assert.match(page, message);
    }
    const long = await browser.send(path, { ...hidden, table: 'x'.repeat(FORMS.tableBytes) });
    assert.equal(long.status, 413);
    assert.match(long.text, /A field of the form is larger than 1 MiB\. Shorten it\./);
    const look = await browser.send(path, { ...hidden, table });
    assert.equal(look.status, 200);
    assert.match(look.text, /<b>1 line<\/b> added<ul>\s*<li><bdi>New<\/bdi>, 0\.00/);
    const codes = /A Rent<\/bdi>; Account codes <bdi>7500<\/bdi> → <bdi>7500, 7501<\/bdi>/;
    assert.match(look.text, codes);
    assert.match(look.text, /7501<\/bdi>; Jan 2026 100\.00 → 1,000\.00/);
    assert.match(look.text, /<b>1 line<\/b> removed<ul>\s*<li><bdi>B Heat<\/bdi><\/li>/);
    assert.match(look.text, /so it does not change: Category, Feb 2026 to Dec 2026\./);
    assert.match(look.text, /All lines together: 100\.00 → 1,000\.00 GBP/);
    assert.equal(getProjectPlan(access, ID).lines.length, 2);
    const done = await browser.send(path, saveOf(look.text));
    assert.equal(done.status, 303);
    const { lines } = getProjectPlan(access, ID);
    assert.deepEqual(
      lines.map(({ id, code, name }) => [id, code, name]),
      [
        [1, 'A', 'Rent'],
        [3, null, 'New'],
      ],
    );
  });

  it('keeps what a table has no column for, and lines that have allocations', async (test) => {
    const { browser, access, service } = await openDesk(test, 'admin');
    const path = `/projects/${ID}/paste`;
    const hidden = fieldsOf((await browser.get(path)).text, path);
    const look = await browser.send(path, {
      ...hidden,
      table: 'Line\tCategory\nRent\tHouse\nHeat\t',
    });
    assert.match(look.text, /A Rent<\/bdi>; Category nothing → <bdi>House/);
    assert.match(look.text, /100\.00 → 100\.00/);
    assert.equal((await browser.send(path, saveOf(look.text))).status, 303);
    const [rent] = getProjectPlan(access, ID).lines;
    assert.deepEqual([rent?.code, rent?.category, rent?.accountCodes], ['A', 'House', ['7500']]);
    assert.deepEqual(rent?.budget, { mode: 'monthly', byMonth: new Map([['2026-01', 10_000]]) });
    const allocations = [{ budgetLineId: 'bln_0000000001' }];
    allocate(access, { transactionId: 'txn_0000000001', allocations }, service.actor());
    const now = fieldsOf((await browser.get(path)).text, path);
    const stuck = await browser.send(path, { ...now, table: 'Line\nHeat' });
    assert.equal(stuck.status, 422);
    assert.match(stuck.text, /A line that has allocations is not in the table: A Rent/);
    assert.match(stuck.text, /because it has <a href="[^"]*line=[^"]*">1 transaction<\/a>/);
    assert.doesNotMatch(stuck.text, /Save the\s+table/);
  });

  it('saves a table only over the project as it was shown', async (test) => {
    const { browser, access } = await openDesk(test, 'admin');
    const path = `/projects/${ID}/paste`;
    const hidden = fieldsOf((await browser.get(path)).text, path);
    const look = await browser.send(path, { ...hidden, table: 'Line\nRent' });
    const first = await browser.send(path, { ...hidden, table: 'Line\nRent\nHeat\nNew' });
    assert.equal((await browser.send(path, saveOf(first.text))).status, 303);
    const refused = await browser.send(path, saveOf(look.text));
    assert.equal(refused.status, 409);
    assert.match(refused.text, /Someone else saved this project/);
    assert.match(refused.text, /<b>2 lines<\/b> removed/);
    assert.equal(getProjectPlan(access, ID).lines.length, 3);
    const again = saveOf(refused.text);
    assert.equal((await browser.send(path, { ...again, read: 'other' })).status, 409);
    assert.equal((await browser.send(path, again)).status, 303);
    assert.equal(getProjectPlan(access, ID).lines.length, 1);
  });
});

/** What the button of the preview of a table sends. */
function saveOf(text: string): Record<string, string> {
  const found = text
    .slice(text.indexOf('What the table changes'))
    .matchAll(/type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g);
  const fields: Record<string, string> = {};
  for (const [, name = '', value = ''] of found) fields[name] ??= value;
  return fields;
}
