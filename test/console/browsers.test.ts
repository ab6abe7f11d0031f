import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nameAgent } from '../../src/console/pages/account.ts';

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

describe('the name of a browser', () => {
  for (const [agent, name] of [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox, Linux'],
    [
      `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/142.0 Safari/537.36 Edg/142.0`,
      'Edge, Windows',
    ],
    [`Mozilla/5.0 (Linux; Android 16) ${WEBKIT} Chrome/142.0 Safari/537.36`, 'Chrome, Android'],
    [`Mozilla/5.0 (iPhone; like Mac OS X) ${WEBKIT} Version/19 Safari/604.1`, 'Safari, iPhone'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X) ${WEBKIT} Version/19 Safari/605`, 'Safari, macOS'],
    ['curl/8.5', 'curl/8.5'],
    ['', 'Unknown browser'],
    [null, 'Unknown browser'],
  ] as const) {
    it(`is ${name}`, () => assert.equal(nameAgent(agent), name));
  }
});
