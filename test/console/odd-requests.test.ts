/** Requests that no page makes, of someone who is signed in: each gets a page that says so. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PATHS } from '../../src/console/components/paths.ts';
import { FILTERS } from '../../src/console/components/transaction-filters.ts';
import { formatId } from '../../src/core/ids.ts';
import { getTransaction } from '../../src/operations/transactions.ts';
import { fieldsOf, openDesk } from './desk.ts';
import { furnish } from './furnish.ts';
import { openImport } from './importing.ts';
import { openOffice } from './office.ts';
import { enterAs, walkPages } from './walk-pages.ts';

/** What every object of JavaScript has, also one without members of its own. */
const INHERITED = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];

/** What the address of a page about a file may have. */
const MEMBERS = [
  ...['map', 'encoding', 'delimiter', 'header', 'date-format', 'decimal', 'money-out', 'currency'],
  ...['not-row', 'row', 'again', 'answered', 'q1', 'change', 'set', 'value'],
];

describe('a request that no page makes', () => {
  it('has names of JavaScript as answers about a file', async (test) => {
    const { browser, choose } = await openImport(test);
    const { path } = await choose('a.csv', 'Date,Text,Amount\n2026-01-01,Tea,1.50\n');
    for (const name of INHERITED) {
      const odd = [...MEMBERS.map((member) => `${member}=${name}`), `map=${name}%3D${name}`];
      for (const query of [...odd, `${name}=x`, `set=currency&value=${name}`]) {
        const { status } = await browser.get(`${path}?${query}`);
        assert.ok([200, 303, 422].includes(status), `${query}: ${status}`);
      }
    }
    const { status, text } = await browser.get(`${path}?currency=constructor&money-out=positive`);
    assert.deepEqual([status, /<h1><bdi>a\.csv/.test(text)], [422, true]);
  });

  it('has names of JavaScript as filters of the list', async (test) => {
    const { browser } = await openDesk(test);
    for (const member of Object.keys(FILTERS)) {
      for (const name of INHERITED) {
        const { status } = await browser.get(`${PATHS.list}?${member}=${name}`);
        assert.ok([200, 404, 422].includes(status), `${member}=${name}: ${status}`);
      }
    }
  });

  it('searches for a text that is longer than any field', async (test) => {
    const { browser, access } = await openDesk(test);
    // The second is short, and its address is not.
    const texts = ['x'.repeat(50_001), encodeURIComponent('€'.repeat(2_500))];
    const amountOf = (id: string) => getTransaction(access, id).allocatedMinor;
    for (const [at, text] of [...texts, ...texts].entries()) {
      const id = formatId('txn', at + 1);
      const panel = await browser.get(`/transactions?open=${id}`);
      const fields = fieldsOf(panel.text, '/transactions/allocate');
      const shares = { line: formatId('bln', 1), amount: '5', do: at < 2 ? 'save' : 'next' };
      const form = { ...fields, ...shares, filters: `q=${text}` };
      assert.equal(amountOf(id), 0);
      const { status, location } = await browser.send('/transactions/allocate', form);
      assert.equal(status, 303);
      assert.equal(amountOf(id), 500);
      const page = await browser.get(location ?? '');
      assert.deepEqual([page.status, /role="status"/.test(page.text)], [200, true]);
    }
    assert.equal((await browser.get(`/transactions?q=${'x'.repeat(10_000)}`)).status, 200);
  });
});

describe('12 the address of a page', () => {
  it('is known where a link leads, and the page says what of it is not known', async (test) => {
    const office = await openOffice(test);
    const say = (most: number) => 'Text'.slice(0, most);
    const { access, ownerEmail } = furnish(office.service, say, 'address');
    const browser = enterAs(office, access, ownerEmail);
    const file = await browser.upload('a.csv', 'Date,Text,Amount\n2026-01-01,Tea,1.50\n');
    const panel = `/transactions?open=${formatId('txn', 1)}`;
    const { pages } = await walkPages(browser, [panel, file.location ?? '']);
    for (const { path, text } of pages)
      assert.doesNotMatch(text, /page does not know|\[object /, path);
    const framed = pages.filter(({ text }) => text.includes('<header class="bar">'));
    assert.ok(framed.length > 50, String(framed.length));
    for (const { path } of framed) {
      const more = path.includes('?') ? '&' : '?';
      const { status, text } = await browser.get(`${path}${more}stattus%3C=open&stattus%3C=a`);
      if (status === 200)
        assert.match(
          text,
          /page does not know these parts of its address: <bdi>stattus&lt;<\/bdi>\./,
          path,
        );
    }
  });
});
