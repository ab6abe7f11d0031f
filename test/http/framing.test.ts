import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFramingFault } from '../../src/http/framing.ts';

const SOUND = [
  ['1.1', 'Host: a'],
  ['1.1', 'hOST: a'],
  ['1.1', 'Host: [::1]:8080'],
  ['1.1', 'Host: xn--mnchen-3ya.example'],
  ['1.0', ''],
  ['1.0', 'Host: a | Content-Length: 2'],
  ['1.1', 'Host: a | Transfer-Encoding: chunked'],
  ['1.1', 'Host: a | Authorization: Bearer x | Content-Type: a/b | Content-Length: 0'],
  ['1.1', 'Host: a | Accept: x | Accept: y | Date: now | Date: then | Cookie: a | Cookie: b'],
  ['1.1', 'Host: a | Cache-Control: x | Cache-Control: y | X-Request-Id: 1 | X-Request-Id: 2'],
] as const;

const FAULTY = [
  ['more than one Host', '1.1', 'Host: a | Host: a'],
  ['more than one Host in different cases', '1.1', 'Host: a | HOST: b'],
  ['more than one Host on HTTP/1.0', '1.0', 'Host: a | Host: b'],
  ['more than one Authorization', '1.1', 'Host: a | Authorization: x | authorization: x'],
  ['more than one Content-Type', '1.1', 'Host: a | Content-Type: x | content-type: y'],
  ['more than one Content-Length', '1.1', 'Host: a | Content-Length: 1 | CONTENT-LENGTH: 1'],
  ['no Host', '1.1', 'Accept: x'],
  ['an empty Host', '1.1', 'Host:'],
  ['a Host with a user', '1.1', 'Host: user@a'],
  ['a Host that is a list', '1.1', 'Host: a, b'],
  ['a Host that is too long', '1.1', `Host: ${'a'.repeat(5_000)}`],
  ['a malformed Host on HTTP/1.0', '1.0', 'Host: a/b'],
  ['no header fields', '1.1', ''],
  ['another Transfer-Encoding', '1.1', 'Host: a | Transfer-Encoding: gzip, chunked'],
  ['Transfer-Encoding in another case', '1.1', 'Host: a | Transfer-Encoding: Chunked'],
  ['an empty Transfer-Encoding', '1.1', 'Host: a | Transfer-Encoding:'],
  [
    'more than one Transfer-Encoding',
    '1.1',
    'Host: a | Transfer-Encoding: chunked | TRANSFER-ENCODING: x',
  ],
  [
    'Transfer-Encoding with Content-Length',
    '1.1',
    'Host: a | Transfer-Encoding: chunked | Content-Length: 1',
  ],
  ['Transfer-Encoding on HTTP/1.0', '1.0', 'Transfer-Encoding: chunked'],
  ['HTTP/0.9', '0.9', ''],
  ['HTTP/0.9 with a Host', '0.9', 'Host: a'],
] as const;

function rawHeaders(fields: string): string[] {
  return fields === ''
    ? []
    : fields.split(' | ').flatMap((field) => {
        const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(field) ?? [];
        return [name, value];
      });
}

test('contract 2(2): unambiguous framing is accepted', () => {
  for (const [version, fields] of SOUND) {
    assert.equal(findFramingFault(version, rawHeaders(fields)), undefined, fields);
  }
});

for (const [what, version, fields] of FAULTY) {
  test(`contract 2(2): ${what} is refused`, () => {
    const fault = findFramingFault(version, rawHeaders(fields));
    assert.match(fault ?? '', /^[A-Z][^\n]+\.$/);
  });
}
