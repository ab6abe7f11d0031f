import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { html } from '../../src/http/html.ts';
import { jsonReply } from '../../src/http/message.ts';
import { pageReply } from '../../src/http/pages.ts';
import { fileRoute } from '../../src/http/static-files.ts';
import { startService } from './wire.ts';

const WORDS = 'Rent of the hall in March. '.repeat(2_000);
const BROWSER = { 'accept-encoding': 'gzip, deflate, br', 'sec-fetch-site': 'same-origin' };

interface Answer {
  readonly headers: IncomingMessage['headers'];
  readonly status: number | undefined;
  readonly bytes: Buffer;
}

async function open(t: TestContext) {
  const page = (text: string) => () => pageReply(html`<p>${text}</p>`);
  const { port } = await startService(t, [
    { method: 'GET', path: '/page', handler: page(WORDS) },
    { method: 'GET', path: '/pieces', handler: () => pageReply(html`${Array(9).fill(WORDS)}`) },
    { method: 'GET', path: '/short', handler: page('Rent') },
    { method: 'GET', path: '/json', handler: () => jsonReply({ WORDS }) },
    fileRoute('/style.css', 'text/css', () => Buffer.from(WORDS)),
  ]);
  return (path: string, headers: Readonly<Record<string, string>> = BROWSER) =>
    new Promise<Answer>((resolve, reject) => {
      get({ port, path, headers }, async (answer) => {
        const bytes = Buffer.concat(await answer.toArray());
        resolve({ headers: answer.headers, status: answer.statusCode, bytes });
      }).on('error', reject);
    });
}

describe('compression', () => {
  it('is for long pages, whole or in pieces, of a browser that takes it', async (t) => {
    const ask = await open(t);
    for (const path of ['/page', '/pieces']) {
      const [plain, packed] = [await ask(path, {}), await ask(path)];
      assert.equal(plain.headers['content-encoding'], undefined);
      assert.equal(packed.headers['content-encoding'], 'gzip');
      assert.match(packed.headers.vary ?? '', /Accept-Encoding/);
      assert.deepEqual(gunzipSync(packed.bytes), plain.bytes);
      assert.equal(packed.headers['content-length'], String(packed.bytes.length));
      assert.ok(packed.bytes.length < plain.bytes.length / 10);
    }
    for (const path of ['/short', '/json']) {
      assert.equal((await ask(path)).headers['content-encoding'], undefined, path);
    }
  });

  it('is for who takes it, and not for what another site has opened', async (t) => {
    const ask = await open(t);
    const codingOf = async (headers: Readonly<Record<string, string>>) =>
      (await ask('/page', { ...BROWSER, ...headers })).headers['content-encoding'];
    assert.equal(await codingOf({ 'accept-encoding': 'br, GZIP ; q=0.5' }), 'gzip');
    assert.equal(await codingOf({ 'sec-fetch-site': 'none' }), 'gzip');
    for (const coding of ['', 'br', 'gzip;q=0', 'gzip; q=0.000', 'xgzip', 'gzip;q']) {
      assert.equal(await codingOf({ 'accept-encoding': coding }), undefined, coding);
    }
    for (const site of ['cross-site', 'same-site', '']) {
      assert.equal(await codingOf({ 'sec-fetch-site': site }), undefined, site);
    }
  });

  it('sends files with a weak tag, by which browsers keep them', async (t) => {
    const ask = await open(t);
    const [plain, packed] = [await ask('/style.css', {}), await ask('/style.css')];
    assert.equal(packed.headers.etag, `W/${plain.headers.etag}`);
    const again = await ask('/style.css', {
      ...BROWSER,
      'if-none-match': packed.headers.etag ?? '',
    });
    assert.deepEqual([again.status, again.bytes.length], [304, 0]);
  });
});
