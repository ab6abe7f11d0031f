import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findElements } from '../../src/files/reading/json-rows.ts';
import { Random } from '../core/random.ts';

test('8 lines are found for any JSON in a list', () => {
  const values = [
    { a: [1, { b: '"' }] },
    [],
    {},
    'x\\',
    '',
    0,
    -1.25e-7,
    true,
    false,
    null,
    [[[]]],
  ];
  const text = JSON.stringify({ x: values, rows: values, y: 'rows' }, null, 2);
  const elements = findElements(text);
  assert.deepEqual(
    elements.map((each) => JSON.parse(each.text)),
    values,
  );
  const source = text.split('\n');
  for (const [index, value] of values.entries()) {
    const begin = JSON.stringify(value).slice(0, 1);
    assert.equal(source[(elements[index]?.line ?? 0) - 1]?.trim().slice(0, 1), begin);
  }
});

/** Any JSON value, nested up to four levels. */
function anyJson(random: Random, depth = 4): unknown {
  const leaf = random.pick([0, -1.5e-7, 'x', '"', '\\', ']},', '\n', true, null, [], {}, 'rows']);
  if (depth === 0 || random.once(3)) return leaf;
  const parts = Array.from({ length: random.whole(0, 4) }, () => anyJson(random, depth - 1));
  if (random.once(2)) return parts;
  const names = ['rows', 'a', '"', '{'];
  return Object.fromEntries(parts.map((part, at) => [names[at], part]));
}

test('8 the rows of any document are the elements that JSON.parse finds', () => {
  for (let seed = 1; seed <= 500; seed += 1) {
    const random = new Random(seed);
    const rows = Array.from({ length: random.whole(0, 5) }, () => anyJson(random));
    const document = random.once(2) ? rows : { a: anyJson(random), rows, 'b"': anyJson(random) };
    const text = JSON.stringify(document, null, random.pick([0, 1, '\r\n']));
    const found = findElements(text);
    assert.deepEqual(
      found.map((element) => JSON.parse(element.text)),
      rows,
      `seed ${seed}: ${text}`,
    );
    const lines = text.split('\n');
    for (const { line, text: own } of found) {
      const [first = ''] = own.split('\n');
      assert.ok(lines[line - 1]?.includes(first), `seed ${seed}: ${own} in line ${line}`);
    }
  }
});
