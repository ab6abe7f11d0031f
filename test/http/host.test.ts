import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHost } from '../../src/http/framing.ts';

const HOSTS = [
  ...['localhost', 'LOCALHOST', 'localhost:8080', 'a', '1', 'a:0', 'a:65535', 'budgetd.test.'],
  ...['127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:8080', '[2001:db8::1]', '[::ffff:192.0.2.1]:1'],
  ...['xn--mnchen-3ya.example', 'my_service', 'a-b.c--d.example:443', '_x', 'x_'],
  ...['a'.repeat(63), `${'a.'.repeat(126)}a`],
];

const OTHERS = [
  ...[
    '',
    ' ',
    '.',
    '..',
    '.a',
    'a..b',
    'a..',
    ':',
    ':80',
    'a:',
    'a:b',
    'a:-1',
    'a:65536',
    'a:80:80',
  ],
  ...[
    'user@host',
    'user:secret@host',
    '@',
    'a, b',
    'a,b',
    'a b',
    'a\tb',
    'a/b',
    '/',
    'a\\b',
    'a?b',
  ],
  ...['http://a', 'a#b', 'a%41', 'a;b', 'a"b', "a'b", 'a<b>', 'a=b', 'a*', '*', '$', '(a)', 'a|b'],
  ...['-a', 'a-', 'a.-b', 'é', 'münchen.example', '\u0000', 'a\u0000', 'a\u007f', 'a\n'],
  ...[
    '[',
    ']',
    '[]',
    '[::1',
    '::1]',
    '::1',
    '2001:db8::1',
    '[::1]a',
    '[::1]:',
    '[::1]:x',
    'a[::1]',
  ],
  ...['[fe80::1%eth0]', '[127.0.0.1]', '[::g]', '[v1.x]', '[[::1]]', '[1:2:3:4:5:6:7:8:9]'],
  ...['a'.repeat(64), `${'a.'.repeat(127)}a`, `[${':'.repeat(50)}]`],
];

test('names and addresses, with or without a port, are hosts', () => {
  for (const value of HOSTS) assert.equal(isHost(value), true, value);
});

test('nothing else is a host', () => {
  for (const value of OTHERS) assert.equal(isHost(value), false, value);
});

/** So long that going back for each character would take hours. */
const LONG = 2_000_000;

test('a long text of any kind is read only once', () => {
  for (const part of ['a', '-', 'a-', '.', 'a.', '[', ':', '0', '_-', '@']) {
    assert.equal(isHost(part.repeat(LONG)), false);
  }
});
