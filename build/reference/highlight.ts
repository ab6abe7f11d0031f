/** Colours for code: comments, strings, numbers and keywords. The text is unchanged. */

import { ADDRESS } from '../../src/docs/routes.ts';
import { type Html, html } from '../../src/http/html.ts';

/** The languages of code on the page. */
export type Language = 'json' | 'curl' | 'powershell' | 'python' | 'node' | 'csharp';

const TEXT = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/.source;
const NUMBER = /(?<![\w.-])-?\d+(?:\.\d+)?\b/.source;

const GRAMMARS: Readonly<Record<Language, { comment: string; words: string }>> = {
  json: { comment: '(?!)', words: 'true|false|null' },
  curl: { comment: '(?<=^|\\s)#.*', words: 'curl|export|cat|budgetd' },
  powershell: {
    comment: '#.*',
    words: 'do|while|foreach|in|try|catch|throw|[A-Z]\\w+-[A-Z]\\w+',
  },
  python: {
    comment: '#.*',
    words: 'import|with|as|try|except|for|in|if|is|not|while|break|True|False|None',
  },
  node: {
    comment: '//.*',
    words: 'const|let|for|of|if|await|new|throw|break|true|false|null',
  },
  csharp: {
    comment: '//.*',
    words: 'using|var|new|await|if|is|not|null|foreach|in|do|while|return|string',
  },
};

/** Code as HTML, with the address in it marked for the page's script. */
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
