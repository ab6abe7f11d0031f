import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COMPARED_UNITS } from '../../src/core/limits.ts';
import {
  findProseProblems,
  findTextProblems,
  foldCase,
  normalized,
  shortened,
  type TextProblem,
} from '../../src/core/text.ts';

const HIGH = '\ud83d';
const LOW = '\ude00';

describe('contract 6: which characters a text can contain', () => {
  const cases: [text: string, max: number, wanted: TextProblem[], why: string][] = [
    ['Rent', 10, [], 'a text'],
    ['', 10, ['blank'], 'the empty string is blank'],
    [' ', 10, ['blank'], 'a space is blank'],
    ['\u00a0\ufeff\u2003\u3000', 10, ['blank'], 'white space is all that String.trim removes'],
    ['\u200b', 10, [], 'a zero width space is not trimmed'],
    ['\t', 10, ['blank', 'invalid_characters'], 'a tab is blank and a control character'],
    ['   ', 2, ['blank', 'too_long'], 'too many spaces'],
    ['abc', 3, [], 'the greatest length'],
    ['abcd', 3, ['too_long'], 'one character more'],
    ['😀😀😀', 3, [], 'lengths count code points, not UTF-16 units'],
    ['😀😀😀😀', 3, ['too_long'], 'and no others'],
    ['e\u0301e\u0301', 3, ['too_long'], 'a combining mark is a code point'],
    ['a\u0000b', 9, ['invalid_characters'], 'NUL'],
    ['a\u001fb', 9, ['invalid_characters'], 'the last of C0'],
    ['a\u007fb', 9, ['invalid_characters'], 'DEL'],
    ['a\u0085b', 9, ['invalid_characters'], 'NEL, of C1'],
    ['a\u009fb', 9, ['invalid_characters'], 'the last of C1'],
    ['a\u00a0b', 9, [], 'a no-break space is not a control character'],
    ['a\u2028b', 9, [], 'a line separator is not of category Cc'],
    ['a\u200eb', 9, [], 'a direction mark is Cf'],
    ['a\ufffeb', 9, [], 'a noncharacter is Cn'],
    ['a\u007eb', 9, [], 'a tilde'],
    [`${HIGH}${LOW}`, 1, [], 'a pair of surrogates is one character'],
    [HIGH, 9, ['invalid_characters'], 'half of a pair'],
    [`a${LOW}`, 9, ['invalid_characters'], 'the other half'],
    [`${LOW}${HIGH}`, 9, ['invalid_characters'], 'a pair in the wrong order'],
    [`${HIGH}${HIGH}${LOW}`, 9, ['invalid_characters'], 'a half before a pair'],
    [`${HIGH}bcd`, 3, ['too_long', 'invalid_characters'], 'a half counts as one'],
    ['a\tb', 9, ['invalid_characters'], 'a tab inside'],
    ['a\nb', 9, ['invalid_characters'], 'a newline inside'],
  ];
  for (const [text, max, wanted, why] of cases) {
    it(`6 ${JSON.stringify(text)} up to ${max}: ${wanted.join(', ') || 'fine'} (${why})`, () => {
      assert.deepEqual(findTextProblems(text, max), wanted);
    });
  }

  it('6 exactly the 65 characters of category Cc are control characters', () => {
    const found: number[] = [];
    for (let code = 0; code < 0x1_0000; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const text = `a${String.fromCodePoint(code)}b`;
      if (findTextProblems(text, 9).length > 0) found.push(code);
    }
    const wanted = Array.from({ length: 160 }, (_, code) => code);
    assert.deepEqual(
      found,
      wanted.filter((code) => code < 32 || code >= 127),
    );
  });

  it('6 prose can contain tabs and newlines, but no other control characters', () => {
    assert.deepEqual(findProseProblems('a\tb\nc', 9), []);
    for (const control of ['\r', '\v', '\f', '\u0000', '\u001b', '\u0085']) {
      assert.deepEqual(findProseProblems(`a${control}b`, 9), ['invalid_characters']);
    }
    assert.deepEqual(findProseProblems(`a\n${HIGH}`, 9), ['invalid_characters']);
    assert.deepEqual(findProseProblems('\n\t', 9), ['blank']);
  });
});

describe('contract 4: q ignores case, also outside ASCII', () => {
  const alike: [one: string, two: string][] = [
    ['rent', 'RENT'],
    ['ÉCOLE', 'école'],
    ['ŁÓDŹ', 'łódź'],
    ['ПРИВЕТ', 'привет'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'straße'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['Kelvin', '\u212aelvin'],
    ['ﬁnance', 'FINANCE'],
    ['µm', 'μm'],
    ['𐐀', '𐐨'],
  ];
  for (const [one, two] of alike) {
    it(`4 ${one} and ${two} match`, () => assert.equal(foldCase(one), foldCase(two)));
  }

  it('4 finds part of a word, whatever follows', () => {
    assert.ok(foldCase('ΟΔΟΣΑ').includes(foldCase('ΟΔΟΣ')));
    assert.ok(foldCase('ΟΔΟΣΑ').includes(foldCase('οδος')));
    assert.ok(foldCase('Hauptstraße 3').includes(foldCase('STRASS')));
  });

  it('4 every character matches its upper and lower case', () => {
    for (let code = 0; code < 0x11_0000; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const text = String.fromCodePoint(code);
      const [upper, lower] = [text.toUpperCase(), text.toLowerCase()];
      if (upper === text && lower === text) continue;
      const folded = foldCase(`x${text}y`);
      assert.equal(foldCase(`x${upper}y`), folded);
      assert.equal(foldCase(`x${lower}y`), folded);
    }
  });

  it('4 different letters do not match', () => {
    for (const [one, two] of [
      ['e', 'é'],
      ['o', 'ø'],
      ['a', 'а'],
      ['ss', 's'],
    ] as const) {
      assert.notEqual(foldCase(one), foldCase(two));
    }
  });
});

describe('text that would take long is not normalized', () => {
  const mixed = '\u0301\u0323';
  const cases: [name: string, text: string, isSorted: boolean][] = [
    ['a word', `e${mixed}`, true],
    ['as many marks as a letter can have', `e${mixed.repeat(15)}x`.repeat(100), true],
    ['one mark more', `x${mixed.repeat(15)}\u0301`, false],
    ['marks alone', mixed.repeat(16), false],
    ['the longest text', `e${mixed}`.padEnd(COMPARED_UNITS, 'x'), true],
    ['a longer one', `e${mixed}`.padEnd(COMPARED_UNITS + 1, 'x'), false],
  ];
  for (const [name, text, isSorted] of cases) {
    it(name, () => assert.equal(normalized(text, 'NFD') !== text, isSorted));
  }

  it('two long texts are compared by their beginning', () => {
    assert.equal(foldCase('x'.repeat(2 * COMPARED_UNITS)), 'X'.repeat(COMPARED_UNITS));
  });
});

it('a long text has its beginning in a message, without half of a surrogate pair', () => {
  const units = 4;
  assert.deepEqual(
    ['', 'abcd', 'abcde', `ab${HIGH}${LOW}`, `ab${HIGH}${LOW}c`, `a${HIGH}${LOW}cd`].map((text) =>
      shortened(text, units),
    ),
    ['', 'abcd', 'abc…', `ab${HIGH}${LOW}`, 'ab…', `a${HIGH}${LOW}…`],
  );
});
