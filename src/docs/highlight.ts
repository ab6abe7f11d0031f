/** Colours for code: comments, texts, words of the language. The text itself stays as it is. */

import { type Html, html } from '../http/html.ts';

/**
 * Stands for the service's address until a page is sent: a character that no text of ours holds.
 * The samples hold it, and what is made of it is what the script of the page looks for.
 */
export const ADDRESS = '\u{e000}';

/** The languages of code on the page. */
export type Language = 'json' | 'curl' | 'powershell' | 'python' | 'node';

const TEXT = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/.source;
const NUMBER = /(?<![\w.-])-?\d+(?:\.\d+)?\b/.source;

const GRAMMARS: Readonly<Record<Language, { comment: string; words: string }>> = {
  json: { comment: '(?!)', words: 'true|false|null' },
  curl: { comment: '(?<=^|\\s)#.*', words: 'curl' },
  powershell: {
    comment: '#.*',
    words: 'do|while|foreach|in|try|catch|throw|[A-Z]\\w+-[A-Z]\\w+',
  },
  python: {
    comment: '#.*',
    words: 'import|with|as|try|except|for|in|if|is|while|break|True|False|None',
  },
  node: {
    comment: '//.*',
    words: 'const|let|for|of|if|await|new|throw|break|true|false|null',
  },
};

/** Code as HTML, the address in it marked for the page's script. */
export function highlight(code: string, language: Language): Html {
  const { comment, words } = GRAMMARS[language];
  const word = `(?<![\\w$.-])(?:${words})(?![\\w-])`;
  const token = new RegExp(
    `(?<text>${TEXT})|(?<comment>${comment})|(?<number>${NUMBER})|(?<word>${word})`,
    'gm',
  );
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const found of code.matchAll(token)) {
    parts.push(withAddress(code.slice(end, found.index)));
    parts.push(html`<span class="${kindOf(found, code)}">${withAddress(found[0])}</span>`);
    end = found.index + found[0].length;
  }
  return html`${parts}${withAddress(code.slice(end))}`;
}

function withAddress(text: string): Html {
  const parts = text.split(ADDRESS);
  return html`${parts.map((part, at) => {
    return at === 0 ? part : html`<span class="address">${ADDRESS}</span>${part}`;
  })}`;
}

function kindOf({ groups, index, 0: text }: RegExpExecArray, code: string): string {
  if (groups?.['text'] !== undefined) {
    return code.startsWith(': ', index + text.length) ? 'key' : 'text';
  }
  const { comment, number } = groups ?? {};
  return comment !== undefined ? 'comment' : number !== undefined ? 'number' : 'word';
}
