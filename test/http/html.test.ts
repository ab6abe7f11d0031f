import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { escapeHtml, html } from '../../src/http/html.ts';

describe('the html template', () => {
  const cases: [what: string, piece: { text: string }, expected: string][] = [
    ['escapes a text', html`<p>${'<b>"&\''}</p>`, '<p>&lt;b&gt;&quot;&amp;&#39;</p>'],
    [
      'escapes an attribute',
      html`<p title="${'" onclick="x'}">`,
      '<p title="&quot; onclick=&quot;x">',
    ],
    ['accepts a number', html`${0}${-1.5}`, '0-1.5'],
    ['inserts HTML unchanged', html`<ul>${html`<li>${'&'}</li>`}</ul>`, '<ul><li>&amp;</li></ul>'],
    ['joins nested lists', html`${['<', [html`<br>`, 'a']]}`, '&lt;<br>a'],
    ['omits false, null and undefined', html`a${false}${null}${undefined}${''}b`, 'ab'],
  ];
  for (const [what, { text }, expected] of cases) {
    it(what, () => assert.equal(text, expected));
  }

  it('escapes for both kinds of quotation marks', () => {
    assert.equal(escapeHtml(`<>&"'`), '&lt;&gt;&amp;&quot;&#39;');
  });
});
