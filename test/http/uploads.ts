/** Forms with a file as they are on the wire, and a service that receives them. */

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Upload, UploadRoom } from '../../src/http/message.ts';
import { jsonReply, type Request, type Route } from '../../src/http/message.ts';
import type { LISTENER_TIMES } from '../../src/http/settings.ts';
import { Shares } from '../../src/http/shares.ts';
import { until } from '../upkeep/until.ts';
import { codeOf, type Service, startService } from './wire.ts';

export const FILE_BYTES = 300_000;

/** The header of a part, and its content. */
export function part(fields: string, content = ''): string {
  return `--B\r\n${fields}\r\n\r\n${content}\r\n`;
}

export function field(name: string, value: string): string {
  return part(`Content-Disposition: form-data; name="${name}"`, value);
}

export function file(content: string, name = 'bank.csv'): string {
  const disposition = `Content-Disposition: form-data; name="csv"; filename="${name}"`;
  return part(`${disposition}\r\nContent-Type: text/csv`, content);
}

export const END = '--B--\r\n';

export function post(body: string | Buffer, type = 'multipart/form-data; boundary=B'): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const fields = `Host: a\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}`;
  return Buffer.concat([Buffer.from(`POST /upload HTTP/1.1\r\n${fields}\r\n\r\n`), bytes]);
}

/** Room for files in a folder, also for many at once. */
export function roomIn(folder: string, more: Partial<UploadRoom> = {}): UploadRoom {
  const arriving = new Shares<object>(100);
  return { folder, maxFileBytes: FILE_BYTES, arriving, hasSpace: () => true, ...more };
}

/** A service whose route answers with what `use` returns, and the folder of its files. */
export async function startUploads(
  t: TestContext,
  use: (upload: Upload, request: Request) => unknown = describe,
  times: Partial<typeof LISTENER_TIMES> = {},
  more: Partial<UploadRoom> = {},
): Promise<{ service: Service; folder: string; send(bytes: Buffer): Promise<unknown[]> }> {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-upload-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const room = roomIn(folder, more);
  const routes: readonly Route[] = [
    {
      method: 'POST',
      path: '/upload',
      handler: (request) => {
        const [organisationId, userId] = request.header('x-sender')?.split(' ') ?? [];
        if (organisationId && userId) request.admit({ organisationId, userId });
        return request.readUpload(room, async (upload) => jsonReply(await use(upload, request)));
      },
    },
    { method: 'GET', path: '/next', handler: () => jsonReply('next') },
  ];
  const service = await startService(t, routes, { times });
  async function send(bytes: Buffer): Promise<unknown[]> {
    const wire = service.wire();
    wire.write(bytes);
    const reply = await wire.reply();
    assert.deepEqual(readdirSync(folder), []);
    return [reply.status, reply.status === 200 ? JSON.parse(reply.body) : codeOf(reply)];
  }
  return { service, folder, send };
}

export function describe({ form, file: received }: Upload): unknown {
  if (received === undefined) return [form.fields];
  const { field: of, name, path, bytes } = received;
  const content = readFileSync(path, 'utf8');
  return [form.fields, { of, name, bytes, content: content.slice(0, 20) }];
}

/** Waits until the folder is empty again. */
export async function assertEmptied(folder: string): Promise<void> {
  await until(() => readdirSync(folder).length === 0);
}
