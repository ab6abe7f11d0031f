import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/core/failures.ts';
import { createGrouping } from '../../src/http/addresses.ts';

test('an IPv4 address is counted alone, in either notation', () => {
  const group = createGrouping([]);
  assert.equal(group('192.0.2.1'), '192.0.2.1');
  assert.equal(group('::ffff:192.0.2.1'), '192.0.2.1');
  assert.notEqual(group('192.0.2.1'), group('192.0.2.2'));
});

test('IPv6 addresses are counted by /64', () => {
  const group = createGrouping([]);
  for (const address of ['2001:db8::', '2001:db8::1', '2001:db8:0:0:ffff::', '2001:db8::1:0:0:1']) {
    assert.equal(group(address), '2001:db8:0:0::/64', address);
  }
  assert.equal(group('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  assert.equal(group('2001:db8:0:1::1'), '2001:db8:0:1::/64');
  assert.equal(group('fe80::1%eth0'), 'fe80:0:0:0::/64');
  assert.equal(group('64:ff9b::192.0.2.1'), '64:ff9b:0:0::/64');
});

test('loopback, trusted proxies and closed connections have no limit', () => {
  const group = createGrouping(['192.0.2.7', '10.0.0.0/8', '2001:db8::/32']);
  for (const address of [
    ...['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', undefined],
    ...['192.0.2.7', '::ffff:192.0.2.7', '10.255.0.1', '2001:db8:ffff::1'],
  ]) {
    assert.equal(group(address), undefined, address);
  }
  assert.equal(group('192.0.2.8'), '192.0.2.8');
  assert.equal(group('11.0.0.1'), '11.0.0.1');
  assert.equal(group('2001:db9::1'), '2001:db9:0:0::/64');
});

test('anything but an address or network is refused with its text', () => {
  for (const text of [
    ...['', ' ', 'proxy.local', '10.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '/8'],
    ...['::1/129', '1.2.3.4:80', '[::1]', 'fe80::1%eth0', '10.0.0.0/8/8', '10.0.0.1,10.0.0.2'],
  ]) {
    assert.throws(
      () => createGrouping([text]),
      (error) => {
        assert.ok(error instanceof Failure && error.code === 'invalid_input', text);
        return error.message.startsWith(`"${text}" is not an IP address or network. `);
      },
    );
  }
});
