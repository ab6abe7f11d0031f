import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findJsonFault } from '../../src/http/json-fault.ts';

const FAULTS = [
  ['{"a": 1,}', 1, 9, 'a name in double quotes', 'the character }'],
  ['[1, 2,]', 1, 7, 'a value', 'the character ]'],
  ["{'a': 1}", 1, 2, 'a name in double quotes', "the character '"],
  ['{a: 1}', 1, 2, 'a name in double quotes', 'the character a'],
  ['{"a" 1}', 1, 6, 'a colon', 'the character 1'],
  ['{"a": }', 1, 7, 'a value', 'the character }'],
  ['{"a": 1 "b": 2}', 1, 9, 'a comma or }', 'the character "'],
  ['[1 2]', 1, 4, 'a comma or ]', 'the character 2'],
  ['[1', 1, 3, 'a comma or ]', 'the end of the body'],
  ['{"a', 1, 4, 'a closing double quote', 'the end of the body'],
  ['{"a": 1}\n{"b": 2}', 2, 1, 'the end of the body', 'the character {'],
  ['{\n  "a": 1,\r\n  "b": NaN\n}', 3, 8, 'a value', 'the character N'],
  ['[True]', 1, 2, 'a value', 'the character T'],
  ['[tru]', 1, 2, 'a value', 'the character t'],
  ['[nul', 1, 2, 'a value', 'the character n'],
  ['[fals3]', 1, 2, 'a value', 'the character f'],
  ['[01]', 1, 3, 'a comma or ]', 'the character 1'],
  ['[+1]', 1, 2, 'a value', 'the character +'],
  ['[-]', 1, 3, 'a digit', 'the character ]'],
  ['[1.]', 1, 4, 'a digit after the decimal point', 'the character ]'],
  ['[1e+]', 1, 5, 'a digit of the exponent', 'the character ]'],
  ['[.5]', 1, 2, 'a value', 'the character .'],
  [
    '["a\tb"]',
    1,
    4,
    'an escape such as \\n instead of a control character',
    'the character U+0009',
  ],
  ['["\\x"]', 1, 4, 'one of " \\ / b f n r t u after the backslash', 'the character x'],
  ['["\\', 1, 4, 'one of " \\ / b f n r t u after the backslash', 'the end of the body'],
  ['["\\u12g4"]', 1, 7, 'four hexadecimal digits after \\u', 'the character g'],
  ['["é€💶", x]', 1, 9, 'a value', 'the character x'],
  ['[“a”]', 1, 2, 'a value', 'the character U+201C'],
  ['[1,\u00a02]', 1, 4, 'a value', 'the character U+00A0'],
  ['[💶]', 1, 2, 'a value', 'the character U+1F4B6'],
  ['\ufeff[]', 1, 1, 'a value', 'the character U+FEFF'],
  ['// why\n[]', 1, 1, 'a value', 'the character /'],
] as const;

for (const [text, line, column, expected, found] of FAULTS) {
  test(`contract 2(8): ${JSON.stringify(text)} is not JSON at ${line}:${column}`, () => {
    assert.deepEqual(findJsonFault(text), { line, column, expected, found });
  });
}

const DOCUMENTS = [
  '{"rows":[{"externalId":"INV-1","date":"2026-01-31","amount":-12.50,"contact":null}]}',
  ' [ 0 , -0.0e-0 , 1E+9 , true , false , null , "\\u00e9\\"\\\\\\/\\b\\f\\n\\r\\t" , {} , [ ] ] ',
  '{"a":{"b":[[[]]],"":"💶"},"a":1}',
  '"text"',
  '-1.5e3',
  'null',
];

test('contract 2(8): a fault is found exactly if JSON.parse throws', () => {
  const alphabet = [...'{}[]",:\\0123456789.eE+-truefalsn \n\tu/x\u0001é'];
  let state = 12345;
  const random = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
  let refused = 0;
  for (let round = 0; round < 30_000; round += 1) {
    const characters = [...(DOCUMENTS[random(DOCUMENTS.length)] ?? '')];
    for (let change = random(3); change >= 0; change -= 1) {
      const inserted = random(3) === 0 ? [] : [alphabet[random(alphabet.length)] ?? ''];
      characters.splice(random(characters.length + 1), random(2), ...inserted);
    }
    const text = characters.join('');
    let isJson = true;
    try {
      JSON.parse(text);
    } catch {
      isJson = false;
      refused += 1;
    }
    assert.equal(findJsonFault(text) === undefined, isJson, JSON.stringify(text));
  }
  assert.ok(refused > 10_000 && refused < 29_000, `${refused} refused`);
});
