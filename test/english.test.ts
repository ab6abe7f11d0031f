import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listProse, listValueEndings } from './code.ts';
import { listFiles, readText } from './repository.ts';

/** The files whose English is checked. */
const CHECKED = [/./];

/** This list itself, what others wrote, and files of earlier versions. */
const NOT_CHECKED = [
  /^test\/english\.test\.ts$/,
  /^test\/store\/fixtures\//,
  /^data\/.*\.(?:csv|json)$/,
  /^LICENSE$|^package-lock\.json$/,
];

/** Phrases that read like a translation, what to write instead, and an example of each. */
const PHRASES: readonly (readonly [phrase: RegExp, better: string, example: string])[] = [
  [
    /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b)/i,
    'is not a, there is no',
    'That is no row.',
  ],
  [/(?<!\bthere )\b(?:is|are) none\b/, 'is not one, is missing', 'An allocation of 0 is none.'],
  [
    /\bstand(?:s|ing)?\b(?!-in\b| still\b| order\b)/i,
    'is, comes, means',
    'Lines 1 to 2 stand before the rows.',
  ],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, correct', 'Mend that one and push it.'],
  [/\bparted by\b/i, 'separated by', 'values parted by commas'],
  [/\b(?:say|said) (?:`?--|one of\b|which\b)/i, 'pass, use', 'Say one of --keep and --clear.'],
  [/\bunless (?:said|given|told)\b/i, 'by default', '100 unless given'],
  [
    /\bwhat (?:\S+ ){0,6}holds?\b/i,
    'the contents of',
    'What "book.xlsx" holds is not told by its ending',
  ],
  [
    /\b(?:is|are|be) told (?:by|apart|without)\b/i,
    'can be identified by',
    'It is told by its ending.',
  ],
  [/\btold to stop\b/i, 'until you stop it', 'It runs until it is told to stop.'],
  [/\bwhole truth\b/i, 'replaces the whole', 'A row is the whole truth about its transaction.'],
  [
    /\b(?:is|are|was|were) left (?:alone|out)\b/i,
    'is ignored, is omitted',
    'Other files are left alone.',
  ],
  [/\bgo(?:es)? on\b/i, 'continues, keeps running', '`serve` goes on until Ctrl-C.'],
  [/\bit serves at\b/i, 'Listening on', 'It serves at http://127.0.0.1 until Ctrl-C.'],
  [/\bserv(?:es|ing) .{0,30}until ctrl-c\b/i, 'Press Ctrl-C to stop', 'serves until Ctrl-C'],
  [/\b(?:is|are) invalid characters\b/i, 'contains a control character', 'is invalid characters.'],
  [/\bnothing is ever\b/i, 'budgetd never', 'Nothing is ever written over.'],
  [/\bmakes good\b/i, 'fixes', 'This makes good what was lost.'],
  [
    /\bfor (?:people|programs)\b(?! (?:that|who|whose)\b)/i,
    'human-readable, machine-readable',
    'a table for people',
  ],
  [/\bcounts in [A-Z]{3}\b/, 'uses', 'The service counts in GBP.'],
  [/\bways? out\b/i, 'option, how it ends', 'the three ways out of a review'],
  [/\bcomes? out as\b/i, 'results in', 'a share may come out as 0'],
  [/\bflag (?:is|goes|went) (?:up|down)\b/i, 'is set, is cleared', 'while the flag is up'],
  [/\b(?:an?|one) (?:line|entry|row|file) an? \w+/i, 'one line per file', 'An entry a line.'],
  [/\bthe service is out\b/i, 'the service is unavailable', 'when the service is out'],
  [/\bone's own\b/i, 'your own, separate', "a line of one's own"],
  [/\b(?:anew|afresh)\b/i, 'again, new', 'The file is written anew.'],
  [/\bh[eo]lds? (?:\w+ )?against\b/i, 'compare with', 'held against the same filters'],
  [/\bc[oa]mes? of (?:it|that)\b/i, 'the result', 'What came of it.'],
  [/\bever longer\b/i, 'twice as long each time', 'It waits ever longer.'],
  [/\b(?:at|for|in|after|within) so (?:many|much)\b/i, 'this many', 'It ends after so many rows.'],
  [
    /\b(?:errors|warnings|rows|items|records|values) an? (?:row|page|line|file|batch|push)\b/i,
    'per row',
    'at most 20 errors a row',
  ],
  [/\bwithout a word\b/i, 'silently', 'It is dropped without a word.'],
  [/\bwhere (?:it|there) (?:has|is|are) none\b/i, 'if there is none', '0 where there is none'],
  [/\bknows? no\b/i, 'does not use, does not depend on', 'Knows no socket.'],
  [
    /\b(?:lies|lie|lay) (?:in|at|on|beside|before|behind|between|outside|within)\b/i,
    'is in, is outside',
    'The date lies in March.',
  ],
  [/\bno such day\b/i, 'not a real date, there is no', 'no such day'],
  [/\b(?:row|file|body)s? (?:is|are) taken\b/i, 'is accepted', 'The row is taken.'],
  [/\bsomebody\b/i, 'someone', 'Somebody else saved it.'],
  [/\blook and \w+\b/i, 'preview and', 'Look and allocate'],
  [/\bleft as they are\b/i, 'not changed', '2 transactions, left as they are'],
  [/[\d…] %(?= ?[a-z¶.,<])/, '86%', '86 % of the budget'],
  [/\b[Ee]-mail/, 'email', 'This is not an e-mail address.'],
  [/\bmeanwhile\b/i, 'while you were editing, at the same time', 'It has changed meanwhile.'],
];

const FILES = listFiles().filter(
  (file) => CHECKED.some((part) => part.test(file)) && !NOT_CHECKED.some((part) => part.test(file)),
);

describe('plain English', () => {
  for (const file of FILES) {
    it(file, () => assert.deepEqual(findPhrases(proseOf(file, readText(file))), []));
  }

  for (const [phrase, , example] of PHRASES) {
    it(`catches: ${example}`, () => assert.match(example, phrase));
  }

  it('says "1 row", because words after a number come from `core/counts.ts`', () => {
    const files = FILES.filter((file) => /^src\/.*\.ts$/.test(file));
    const found = files.flatMap((file) => {
      return findUncounted(readText(file)).map((each) => `${file}: ${each}`);
    });
    assert.deepEqual(found, []);
  });

  it('begins a doc comment with its noun, not with words about the one above', () => {
    const files = FILES.filter((file) => /\.[jt]s$/.test(file));
    const found = files.flatMap((file) => {
      return [...readText(file).matchAll(NOUNLESS)].map(([begin]) => `${file}: ${begin}`);
    });
    assert.deepEqual(found, []);
    assert.match('/** The same in short steps. */', new RegExp(NOUNLESS.source));
  });

  it('catches a number with a noun in the plural', () => {
    const code = '`@{rows.length} new rows` + `<b>@{count}</b> lines` + `@{mostRows} rows`;';
    const found = findUncounted(code.replaceAll('@', '$'));
    assert.deepEqual(found, [`\${rows.length} new rows`, `\${count} lines`]);
  });

  const fine = [
    'There is no 29 February 2026.',
    'Skipped lines 1–2, before the header.',
    'Cannot read book.xlsx: use CSV, JSON or NDJSON.',
    'An allocation cannot be 0. Leave that line out.',
    'You can put the mapping in a file instead.',
    'Each push replaces the whole transaction.',
    'The key is no longer valid.',
    'even if the clock stands still',
    'if value is None:',
    'for programs whose `lib` is older',
    'Creates the database if there is none.',
    'Listening on http://127.0.0.1:8080. Press Ctrl-C to stop.',
  ];
  it('accepts plain sentences', () => {
    assert.deepEqual(fine.flatMap(findPhrases), []);
  });

  it('reads only comments and strings of code, across lines', () => {
    const code = "/**\n * It is\n * none.\n */\nconst stand = 'mend';\nconst goesOn = `a b`;";
    const prose = proseOf('a.ts', code);
    assert.match(prose, /It is none\./);
    assert.match(prose, /mend/);
    assert.doesNotMatch(prose, /const|goesOn/);
  });

  it('reads templates within templates, without values and tags', () => {
    const page = '`<p>It is @{a && `<b title="2">none</b> @{`mend`}`}, <i>parted</i> by`';
    const prose = proseOf('a.ts', page.replaceAll('@', '$'));
    assert.equal(findPhrases(prose).length, 2);
    assert.match(prose, /It is …, parted by ¶ none … ¶ mend/);
  });
});

/** A doc comment that makes no sense without another one. */
const NOUNLESS = /\/\*\*\s*(?:\* )?(?:The same|So many|Those|Apart by)\b/g;

const COUNTED =
  'bytes cells changes codes columns days entries errors fields files findings keys lines ' +
  'minutes months projects questions rows seconds transactions users values';
const BEFORE = 'accepted|later|more|new|older|other|rejected|unallocated';

/** Numbers with a noun that would be wrong after 1; not after the name of a limit. */
function findUncounted(code: string): string[] {
  const nouns = COUNTED.replaceAll(' ', '|');
  const plural = new RegExp(
    `^\\$\\{[^'"\`]+\\} (?:(?:${BEFORE}) )?(?:${nouns})\\b(?! (?:list|reset-password)\\b)`,
  );
  const limit = /^..[\w.]*?(?:[mM]ax|[mM]ost|[lL]imit)|^..[A-Z_]+(?:\.\w+)?\}/;
  return listValueEndings(code).filter((each) => plural.test(each) && !limit.test(each));
}

/** The phrases in a text, each with its surroundings and what to write instead. */
function findPhrases(text: string): string[] {
  return PHRASES.flatMap(([phrase, better]) =>
    [...text.matchAll(new RegExp(phrase.source, `g${phrase.flags}`))].map(({ index }) => {
      const around = text.slice(Math.max(0, index - 30), index + 50);
      return `"…${around}…": ${better}`;
    }),
  );
}

/** The words of a file on one line; for code, only its comments and strings. */
function proseOf(file: string, text: string): string {
  const words = /\.[jt]s$/.test(file) ? listProse(text).join(' ¶ ') : text;
  return words.replace(/\s+/g, ' ');
}
