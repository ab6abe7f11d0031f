import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as api from '../../src/api/inputs.ts';
import * as core from '../../src/core/inputs.ts';
import * as rows from '../../src/files/inputs.ts';
import * as operations from '../../src/operations/inputs.ts';

/** Every pattern in the schemas of what comes in, each once. */
function listPatterns(): Set<string> {
  const patterns = new Set<string>();
  const rooms = Object.values({ api, core, operations, rows });
  JSON.stringify(rooms, (key, value) => {
    if (key === 'pattern') patterns.add(value);
    if (key === 'patternProperties') for (const name of Object.keys(value)) patterns.add(name);
    return value;
  });
  return patterns;
}

/** Long enough that a pattern which goes back for each character would take hours. */
const LONG = 2_000_000;

it('a pattern reads a long text that does not fit only once', () => {
  const patterns = listPatterns();
  assert.ok(patterns.size > 5, String(patterns.size));
  for (const pattern of patterns) {
    const expression = new RegExp(pattern, 'u');
    for (const character of ['a', '😀', ' ', '1', '-', '\u00e9', 'a ', '2026-01-']) {
      const text = `${character.repeat(LONG / character.length)}\0`;
      assert.equal(typeof expression.test(text), 'boolean');
    }
  }
});
