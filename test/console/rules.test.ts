import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { importRules, readRules } from '../../src/operations/rules.ts';
import { getTransaction } from '../../src/operations/transactions.ts';
import { fieldsOf, openDesk, push, textOf } from './desk.ts';

const RULES = [
  {
    name: 'Ann <b>',
    conditions: { contact: { is: 'Ann & Co' }, direction: 'out' },
    shares: [
      { line: 'A', percent: 60 },
      { line: 'B', rest: true },
    ],
  },
  {
    name: 'Old',
    until: '2025-01-31',
    conditions: { provider: 'api' },
    shares: [{ line: 'A', rest: true }],
  },
];

async function openRules(test: TestContext) {
  const desk = await openDesk(test, 'admin');
  importRules(desk.access, RULES, desk.service.actor());
  const row = { date: '2026-01-05', description: 'x', contact: 'ann & CO' };
  push(desk, [{ ...row, externalId: 'R-1', amount: 10 }]);
  const number = 5;
  return { ...desk, taken: () => getTransaction(desk.access, formatId('txn', number)).status };
}

describe('the list of rules', () => {
  it('15 says what each does and would take now, in its order', async (test) => {
    const { browser } = await openRules(test);
    const { text } = await browser.get('/rules');
    const said = textOf(text);
    assert.match(said, /contact is Ann &amp; Co and money goes out/);
    assert.match(said, /60 % *A /);
    assert.match(said, /the rest *B /);
    assert.match(said, /Old Ended/);
    assert.match(text, /<bdi>Ann &lt;b&gt;<\/bdi>/);
    assert.match(said, /last By account code/);
  });

  it('15 is moved, switched and emptied by admins; what was seen late is refused', async (test) => {
    const { browser, access } = await openRules(test);
    const { text } = await browser.get('/rules');
    const down = fieldsOf(text, '/rules');
    const moved = await browser.send('/rules', { ...down, rule: formatId('rul', 1), act: 'down' });
    assert.match((await browser.get(moved.location ?? '')).text, /is now rule 2\./);
    const names = () => readRules(access).rules.map(({ name, isOn }) => [name, isOn]);
    assert.deepEqual(names(), [
      ['Old', true],
      ['Ann <b>', true],
    ]);
    const late = await browser.send('/rules', { ...down, rule: formatId('rul', 2), act: 'remove' });
    assert.equal(late.status, 409);
    assert.match(late.text, /The rules have changed since/);
    const fresh = fieldsOf((await browser.get('/rules')).text, '/rules');
    await browser.send('/rules', { ...fresh, rule: formatId('rul', 2), act: 'off' });
    assert.deepEqual(names()[0], ['Old', false]);
    const again = fieldsOf((await browser.get('/rules')).text, '/rules');
    await browser.send('/rules', { ...again, rule: formatId('rul', 2), act: 'remove' });
    assert.deepEqual(names(), [['Ann <b>', true]]);
  });

  it('15 says when the rules run', async (test) => {
    const { browser, access } = await openRules(test);
    const { rule: _, act: __, ...mark } = fieldsOf((await browser.get('/rules')).text, '/rules');
    await browser.send('/rules', { ...mark, automatic: 'yes' });
    assert.equal(readRules(access).automatic, true);
    const { rule: _r, act: _a, ...next } = fieldsOf((await browser.get('/rules')).text, '/rules');
    await browser.send('/rules', { ...next, byCode: 'off' });
    const { automatic, byAccountCode } = readRules(access);
    assert.deepEqual([automatic, byAccountCode], [true, false]);
  });
});

describe('a run of the rules', () => {
  it('15 does exactly what it showed, and can be undone', async (test) => {
    const desk = await openRules(test);
    const { browser, taken } = desk;
    const { text } = await browser.get('/rules/run');
    assert.match(textOf(text), /1 · Ann &lt;b&gt;/);
    const [, rule = ''] = /name="rule" id="rule"\s+value="([^"]*)"/.exec(text) ?? [];
    assert.equal(rule, `${formatId('rul', 1)}~1`);
    const shown = fieldsOf(text, '/rules/run');
    const none = await browser.send('/rules/run', shown);
    assert.equal(none.status, 422);
    assert.match(none.text, /Select at least one rule/);
    push(desk, [
      { externalId: 'R-2', date: '2026-01-06', description: 'y', contact: 'Ann & Co', amount: 1 },
    ]);
    const done = await browser.send('/rules/run', {
      ...fieldsOf(none.text, '/rules/run'),
      ...shown,
      rule,
    });
    const after = await browser.get(done.location ?? '');
    assert.match(textOf(after.text), /1 transaction allocated by 1 rule: 10\.00 out\./);
    assert.equal(taken(), 'allocated');
    await browser.send('/undo', fieldsOf(after.text, '/undo'));
    assert.equal(taken(), 'unallocated');
  });

  it('15 leaves what has changed, and shows a changed list again', async (test) => {
    const desk = await openRules(test);
    const { browser, access, service, taken } = desk;
    const seen = (await browser.get('/rules/run')).text;
    const sent = { ...fieldsOf(seen, '/rules/run'), rule: `${formatId('rul', 1)}~1` };
    const row = { externalId: 'R-1', date: '2026-01-05', description: 'x', contact: 'Ann & Co' };
    push(desk, [{ ...row, amount: 11 }]);
    const left = await browser.send('/rules/run', sent);
    assert.match(
      textOf((await browser.get(left.location ?? '')).text),
      /0 transactions allocated by 0 rules[\s\S]*1 has changed since and was left/,
    );
    const fresh = {
      ...fieldsOf((await browser.get('/rules/run')).text, '/rules/run'),
      rule: sent.rule,
    };
    importRules(access, [], service.actor());
    const refused = await browser.send('/rules/run', fresh);
    assert.equal(refused.status, 409);
    assert.match(refused.text, /the rules or a project have changed/);
    assert.equal(taken(), 'unallocated');
  });
});
