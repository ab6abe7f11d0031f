import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openDesk, push, textOf } from './desk.ts';

describe('the totals of a long list', () => {
  it('counts a long list on a page of its own, which the script fetches', async (test) => {
    const desk = await openDesk(test);
    const { browser, rows } = desk;
    const long = { ...rows[1], description: 'é'.repeat(1000), amount: 2 };
    for (let part = 0; part < 8; part += 1) {
      push(
        desk,
        Array.from({ length: 500 }, (_, at) => ({ ...long, externalId: `LONG-${part}-${at}` })),
      );
    }
    const soon = await browser.get('/transactions?q=éé');
    assert.match(soon.text, />To allocate<\/a>/);
    assert.match(textOf(soon.text), /Count and add up all matching transactions/);
    assert.match(soon.text, />All matching this\s+filter</);
    assert.match(soon.text, />1 to 40<\/span>/);
    const [, address = ''] = /href="([^"]*)" data-count/.exec(soon.text) ?? [];
    const { text } = await browser.get(address.replaceAll('&amp;', '&'));
    assert.match(text, /To allocate <span class="figure">4,000</);
    assert.match(textOf(text), /4,000 transactions money out 8,000\.00/);
    assert.match(text, />All 4,000 matching this\s+filter</);
    assert.match(text, />1 to 40 of 4,000<\/span>/);
  });

  it('does not say that nothing matches before all were looked at', async (test) => {
    const desk = await openDesk(test);
    const { browser, rows } = desk;
    const long = { ...rows[1], description: 'é'.repeat(1000), date: '2026-06-30' };
    for (let part = 0; part < 8; part += 1) {
      push(
        desk,
        Array.from({ length: 500 }, (_, at) => ({ ...long, externalId: `LONG-${part}-${at}` })),
      );
    }
    const soon = await browser.get('/transactions?q=hire');
    assert.match(textOf(soon.text), /Nothing found yet/);
    const [, address = ''] = /href="([^"]*)" data-search/.exec(soon.text) ?? [];
    const { text } = await browser.get(address.replaceAll('&amp;', '&'));
    assert.match(textOf(text), /4 transactions money out/);
    assert.match(text, /class="row-link"/);
  });
});
