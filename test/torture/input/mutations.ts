/** Makes what is sent wrong: values and members of JSON, fields of forms, bytes of a request. */

import { ODD_TEXTS, REFUSED_TEXTS } from '../../console/naughty-strings.ts';
import type { Random } from '../../core/random.ts';

const TEXTS = [...ODD_TEXTS, ...REFUSED_TEXTS, '', '\ud800', '\udc00x', '2026-02-30', '0', '-1'];

/** Values as JSON writes them, of which some are not JSON. */
const VALUES = [
  ...['null', 'true', 'false', '0', '-0', '1e308', '1e999', '-1e999', '0.1', '00', '01', '+1'],
  ...['9007199254740993', '99999999999999999999', '1.005', '1e-7', '.5', '5.', '0x10', 'NaN'],
  ...['Infinity', 'undefined', '[]', '{}', '[[[]]]', '{"a":{"b":{}}}', '""', "'x'", '"\\ud800"'],
  ...['"\\u0000"', '"\\x"', '"a\nb"', '/**/1', '1//', '[1,]', '{"a":1,}', '{"__proto__":1}'],
  ...['"2026-13-01"', '"2026-02-29"', '"0000-00-00"', '"2026-01-15T00:00:00Z"', '"１２"'],
];

/** Any text that breaks programs. */
export function oddText(random: Random): string {
  return random.pick(TEXTS);
}

function oddJson(random: Random): string {
  if (random.once(3)) return JSON.stringify(oddText(random));
  if (random.once(20)) return '['.repeat(random.whole(1, 5_000));
  if (random.once(20)) return `"${'x'.repeat(random.whole(1, 70_000))}"`;
  return random.pick(VALUES);
}

/** A value, a member or a comma of JSON: what can be replaced, doubled or taken away. */
const PARTS = /"(?:[^"\\]|\\.)*"(?:\s*:)?|-?\d+(?:\.\d+)?|true|false|null|[[\]{},]/g;

/** JSON with one to three parts of it changed. */
export function mutateJson(text: string, random: Random): string {
  let result = text;
  for (let count = random.pick([1, 1, 2, 3]); count > 0; count -= 1) {
    const parts = [...result.slice(0, 20_000).matchAll(PARTS)];
    if (parts.length === 0) return oddJson(random);
    const { 0: part, index } = random.pick(parts);
    const [before, after] = [result.slice(0, index), result.slice(index + part.length)];
    const isName = part.endsWith(':');
    const instead = random.pick([
      () => (isName ? `${JSON.stringify(oddText(random))}:` : oddJson(random)),
      () => '',
      () => part + part,
      () => `${part}${isName ? oddJson(random) : ''},${part}`,
    ]);
    result = before + instead() + after;
  }
  return result;
}

/** Bytes of which some are changed, taken away, doubled or added. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  let result = bytes;
  for (let count = random.pick([1, 1, 2, 5]); count > 0; count -= 1) {
    const at = random.whole(0, Math.max(0, result.length - 1));
    const length = Math.min(random.pick([1, 1, 2, 20]), result.length - at);
    const part = result.subarray(at, at + length);
    const random1 = Buffer.from(Array.from({ length }, () => random.whole(0, 255)));
    const instead = random.pick([
      () => random1,
      () => Buffer.alloc(0),
      () => Buffer.concat([part, part]),
      () => Buffer.from(random.pick(FRAGMENTS)),
    ]);
    result = Buffer.concat([result.subarray(0, at), instead(), result.subarray(at + length)]);
  }
  return result;
}

/** What confuses parsers of requests. */
const FRAGMENTS = [
  ...['\r\n', '\n', '\r', '\0', '\r\n\r\n', ' ', '\t', ':', 'HTTP/1.1', 'HTTP/2.0', '%00', '%zz'],
  ...['Transfer-Encoding: chunked\r\n', 'Content-Length: 5\r\n', 'Content-Length: -1\r\n'],
  ...['Host: a\r\n', 'Expect: 100-continue\r\n', 'Connection: upgrade\r\nUpgrade: h2c\r\n'],
  ...['0\r\n\r\n', 'fffffffffffffffff\r\n', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', '\u00ff\u00fe'],
  ...['Content-Encoding: gzip\r\n', 'Content-Type: application/json; charset=utf-16\r\n'],
];

/** Fields of which one has an odd text, is doubled or is missing. */
export function mutateFields(
  fields: readonly (readonly [string, string])[],
  random: Random,
): (readonly [string, string])[] {
  const result = [...fields];
  for (let count = random.pick([1, 1, 2, 5]); count > 0; count -= 1) {
    const at = random.whole(0, result.length);
    const [name = 'q', value = ''] = result[at] ?? [];
    const instead = random.pick<() => (readonly [string, string])[]>([
      () => [[name, oddText(random)]],
      () => [[name, oddText(random)]],
      () => [],
      () => [
        [name, value],
        [name, oddText(random)],
      ],
      () => [[oddText(random), value]],
      () => [[name, value.replace(/\d/, () => String(random.whole(0, 9)))]],
    ]);
    result.splice(at, 1, ...instead());
  }
  return result;
}
