/** The keys of the console, which only its script knows. */

import { type Html, html } from '../../http/html.ts';
import { pairList } from './elements.ts';

/** What on a page has keys: a list of transactions, or a grid of amounts. */
export type KeyPlace = 'list' | 'grid';

/** What the keys of a place do. */
const KEYS: Readonly<Record<KeyPlace, readonly (readonly [keys: Html, what: string])[]>> = {
  list: [
    [html`<kbd>j</kbd> or <kbd>↓</kbd>`, 'the transaction below'],
    [html`<kbd>k</kbd> or <kbd>↑</kbd>`, 'the transaction above'],
    [html`<kbd>Enter</kbd>`, 'opens it'],
    [html`<kbd>x</kbd>`, 'selects it, or clears the selection'],
    [html`<kbd>Shift</kbd> + <kbd>x</kbd> or click`, 'selects up to here'],
    [html`<kbd>a</kbd>`, 'goes to the budget line for the selection'],
  ],
  grid: [
    [html`<kbd>Enter</kbd> or <kbd>↓</kbd>`, 'the line below'],
    [html`<kbd>↑</kbd>`, 'the line above'],
    [html`<kbd>→</kbd> or <kbd>Tab</kbd>`, 'the next month'],
    [html`<kbd>←</kbd>`, 'the month before'],
    [
      html`<kbd>Ctrl</kbd> + <kbd>V</kbd>`,
      'fills the cells from here with a block of a spreadsheet',
    ],
  ],
};

/** The keys of a place, and when they work. */
export function keyTable(place: KeyPlace): Html {
  return pairList(KEYS[place]);
}

/** The keys of a page, for its footer. Hidden unless the script runs, which handles them. */
export function keysOfPage(place: KeyPlace, isOn: boolean): Html {
  const table = html`${keyTable(place)}<p>They work while the ${place} has the focus.</p>`;
  const off = html`<p>Keys in lists are off. <a href="/account#keys">Switch them on</a></p>`;
  return html`<details class="keys" data-script hidden><summary>Keys of this page</summary>
${place === 'grid' || isOn ? table : off}</details>`;
}
