/** A long page is never one text: each piece of it is encoded in its own turn. */

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { encoded } from '../../src/http/answer.ts';
import { Html, html } from '../../src/http/html.ts';
import { pageReply } from '../../src/http/pages.ts';

const ROW = html`<tr><td>${'5 €'.padEnd(1000, '.')}</td></tr>`;
const LONG = html`<table>${Array.from({ length: 4000 }, () => ROW)}</table>`;
/** What is encoded at once, in UTF-16 units: the end of one list and the beginning of the next. */
const MOST_UNITS = 600_000;

it('a long list is in pieces, whatever is around it', () => {
  const page = html`<main>${html`<p>Text</p>${[LONG, html`<p>${LONG}</p>`]}`}</main>`;
  assert.ok(page.pieces.length > 20);
  for (const piece of page.pieces) assert.ok(piece.length < MOST_UNITS, `${piece.length} units`);
  const text = `<table>${ROW.text.repeat(4000)}</table>`;
  assert.equal(page.text, `<main><p>Text</p>${text}<p>${text}</p></main>`);
});

it('other work has its turn after each piece of every page', async () => {
  const reply = pageReply(LONG);
  assert.ok(Array.isArray(reply.body));
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const [one, other] = await Promise.all([encoded(reply), encoded(reply)]);
  isOver = true;
  assert.ok(turns >= 2 * LONG.pieces.length, `${turns} turns`);
  assert.deepEqual(one.body, Buffer.from(LONG.text));
  assert.deepEqual(other.body, one.body);
});

it('a short page is bytes at once', () => {
  const reply = pageReply(new Html('<p>é</p>'));
  assert.deepEqual(reply.body, Buffer.from('<p>é</p>'));
  assert.equal(encoded(reply), reply);
});
