import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { nameValue } from '../../src/console/import/subjects.ts';
import { formatId } from '../../src/core/ids.ts';
import { createService } from '../../src/index.ts';
import { changeAll } from '../../src/operations/changes.ts';
import { exclusions } from '../../src/operations/workflow.ts';
import { folderFor } from '../store/workshop.ts';
import { fieldsOf } from './desk.ts';
import { follow, openImport } from './importing.ts';
import { addUser, Browser, markOf } from './office.ts';

/** A file that leaves nothing open. */
const CLEAR = `Date,Transaction ID,Supplier Name,Description,Money out,Money in
21/04/2026,T1,Ann,Rent,1200.50,
22/04/2026,T2,Bob,Heat,33.10,
23/04/2026,T3,,Refund,,20.00
`;
/** A file that leaves open which date it means, and which amounts are money out. */
const OPEN = `Posted,Reference,Details,Value
01/02/2026,R1,Rent,1200.00
03/04/2026,R2,Refund,-20.50
05/06/2026,R3,"<script>alert(1)</script>",33.10
`;

describe('importing a file in the console', () => {
  it('shows both totals, stores the rows once, and knows the file the next time', async (test) => {
    const { browser, choose, imported } = await openImport(test);
    const { path, page } = await choose('april.csv', CLEAR);
    assert.equal(page.status, 200);
    assert.match(page.text, /step 3 of 3/);
    assert.match(page.text, /<p>3 rows, 1 KB\. Nothing is stored yet/);
    assert.match(page.text, /1,233\.60 <small>2 rows/s);
    assert.match(page.text, /−20\.00 <small>1 row/);
    assert.match(page.text, /Import 3 transactions/);
    const odd = [...page.text.matchAll(/<td role="cell" class="soft">([^<]*)<.*?<\/tr>/gs)];
    assert.deepEqual(
      odd.map(([row, why]) => [
        why,
        /class="num lead">(?:<span class="in">in<\/span> )?(.*?)</.exec(row)?.[1],
      ]),
      [
        ['largest out', '1,200.50'],
        ['largest out', '33.10'],
        ['money in', '−20.00'],
      ],
    );
    assert.match(page.text, /<bdi>comma<\/bdi>/);
    assert.match(page.text, /<bdi>UTF-8<\/bdi>/);
    assert.equal(imported().length, 0);
    const [, turn = ''] = /href="([^"]*)">Flip all signs/.exec(page.text) ?? [];
    const turned = await browser.get(turn.replaceAll('&amp;', '&'));
    assert.match(turned.text, /20\.00 <small>1 row<.*−1,233\.60 <small>2 rows/s);

    const form = { form: markOf(page.text) };
    const answers = await Promise.all([browser.send(path, form), browser.send(path, form)]);
    const done = await follow(browser, answers[1]);
    assert.match(done.text, /<h1>3 transactions imported/);
    assert.match(
      done.text,
      /\?tab=open&amp;provider=csv&amp;from=2026-04-21&amp;to=2026-04-23">Al/,
    );
    const stored = imported().map(({ externalId, date, amountMinor, contact }) => {
      return [externalId, date, amountMinor, contact];
    });
    assert.deepEqual(stored.sort(), [
      ['T1', '2026-04-21', 120050, 'Ann'],
      ['T2', '2026-04-22', 3310, 'Bob'],
      ['T3', '2026-04-23', -2000, null],
    ]);
    const again = await choose('again.csv', `${CLEAR}24/04/2026,T4,Cat,Desk,5.00,\n`);
    assert.match(again.page.text, /Import 1 transaction</);
    assert.match(again.page.text, /0 changed, 3 as before/);
    const same = await choose('same.csv', CLEAR);
    assert.match(
      same.page.text,
      /all rows are stored already\. Excluded transactions stay excluded/,
    );
  });

  it('asks what a file leaves open, and remembers the answers if that is wanted', async (test) => {
    const { browser, choose, imported } = await openImport(test);
    const { path, page } = await choose('bank.csv', OPEN);
    assert.match(page.text, /step 2 of 3/);
    assert.match(page.text, /<p>3 rows with a date and an amount, 1 KB/);
    assert.match(page.text, /line 3: 3 Apr 2026, −20\.50, &quot;Refund/);
    assert.match(page.text, /<bdi>DD\/MM\/YYYY, it is 1 Feb 2026<\/bdi>/);
    assert.match(page.text, /line 2: 1 Feb 2026, 1,200\.00/);
    assert.match(page.text, /line 2: 2 Jan 2026, 1,200\.00/);
    assert.match(page.text, /Negative amounts are money out: 1 row, 20\.50 in total/);
    assert.match(page.text, /&lt;script&gt;alert/);
    assert.doesNotMatch(page.text, /<script>alert/);
    const nothing = await browser.get(`${path}?answered=yes`);
    assert.equal(nothing.status, 422);
    assert.match(nothing.text, /There is a problem/);
    assert.match(nothing.text, /#q1">Choose an answer: Which date[\s\S]*#q2">[^<]* Which amounts/);

    const values = [...page.text.matchAll(/name="q\d" id="q\d" value="([^"]*)"/g)].map(
      ([, value = '']) => value.replaceAll('&amp;', '&'),
    );
    const chosen = new URLSearchParams({ answered: 'yes' });
    for (const [at, value] of values.entries()) chosen.set(`q${at + 1}`, value);
    const answered = await browser.get(`${path}?${chosen}`);
    assert.match(answered.location ?? '', /date-format=DD%2FMM%2FYYYY&money-out=negative/);
    const ready = await follow(browser, answered);
    assert.match(ready.text, /step 3 of 3/);
    assert.match(ready.text, /You chose it/);
    const [, turn = ''] = /href="([^"]*)">Flip all signs/.exec(ready.text) ?? [];
    const turned = await browser.get(turn.replaceAll('&amp;', '&'));
    assert.match(turned.text, /1,233\.10 <small>2 rows/s);
    const fields = [
      ['form', markOf(ready.text)],
      ['date-format', 'DD/MM/YYYY'],
      ['money-out', 'negative'],
      ['keep', 'yes'],
    ];
    await follow(browser, await browser.send(path, fields));
    assert.deepEqual(
      imported()
        .map(({ amountMinor }) => amountMinor)
        .sort((one, two) => one - two),
      [-120000, -3310, 2050],
    );
    const next = await choose(
      'next.csv',
      OPEN.replaceAll('R', 'S').replace('Seference', 'Reference'),
    );
    assert.match(next.page.text, /for a file with the same columns/);
    // Its third row has another reference.
    assert.match(next.page.text, /<dd>2 <small>1 changed/);
    assert.match(next.page.text, /Import 3 transactions/);
    const [, anew = ''] = /href="([^"]*)">Inspect this file again/.exec(next.page.text) ?? [];
    assert.match((await browser.get(anew)).text, /step 2 of 3/);
  });

  it('changes what was found, in a form for each finding', async (test) => {
    const { browser, choose } = await openImport(test);
    const { path } = await choose('bank.csv', OPEN);
    const changes: [subject: string, fields: Record<string, string>, address: RegExp][] = [
      ['encoding', { value: 'windows-1252' }, /encoding=windows-1252/],
      ['delimiter', { value: ',' }, /delimiter=%2C/],
      ['header', { value: '1' }, /header=1/],
      ['date', { value: 'Posted', second: 'MM/DD/YYYY' }, /map=date%3DPosted&date-format=MM/],
      ['dateFormat', { value: 'DD/MM/YYYY' }, /date-format=DD/],
      ['amount', { value: 'Value' }, /map=amount%3DValue/],
      ['decimal', { value: '.' }, /decimal=\./],
      ['moneyOut', { value: 'positive' }, /money-out=positive/],
      ['currency', { value: 'GBP' }, /currency=GBP/],
      ['description', { value: 'Reference' }, /map=description%3DReference/],
      ['contact', { value: 'Details' }, /map=contact%3DDetails/],
      ['accountCode', { value: '' }, /map=accountCode%3D/],
      ['externalId', { value: 'Reference' }, /map=externalId%3DReference/],
      ['rejected', { value: 'R3' }, /not-row=R3/],
    ];
    for (const [subject, fields, address] of changes) {
      const form = await browser.get(`${path}?change=${subject}`);
      assert.equal(form.status, 200, subject);
      assert.match(form.text, new RegExp(`name="set" value="${subject}"`));
      const answer = await browser.get(
        `${path}?${new URLSearchParams({ set: subject, ...fields })}`,
      );
      assert.match(answer.location ?? '', address, subject);
      const page = await follow(browser, answer);
      assert.equal(page.status, 200, subject);
    }
    const replaced = await browser.get(`${path}?money-out=negative&set=moneyOut&value=positive`);
    assert.equal(replaced.location, `${path}?money-out=positive`);
    for (const [subject, value, words] of [
      ['header', 'first', /Header must be a line number/],
      ['header', '90', /Header 90: that line is empty\./],
      ['dateFormat', 'DD.QQ', /class="fault"/],
      ['date', '', /Say what it is/],
      ['moneyOut', 'Nothing like it', /Money out/],
    ] as const) {
      const wrong = await browser.get(`${path}?set=${subject}&value=${value}`);
      assert.equal(wrong.status, 422, subject);
      assert.match(wrong.text, /<title>Error: /);
      assert.match(wrong.text, words);
      assert.match(wrong.text, new RegExp(`name="set" value="${subject}"`));
      if (value !== '') assert.match(wrong.text, new RegExp(`name="value"[^>]*value="${value}"`));
      assert.equal((await browser.get(path)).status, 200);
    }
    const contradicted = await browser.get(`${path}?header=90`);
    assert.equal(contradicted.status, 422);
    assert.match(contradicted.text, /Without the last answer/);
    assert.equal((await browser.get(`${path}?header=x`)).status, 422);
  });

  it('lists rejected rows, and gives them as a file to correct', async (test) => {
    const { browser, choose, imported } = await openImport(test);
    const good = Array.from({ length: 30 }, (_, at) => `2026-01-01,G${at},Ann,Fee,${at + 1}.00\n`);
    const text = `Date,Trans No,Supplier Name,Description,Amount\n${good.join('')}`;
    const bad = '2026-02-30,B1,"=cmd|1","Rent, late",12.00\n';
    const { path, page } = await choose('bad.csv', text + bad);
    assert.match(page.text, /Rejected\s+rows/);
    assert.match(page.text, /data-label="Line">32<.*there is no 30 February 2026/s);
    assert.match(page.text, /<span class="tag rejected"><bdi>Date<\/bdi><\/span> <bdi>&quot;2026/);
    assert.match(page.text, /Rent, late/);
    assert.match(page.text, /The cells in it are unchanged, including formulas\./);
    await browser.send(path, { form: markOf(page.text) });
    assert.equal(imported().length, 30);
    const file = await browser.get(`${path}/rejected`);
    assert.match(file.headers.get('content-disposition') ?? '', /attachment/);
    assert.match(
      file.text,
      /^Date,Trans No,Supplier Name,Description,Amount,line,code,reason\r?\n/,
    );
    assert.match(file.text, /2026-02-30,B1,=cmd\|1,"Rent, late",12\.00,32,/);
    const corrected = await choose('fixed.csv', file.text.replace('02-30', '02-28'));
    assert.match(corrected.page.text, /Import 1 transaction</);
  });

  it('counts the same rows on every page', async (test) => {
    const { browser, choose } = await openImport(test);
    const rows = ['01-02,ok,12.00', '02-30,bad date,1.00', '03-01,bad amount,abc', '03-02,,5.00'];
    const text = ['Date,Text,Amount', ...rows.map((row) => `2026-${row}`), '2026-03-04,in,-5.00'];
    const { path } = await choose('bad.csv', `${text.join('\n')}\n`);
    const asked = await browser.get(`${path}?money-out=positive`);
    assert.match(asked.text, /step 2 of 3.*<p>5 rows, .*3 of 5 rows would be rejected/s);
    const ready = await browser.get(`${path}?money-out=positive&row=all`);
    assert.match(ready.text, /step 3 of 3.*<p>5 rows, .*<dt>Rejected<\/dt><dd>3 /s);
  });

  it('asks in words that need no explanation', async (test) => {
    const { choose } = await openImport(test);
    const { page } = await choose(
      'words.csv',
      'Posted,Note,Amount\n2026-01-31,Rent,"1,250"\n2026-01-30,Heat,"2,500"\n',
    );
    assert.match(page.text, />a point: &quot;1,250&quot; is 1250</);
    assert.match(page.text, />a comma: &quot;1,250&quot; is between 1 and 2</);
    const sides = await choose(
      'sides.csv',
      'Posted,Note,Amount\n2026-01-31,Rent,1.50\n2026-01-30,Heat,2.50\n',
    );
    assert.match(sides.page.text, /Is that money out or money in\?/);
    assert.match(sides.page.text, />money out<\/bdi><\/b>/);
    assert.match(sides.page.text, />money in<\/bdi><\/b>/);
    assert.doesNotMatch(sides.page.text, /positive amounts|negative amounts/);
    assert.match(page.text, /Change it if other columns say more/);
    for (const { text } of [page, sides.page]) assert.doesNotMatch(text, /COLUMN/);
  });

  it('reads corrected rows as the file that they come from, with the same ids', async (test) => {
    const { browser, choose, imported } = await openImport(test);
    const rows = ['01/02/2026,Rent,1200.00', '03/04/2026,Back,-20.50', '31/02/2026,Heat,33.10'];
    const text = (last = rows[2]) =>
      `Posted,Details,Value\n${[...rows.slice(0, 2), last].join('\n')}\n`;
    const first = await choose('bank.csv', text());
    const answers = [
      ['date-format', 'DD/MM/YYYY'],
      ['money-out', 'positive'],
      ['row', 'all'],
    ] as const;
    const query = new URLSearchParams(
      answers.map(([name, value]): [string, string] => [name, value]),
    );
    const ready = await browser.get(`${first.path}?${query}`);
    assert.match(ready.text, /Import 2 transactions/);
    const form = [['form', markOf(ready.text)], ...answers, ['keep', 'yes']] as const;
    await browser.send(first.path, form);
    const { text: rejected } = await browser.get(`${first.path}/rejected`);
    assert.match(rejected, /^Posted,Details,Value,line,code,reason\r?\n31\/02/);

    const fixed = await choose('fixed.csv', rejected.replace('31/02', '28/02'));
    assert.match(fixed.page.text, /for a file with the same columns/);
    await browser.send(fixed.path, { form: markOf(fixed.page.text) });
    assert.equal(imported().length, 3);
    assert.deepEqual(
      imported().flatMap(({ description }) => (description.includes('Heat') ? description : [])),
      ['Heat'],
    );
    const whole = await choose('whole.csv', text(rows[2]?.replace('31/02', '28/02')));
    assert.match(whole.page.text, /Nothing to import: all rows are stored already/);
  });

  it('excludes what it brought, but nothing that has changed since', async (test) => {
    const { browser, choose, access, service, imported } = await openImport(test);
    const { path, page } = await choose('april.csv', CLEAR);
    const odd = await browser.send(path, { form: markOf(page.text), map: 'nothing' });
    assert.equal(odd.status, 303);
    assert.equal((await browser.get(odd.location ?? '')).status, 422);
    const done = await follow(browser, await browser.send(path, { form: markOf(page.text) }));
    const [first] = imported();
    const target = { transactionId: formatId('txn', first?.id ?? 0), reason: 'other' };
    changeAll(access, exclusions(access, [target]), service.actor());
    const form = fieldsOf(done.text, '/undo');
    const foreign = await browser.send('/undo', { ...form, requests: 'another' });
    assert.equal(foreign.status, 404);
    const after = await follow(browser, await browser.send('/undo', form));
    assert.match(after.text, /2 transactions excluded\. 1 has changed since and was not changed\./);
    assert.doesNotMatch(after.text, /Exclude what it brought/);
    assert.match(
      after.text,
      /Every transaction from this file .* changed since\.\s+<a href="[^"]*excluded/,
    );
    const again = await browser.send('/undo', { ...form, form: markOf(after.text) });
    assert.equal(again.status, 404);
    assert.equal(imported().filter(({ status }) => status === 'excluded').length, 3);
    const [, act = ''] = /name="act" value="(\d+)"/.exec(after.text) ?? [];
    await browser.send('/undo', { form: markOf(after.text), act, to: path });
    assert.equal(imported().filter(({ status }) => status === 'excluded').length, 1);
  });

  it('refuses what is not a file of payments, and says what to do', async (test) => {
    const { browser, send, choose } = await openImport(test);
    const refused: [name: string, text: string | Uint8Array, words: RegExp][] = [
      ['rows.json', '[]', /is a JSON file/],
      ['none.csv', '', /is empty/],
    ];
    for (const [name, text, words] of refused) {
      const { status, text: page } = await send(name, text);
      assert.equal(status, 422, name);
      assert.match(page, words);
    }
    const empty = await browser.upload('', '');
    assert.match(empty.text, /Choose a file/);
    for (const [name, text, words] of [
      ['scan.csv', '%PDF-1.4', /it is a PDF/],
      ['bank.csv', 'OFXHEADER:100', /it is OFX without a statement/],
      ['words.csv', 'only,words\nand,more\n', /no line has a date and an amount/],
    ] as const) {
      const { page } = await choose(name, text);
      assert.equal(page.status, 422);
      assert.match(page.text, words);
    }
    const large = await send('large.csv', 'x'.repeat(21 * 1024 * 1024));
    assert.equal(large.status, 413);
    assert.match(large.text, /up to 20 MB here\. <code>budgetd import<\/code>/);
  });

  it('names encodings as people write them', () => {
    const names = ['utf-8', 'windows-1252', 'iso-8859-15', 'shift_jis', 'macintosh', 'koi8-r'];
    assert.deepEqual(
      names.map((each) => nameValue('encoding', each)),
      ['UTF-8', 'Windows-1252', 'ISO-8859-15', 'Shift_JIS', 'Macintosh', 'KOI8-R'],
    );
  });

  it('refuses amounts in another currency', async (test) => {
    const { choose } = await openImport(test);
    const { page } = await choose('euro.csv', CLEAR.replaceAll(/(\.\d\d)/g, '$1 EUR'));
    assert.match(page.text, /Its amounts are in EUR, but/);
    assert.doesNotMatch(page.text, /<button class="button primary">Import/);
  });

  it('keeps a file for the session that sent it, and deletes it in the end', async (test) => {
    const desk = await openImport(test);
    const { browser, choose } = desk;
    const { path } = await choose('april.csv', CLEAR);
    await addUser(desk, 'owner', 'other@example.org');
    const other = await Browser.of(desk, 'other@example.org');
    for (const each of [path, `${path}/rejected`, '/import/nothing']) {
      const foreign = await other.get(each);
      assert.equal(foreign.status, 404);
      assert.match(foreign.text, /has expired/);
    }
    assert.equal((await other.send(path, {})).status, 404);
    for (const name of ['2.csv', '3.csv', '4.csv']) await choose(name, CLEAR);
    assert.equal((await browser.get(path)).status, 404, 'three files a user');
  });

  it('keeps files beside the database, and removes what a killed service left', async (test) => {
    const house = folderFor(test);
    const file = join(house, 'db');
    const folder = `${file}-uploads`;
    const options = { database: file, create: true, exclusive: true };
    const { choose, service } = await openImport(test, options);
    await choose('april.csv', CLEAR);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    const [held = '', ...more] = readdirSync(folder);
    assert.deepEqual(more, []);
    await service.close();
    assert.ok(!existsSync(folder));

    const [upload = ''] = held.split('.');
    mkdirSync(folder);
    for (const name of [upload, held, `${upload}.rejected`, 'notes.txt']) {
      writeFileSync(join(folder, name), CLEAR);
    }
    const again = await createService(options);
    test.after(() => again.close());
    await again.listen({ port: 0 });
    assert.deepEqual(readdirSync(folder), ['notes.txt']);
  });

  it('leaves nothing in the temporary folder', async (test) => {
    const before = process.env['TMPDIR'];
    const folder = folderFor(test);
    process.env['TMPDIR'] = folder;
    test.after(() => {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    });
    const { choose, service } = await openImport(test);
    await choose('april.csv', CLEAR);
    assert.equal(readdirSync(folder).length, 1);
    await service.close();
    assert.deepEqual(readdirSync(folder), []);
  });
});
