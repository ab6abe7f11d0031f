import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/core/failures.ts';
import { type NetworkClient, Proxies } from '../../src/http/addresses.ts';
import { jsonReply, type Request } from '../../src/http/message.ts';
import { head, startService } from './wire.ts';

test('an IPv4 address is counted alone, in either notation', () => {
  const proxies = new Proxies([]);
  assert.equal(proxies.groupOf('192.0.2.1'), '192.0.2.1');
  assert.equal(proxies.groupOf('::ffff:192.0.2.1'), '192.0.2.1');
  assert.notEqual(proxies.groupOf('192.0.2.1'), proxies.groupOf('192.0.2.2'));
});

test('IPv6 addresses are counted by /64', () => {
  const proxies = new Proxies([]);
  for (const address of ['2001:db8::', '2001:db8::1', '2001:db8:0:0:ffff::', '2001:db8::1:0:0:1']) {
    assert.equal(proxies.groupOf(address), '2001:db8:0:0::/64', address);
  }
  assert.equal(proxies.groupOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  assert.equal(proxies.groupOf('2001:db8:0:1::1'), '2001:db8:0:1::/64');
  assert.equal(proxies.groupOf('fe80::1%eth0'), 'fe80:0:0:0::/64');
  assert.equal(proxies.groupOf('64:ff9b::192.0.2.1'), '64:ff9b:0:0::/64');
});

test('loopback, trusted proxies and closed connections have no limit', () => {
  const proxies = new Proxies(['192.0.2.7', '10.0.0.0/8', '2001:db8::/32']);
  for (const address of [
    ...['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', undefined],
    ...['192.0.2.7', '::ffff:192.0.2.7', '10.255.0.1', '2001:db8:ffff::1'],
  ]) {
    assert.equal(proxies.groupOf(address), undefined, address);
  }
  assert.equal(proxies.groupOf('192.0.2.8'), '192.0.2.8');
  assert.equal(proxies.groupOf('11.0.0.1'), '11.0.0.1');
  assert.equal(proxies.groupOf('2001:db9::1'), '2001:db9:0:0::/64');
});

test('anything but an address or network is refused with its text', () => {
  for (const text of [
    ...['', ' ', 'proxy.local', '10.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '/8'],
    ...['::1/129', '1.2.3.4:80', '[::1]', 'fe80::1%eth0', '10.0.0.0/8/8', '10.0.0.1,10.0.0.2'],
  ]) {
    assert.throws(
      () => new Proxies([text]),
      (error) => {
        assert.ok(error instanceof Failure && error.code === 'invalid_input', text);
        return error.message.startsWith(`"${text}" is not an IP address or network. `);
      },
    );
  }
});

/** The client of a request from `peer`, with these forwarded header fields. */
function clientOf(peer: string | undefined, forwardedFor?: string, proto?: string): NetworkClient {
  const proxies = new Proxies(['10.0.0.0/8', 'fd00::/8']);
  const fields = new Map([
    ['x-forwarded-for', forwardedFor],
    ['x-forwarded-proto', proto],
  ]);
  return proxies.clientOf(peer, (name) => fields.get(name));
}

test('contract 11: only a trusted proxy is believed about its client', () => {
  const direct = { address: '192.0.2.1', isHttps: false };
  assert.deepEqual(clientOf('192.0.2.1'), direct);
  assert.deepEqual(clientOf('192.0.2.1', '203.0.113.9', 'https'), direct);
  assert.deepEqual(clientOf('::ffff:192.0.2.1', '203.0.113.9', 'https'), direct);
  const loopback = { address: '127.0.0.1', isHttps: false };
  assert.deepEqual(clientOf('127.0.0.1', '203.0.113.9', 'https'), loopback);
  const behind = { address: '203.0.113.9', isHttps: true };
  assert.deepEqual(clientOf('10.1.2.3', '203.0.113.9', 'https'), behind);
  assert.deepEqual(clientOf('fd00::1', '203.0.113.9', 'HTTPS'), behind);
  assert.deepEqual(clientOf(undefined, '203.0.113.9'), { address: '', isHttps: false });
});

test('contract 11: the client is the last address that is not a trusted proxy', () => {
  const cases = [
    ['203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['10.9.9.9, 203.0.113.9, 10.0.0.2,10.0.0.3', '203.0.113.9'],
    ['6.6.6.6, 203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:51234', '203.0.113.9'],
    ['2001:0DB8:0:0::1', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    // Nothing beyond what cannot be read.
    ['203.0.113.9, unknown, 10.0.0.2', '10.0.0.2'],
    ['203.0.113.9, , 10.0.0.2', '10.0.0.2'],
    ['<script>', '10.0.0.1'],
    ['', '10.0.0.1'],
    ['10.0.0.7', '10.0.0.7'],
    ['1.2.3.4.5', '10.0.0.1'],
    ['[203.0.113.9', '10.0.0.1'],
  ] as const;
  for (const [field, address] of cases) {
    assert.equal(clientOf('10.0.0.1', field).address, address, field);
  }
});

test('contract 11: the scheme is what the nearest proxy says', () => {
  const cases = [
    ['https', true],
    ['http', false],
    ['http, https', true],
    ['https, http', false],
    ['https,', false],
    ['wss', false],
    ['', false],
    [undefined, false],
  ] as const;
  for (const [field, isHttps] of cases) {
    assert.equal(clientOf('10.0.0.1', '203.0.113.9', field).isHttps, isHttps, field);
  }
});

test('contract 11: a handler sees the client, and a wrong proxy stops the start', async (t) => {
  const routes = [
    { method: 'GET', path: '/x', handler: (request: Request) => jsonReply(request.client) },
  ] as const;
  const forwarded = 'Host: a\r\nX-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https';
  const trusting = await startService(t, routes, { trustedProxies: ['127.0.0.1'] });
  const told = await trusting.ask(head('GET /x', forwarded));
  assert.equal(told.body, '{"address":"203.0.113.9","isHttps":true}\n');
  const alone = await startService(t, routes);
  const untold = await alone.ask(head('GET /x', forwarded));
  assert.equal(untold.body, '{"address":"127.0.0.1","isHttps":false}\n');
  assert.throws(() => new Proxies(['proxy.test']), /not an IP address/);
});
