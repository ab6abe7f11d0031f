import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openDesk, push, textOf } from './desk.ts';

describe('the totals of a long list', () => {
  it('counts a long list on a page of its own, which the script fetches', async (test) => {
    const desk = await openDesk(test);
    const { browser, rows } = desk;
    const long = { ...rows[1], description: 'é'.repeat(1000), amount: 2 };
    push(
      desk,
      Array.from({ length: 500 }, (_, at) => ({ ...long, externalId: `LONG-${at}` })),
    );
    const soon = await browser.get('/transactions?q=éé');
    assert.match(soon.text, />To allocate<\/a>/);
    assert.match(textOf(soon.text), /Count and add up all matching transactions/);
    assert.match(soon.text, />All matching this\s+filter</);
    assert.match(soon.text, />1 to 40<\/span>/);
    const [, address = ''] = /href="([^"]*)" data-count/.exec(soon.text) ?? [];
    const { text } = await browser.get(address.replaceAll('&amp;', '&'));
    assert.match(text, /To allocate <span class="figure">500</);
    assert.match(textOf(text), /500 transactions money out 1,000\.00/);
    assert.match(text, />All 500 matching this\s+filter</);
    assert.match(text, />1 to 40 of 500<\/span>/);
  });
});
