/** Converts the Markdown of descriptions to HTML: only the parts that they use. */

import { type Html, html } from '../../src/http/html.ts';

/** Paragraphs, lists, notes (`> …`) and tables. */
export function prose(text: string): Html {
  const blocks = text.split(/\n{2,}/).filter((block) => block.trim() !== '');
  return html`${blocks.map((block) => {
    if (block.startsWith('- ')) return list(block);
    if (block.startsWith('> ')) return note(block);
    return block.startsWith('|') ? table(block) : html`<p>${inline(block)}</p>`;
  })}`;
}

/** Code and bold text within a line. */
export function inline(text: string): Html {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return html`${parts.map((part) => {
    if (part.startsWith('`')) return inlineCode(part.slice(1, -1));
    return part.startsWith('**') ? html`<strong>${inline(part.slice(2, -2))}</strong>` : part;
  })}`;
}

/** The sections of a text with headings of the second level, by heading; '' for the lead. */
export function sections(text: string): Map<string, string> {
  const [before = '', ...rest] = text.split(/^## (.+)$/m);
  const found = new Map([['', before.trim()]]);
  for (let at = 0; at < rest.length; at += 2) {
    found.set(rest[at] ?? '', rest[at + 1]?.trim() ?? '');
  }
  return found;
}

/** Short code does not break at its hyphens. */
function inlineCode(code: string): Html {
  return code.length > WHOLE_CHARACTERS
    ? html`<code>${code}</code>`
    : html`<code class="whole">${code}</code>`;
}

/** The longest code that fits next to a few words on a phone. */
const WHOLE_CHARACTERS = 24;

function list(block: string): Html {
  const items = block.slice(2).split(/\n- /);
  return html`<ul>${items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`;
}

function note(block: string): Html {
  return html`<p class="callout">${inline(block.replace(/^> ?/gm, ''))}</p>`;
}

/** The first line has the headings, the second is a separator. */
function table(block: string): Html {
  const [head = [], , ...rows] = block.split('\n').map((line) => line.split('|').slice(1, -1));
  return html`<div class="table"><table><thead><tr>${head.map(
    (cell) => html`<th scope="col">${inline(cell.trim())}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) => html`<tr>${row.map((cell) => html`<td>${inline(cell.trim())}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}
