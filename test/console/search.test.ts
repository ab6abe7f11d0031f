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
    const names = [...page.matchAll(/class="what"><a [^>]*>(?:<[^>]*>)*([^<]*)/g)];
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

describe('the order of the list', () => {
  it('is turned by the head of the dates, on all pages and beside the list', async (test) => {
    const desk = await openDesk(test);
    const { browser } = desk;
    const row = (at: number) => ({ externalId: `O${at}`, description: `Order ${at}`, amount: 1 });
    push(
      desk,
      Array.from({ length: 60 }, (_, at) => ({ ...row(at), date: `2026-03-${10 + (at % 20)}` })),
    );
    const follow = async (text: string, link: RegExp) => {
      const [, address = ''] = link.exec(text) ?? [];
      return (await browser.get(address.replaceAll('&amp;', '&'))).text;
    };
    const daysOf = (text: string) =>
      [...text.matchAll(/<td [^>]*class="date">([^<]*)</g)].map(([, day]) => {
        return new Date(`${day} UTC`).toISOString();
      });
    const { text } = await browser.get('/transactions?tab=open');
    const oldest = await follow(text, /href="([^"]*)">Date</);
    assert.match(oldest, /aria-label="Transactions, oldest first"/);
    assert.match(oldest, /name="sort" value="oldest"/);
    const second = await follow(oldest, /href="([^"]*)" rel="next">Newer</);
    const all = [...daysOf(oldest), ...daysOf(second)];
    assert.equal(all.length, 64);
    assert.deepEqual(all, [...all].sort());
    assert.deepEqual(
      daysOf(await follow(second, /href="([^"]*)" rel="prev">Older</)),
      daysOf(oldest),
    );
    const panel = await follow(oldest, /class="what"><a href="([^"#]*)/);
    assert.match(panel, /<title>Ann · budgetd<\/title>/);
    assert.match(panel, /aria-label="Select Ann, 1 Jan 2026"/);
    const next = await follow(panel, / · <a href="([^"#]*)[^"]*">Next</);
    assert.match(next, /id="panel-title"><bdi>Bob</);
    assert.deepEqual(daysOf(await follow(oldest, /href="([^"]*)">Date</)), daysOf(text));
    const { status } = await browser.get('/transactions?sort=sideways');
    assert.equal(status, 422);
  });

  it('is by amount where few match, on all pages and beside the list', async (test) => {
    const desk = await openDesk(test);
    const { browser } = desk;
    const row = (at: number) => ({ externalId: `O${at}`, description: `Order ${at}` });
    const amountOf = (at: number) => (at === 7 ? -500 : 1 + ((at * 37) % 90));
    push(
      desk,
      Array.from({ length: 60 }, (_, at) => {
        return { ...row(at), date: `2026-03-${10 + (at % 20)}`, amount: amountOf(at) };
      }),
    );
    const get = async (path: string) => {
      const { status, text } = await browser.get(path.replaceAll('&amp;', '&'));
      assert.equal(status, 200);
      return text;
    };
    const follow = (text: string, link: RegExp) => get(link.exec(text)?.[1] ?? '');
    const minorsOf = (text: string) =>
      [...text.matchAll(/data-minor="(-?\d+)"/g)].map(([, minor]) => Math.abs(Number(minor)));
    const largest = await follow(await get('/transactions?q=Order'), /href="([^"]*)">Amount, GBP</);
    assert.match(largest, /aria-label="Transactions, largest first"/);
    assert.match(textOf(largest), /in −500\.00/);
    const smaller = await follow(largest, /href="([^"]*)" rel="next">Smaller</);
    const all = [...minorsOf(largest), ...minorsOf(smaller)];
    assert.equal(all.length, 60);
    assert.deepEqual(
      all,
      [...all].sort((one, other) => other - one),
    );
    const back = await follow(smaller, /href="([^"]*)" rel="prev">Larger</);
    assert.deepEqual(minorsOf(back), minorsOf(largest));
    const smallest = await follow(largest, /href="([^"]*)">Amount, GBP</);
    assert.deepEqual(minorsOf(smallest), [...all].reverse().slice(0, 40));
    // The rows of a page in their order, and the neighbours of one beside the list.
    const ids = [...largest.matchAll(/class="what"><a href="[^"]*open=(txn_\w+)/g)];
    const panel = await get(`/transactions?q=Order&sort=largest&open=${ids[3]?.[1]}`);
    const beside = [...panel.matchAll(/open=(txn_\w+)[^"]*">(?:Previous|Next)</g)];
    assert.deepEqual(
      beside.map(([, id]) => id),
      [ids[2]?.[1], ids[4]?.[1]],
    );
    const many = Array.from({ length: 7 }, (_, part) =>
      Array.from({ length: 430 }, (__, at) => ({
        ...{ externalId: `M${part}-${at}`, date: '2026-04-01', description: 'Order', amount: 1 },
      })),
    );
    for (const rows of many) push(desk, rows);
    // Of the whole table those that fit are found however many they are.
    const whole = await get('/transactions?q=Order&sort=largest');
    assert.deepEqual(minorsOf(whole), minorsOf(largest));
    const long = await get('/transactions?from=2026-04-01&sort=largest&cursor=sorted&start=41');
    assert.match(textOf(long), /This list is too long to sort by amount/);
    assert.match(long, /aria-label="Transactions, newest first"/);
    assert.match(textOf(long), /1 to 40 of 3,010/);
    assert.match(long, /datetime="2026-04-01"/);
  });
});
