import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openDesk, push, textOf } from './desk.ts';

/** A desk with payments of several amounts, and a browser whose decimals have a comma or not. */
async function openBooks(test: TestContext, language: string) {
  const desk = await openDesk(test);
  const row = (description: string, amount: number) => {
    return { externalId: description, date: '2026-02-01', description, amount };
  };
  push(desk, [
    row('QUAYSIDE PROPERTIES RENT', 1250),
    row('Rent of chairs', 12.5),
    row('Rent paid back', -12.5),
    row('Order 1250', 3),
  ]);
  desk.browser.headers['accept-language'] = language;
  const find = async (text: string) => {
    const { text: page } = await desk.browser.get(`/transactions?q=${encodeURIComponent(text)}`);
    const names = [...page.matchAll(/class="row-link"[^>]*>(?:<[^>]*>)*([^<]*)/g)];
    const [, count = ''] = /(\d+) transactions? money out/.exec(textOf(page)) ?? ['', '0'];
    assert.equal(names.length, Number(count));
    return names.map(([, name = '']) => name);
  };
  return { ...desk, find };
}

describe('a search of transactions', () => {
  it('finds words in any order, in any of the texts, and amounts', async (test) => {
    const { find } = await openBooks(test, 'en-GB');
    const [quayside, chairs, back, order] = [
      'QUAYSIDE PROPERTIES RENT',
      'Rent of chairs',
      'Rent paid back',
      'Order 1250',
    ];
    for (const [text, found] of [
      ['rent quayside', [quayside]],
      ['  quayside   RENT ', [quayside]],
      ['hire ann', ['Ann']],
      ['hire ann cat', []],
      ['12.50', [chairs, back]],
      ['-12.50', [back]],
      ['−12.5', [back]],
      ['rent 12.50', [chairs, back]],
      ['1,250', [quayside]],
      ['1250', [quayside, order]],
      ['a b c d e f g h i', []],
      ['q u a y s i d e', [quayside]],
      ['q u a y s i d rties rent', [quayside]],
      ['q u a y s i d rent properties', []],
    ] as const) {
      assert.deepEqual((await find(text)).sort(), [...found].sort(), text);
    }
  });

  it('reads amounts as the reader writes them', async (test) => {
    const { find } = await openBooks(test, 'de-DE');
    assert.deepEqual(await find('1.250'), ['QUAYSIDE PROPERTIES RENT']);
    assert.deepEqual((await find('12,50')).sort(), ['Rent of chairs', 'Rent paid back']);
  });
});
