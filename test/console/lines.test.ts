import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { readLineField } from '../../src/console/components/line-fields.ts';
import { Reader } from '../../src/console/session/reader.ts';
import { formatId } from '../../src/core/ids.ts';
import { nameLine } from '../../src/core/projects.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { archiveProject, importProjects } from '../../src/operations/projects.ts';
import { listTransactions } from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { fieldsOf, openDesk, textOf } from './desk.ts';
import { countStatements } from './statements.ts';

const YEARS = [
  ['Old', '2026'],
  ['New (B)', '2027'],
] as const;

/** Two years of a project with the same lines. */
async function openYears(test: TestContext) {
  const desk = await openDesk(test, 'admin');
  for (const [name, year] of YEARS) {
    const project = {
      name,
      startDate: `${year}-01-01`,
      endDate: `${year}-12-31`,
      budgetLines: [
        { code: 'L005', name: 'Line 5' },
        { code: 'A B', name: 'Spaced  code' },
        { name: `Only ${year}` },
      ],
    };
    importProjects(desk.access, project, desk.service.actor());
  }
  const [transaction] = finish(
    listTransactions(desk.access, { from: '2026-01-01', limit: 1 }),
  ).items;
  assert.ok(transaction);
  const reader = Reader.of('en-GB', desk.access.organisation);
  const read = (text: string, owner?: typeof transaction) => {
    const { name, code, projectName, startDate } = readLineField(
      { access: desk.access, reader },
      text,
      owner,
    );
    return `${nameLine({ code, name })}, ${projectName}, ${startDate.slice(0, 4)}`;
  };
  const archive = (project: number) => {
    archiveProject(
      desk.access,
      { id: formatId('prj', project), isArchived: true },
      desk.service.actor(),
    );
  };
  return { ...desk, transaction, read, archive };
}

describe('a typed budget line', () => {
  it('is one of the projects that include the day', async (test) => {
    const { read, transaction } = await openYears(test);
    for (const text of ['L005', 'L005 Line 5', 'line 5', 'L005 Line 5 (Old)']) {
      assert.equal(read(text, transaction), 'L005 Line 5, Old, 2026', text);
    }
    const late = { ...transaction, date: '2027-02-01' };
    assert.equal(read('L005', late), 'L005 Line 5, New (B), 2027');
    const message =
      /^Only 2027 is a line of New \(B\), which runs from 1 Jan 2027 to 31 Dec 2027\./;
    assert.throws(() => read('only 2027', transaction), { code: 'invalid_input', message });
    assert.throws(() => read('nothing', transaction), /No budget line matches "nothing"\./);
  });

  it('is told from others by its project, as the refusal shows it', async (test) => {
    const { read } = await openYears(test);
    const message =
      '"L005" fits several budget lines, such as L005 Line 5 (Old); L005 Line 5 (New (B)). ' +
      'Type one of these in full.';
    assert.throws(() => read('L005'), { code: 'invalid_input', message });
    assert.equal(read('L005 Line 5 (Old)'), 'L005 Line 5, Old, 2026');
    assert.equal(read('L005 Line 5 (New (B))'), 'L005 Line 5, New (B), 2027');
    assert.equal(read('Only 2027 (New (B))'), 'Only 2027, New (B), 2027');
  });

  it('may have spaces in its code', async (test) => {
    const { read, transaction } = await openYears(test);
    for (const text of ['A B', 'A B Spaced  code', 'A B Spaced  code (Old)']) {
      assert.equal(read(text, transaction), 'A B Spaced  code, Old, 2026', text);
    }
  });

  it('takes a few statements, however many blanks and brackets it has', async (test) => {
    const { read, transaction, access } = await openYears(test);
    const texts = countStatements(test, access.db);
    const text = `${'a '.repeat(100)}(b (c (d (e (f)`;
    assert.throws(() => read(text, transaction), /No budget line matches/);
    assert.ok(texts.length <= 15, texts.join('\n'));
  });

  it('is preferred in a project that is not archived', async (test) => {
    const { read, archive } = await openYears(test);
    archive(2);
    assert.equal(read('L005'), 'L005 Line 5, New (B), 2027');
  });

  it('is refused in an archived project, but kept where it is', async (test) => {
    const { read, archive, access, service, transaction, browser } = await openYears(test);
    const [line, other] = [formatId('bln', 3), formatId('bln', 5)];
    const transactionId = formatId('txn', transaction.id);
    allocate(access, { transactionId, allocations: [{ budgetLineId: other }] }, service.actor());
    archive(2);
    const message = 'L005 Line 5 is a line of Old, which is archived. Choose another.';
    for (const text of [line, 'L005', 'L005 Line 5']) {
      for (const owner of [transaction, undefined]) {
        if (owner === undefined && text !== line) continue;
        assert.throws(() => read(text, owner), { code: 'invalid_input', message });
      }
    }
    for (const text of [other, 'Only 2026', 'only 2026', 'Only 2026 (Old)']) {
      assert.equal(read(text, transaction), 'Only 2026, Old, 2026', text);
    }
    assert.throws(() => read(other), /which is archived/);

    const path = '/transactions/allocate';
    const panel = (await browser.get(`/transactions?open=${transactionId}`)).text;
    const send = (id: string) => {
      const fields = Object.entries(fieldsOf(panel, path));
      return browser.send(path, [
        ...fields,
        ['line', id],
        ['amount', '40'],
        ['note', ''],
        ['do', 'save'],
      ]);
    };
    const refused = await send(line);
    assert.equal(refused.status, 422);
    assert.match(refused.text, /Line 5 is a line of Old, which is archived/);
    assert.equal((await send(other)).status, 303);
  });
});

it('a transaction has at most 100 budget lines, at every door', async (test) => {
  const { browser, access, service } = await openDesk(test);
  const [transactionId, line] = [formatId('txn', 1), formatId('bln', 1)];
  const allocations = Array.from({ length: 101 }, () => ({ budgetLineId: line, amountMinor: 1 }));
  const message = 'A transaction can be allocated to at most 100 budget lines.';
  assert.throws(() => allocate(access, { transactionId, allocations }, service.actor()), {
    code: 'invalid_input',
    message,
  });
  const path = '/transactions/allocate';
  const fields = fieldsOf((await browser.get(`/transactions?open=${transactionId}`)).text, path);
  const send = (lines: number, work: string) => {
    const shares = Array.from({ length: lines }, () => {
      return [['line', line] as const, ['amount', '0.01'] as const];
    });
    return browser.send(path, [...Object.entries(fields), ...shares.flat(), ['do', work] as const]);
  };
  for (const [lines, work] of [
    [101, 'save'],
    [12_000, 'split'],
    [100, 'add'],
  ] as const) {
    const { status, text } = await send(lines, work);
    assert.equal(status, 422);
    assert.ok(textOf(text).includes(message), work);
    assert.equal(text.match(/name="amount"/g)?.length, 100);
  }
  assert.equal((await send(100, 'save')).status, 303);
});

describe('a wrong amount in every cell of a project', () => {
  it('is marked in every cell, and the page lists the first ones', async (test) => {
    const { browser, access, service } = await openDesk(test, 'admin');
    const budgetLines = ['Rent', 'Trips', 'Hall'].map((name) => ({ name }));
    const year = { name: 'Year', startDate: '2026-01-01', endDate: '2026-12-31' };
    const [project] = importProjects(access, { ...year, budgetLines }, service.actor());
    const path = `/projects/${formatId('prj', project?.id ?? 0)}/edit`;
    const { text } = await browser.get(path);
    const cells = [...text.matchAll(/name="(bln_[^"]+)"/g)].map(([, name = '']) => [name, 'x']);
    assert.equal(cells.length, 36);
    const sent = { ...fieldsOf(text, path), ...year, mode: 'monthly' };
    const wrong = await browser.send(path, { ...sent, ...Object.fromEntries(cells) });
    assert.equal(wrong.status, 422);
    const [list = ''] = /<ul>[\s\S]*?<\/ul>/.exec(wrong.text.split('role="alert"')[1] ?? '') ?? [];
    assert.equal(list.match(/<li id="[^"]+"><a href="#bln_/g)?.length, 20);
    assert.match(list, /<li>And 16 more\.<\/li>/);
    assert.equal(wrong.text.match(/aria-invalid="true"/g)?.length, 36);
    const described = [...wrong.text.matchAll(/aria-describedby="(bln_[^"]*)"/g)];
    assert.equal(described.length, 20);
    for (const [, id] of described) assert.ok(wrong.text.includes(`id="${id}"`), id);
  });
});
