import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Route } from '../../src/http/message.ts';
import { folderFor } from '../store/workshop.ts';
import { startService } from './wire.ts';

const WHOLE = randomBytes(1_000_000);

/** A service that sends a file of a million bytes as one of `bytes` bytes. */
async function serveFile(test: TestContext, bytes: number, name = 'file') {
  const folder = folderFor(test);
  writeFileSync(join(folder, 'file'), WHOLE);
  const handler = () => ({ status: 200, headers: {}, body: { path: join(folder, name), bytes } });
  const routes: readonly Route[] = [{ method: 'GET', path: '/file', handler }];
  const { port } = await startService(test, routes);
  return (init?: RequestInit) => fetch(`http://127.0.0.1:${port}/file`, init);
}

describe('a file as an answer', () => {
  it('is sent whole, several times on one connection', async (test) => {
    const ask = await serveFile(test, WHOLE.length);
    for (let times = 0; times < 3; times += 1) {
      const answer = await ask();
      assert.equal(answer.headers.get('content-length'), String(WHOLE.length));
      assert.ok(Buffer.from(await answer.arrayBuffer()).equals(WHOLE));
    }
  });

  it('has only its length for HEAD', async (test) => {
    const answer = await (await serveFile(test, WHOLE.length))({ method: 'HEAD' });
    assert.equal(answer.headers.get('content-length'), String(WHOLE.length));
    assert.equal(await answer.text(), '');
  });

  for (const [what, bytes, name] of [
    ['is shorter', WHOLE.length + 1, 'file'],
    ['is missing', WHOLE.length, 'missing'],
  ] as const) {
    it(`that ${what} is cut off, so that nobody takes it for whole`, async (test) => {
      const ask = await serveFile(test, bytes, name);
      await assert.rejects(async () => (await ask()).arrayBuffer());
    });
  }
});
