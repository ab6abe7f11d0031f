/** Forms with a file, on a socket: each bad one is refused, and no file stays. */

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FORMS, UPLOADS } from '../../src/core/limits.ts';
import { jsonReply, type Route } from '../../src/http/message.ts';
import { FOREVER_MS, holdTimers } from '../held-timers.ts';
import { until } from '../upkeep/until.ts';
import {
  assertEmptied,
  describe,
  END,
  FILE_BYTES,
  field,
  file,
  part,
  post,
  roomIn,
  startUploads,
} from './uploads.ts';
import { codeOf, head, type Service, startService } from './wire.ts';

test('a form has its fields and its file', async (t) => {
  const { send } = await startUploads(t);
  const body = field('a', '1') + file('Date,Amount\r\n -B not\r\n') + field('a', 'é\r\n') + END;
  const received = { of: 'csv', name: 'bank.csv', bytes: 22, content: 'Date,Amount\r\n -B not' };
  const fields = [
    ['a', '1'],
    ['a', 'é\r\n'],
  ];
  assert.deepEqual(await send(post(body)), [200, [fields, received]]);
  const quoted = post(body, 'Multipart/Form-Data; charset=utf-8; boundary="B"');
  assert.deepEqual(await send(quoted), [200, [fields, received]]);
});

test('the file is private, and deleted when the handler has settled', async (t) => {
  const seen: string[] = [];
  const { send, folder } = await startUploads(t, ({ file: received, form }) => {
    const path = received?.path ?? '';
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.match(path, /upload-[0-9a-f]{32}$/);
    seen.push(path);
    if (form.value('fail') !== undefined) throw new Error('a bug');
    return 'used';
  });
  assert.deepEqual(await send(post(file('x') + END)), [200, 'used']);
  assert.deepEqual(await send(post(field('fail', '') + file('x') + END)), [500, 'internal_error']);
  assert.equal(new Set(seen).size, 2);
  assert.deepEqual(readdirSync(folder), []);
});

test('a handler can keep the file by moving it', async (t) => {
  const kept = join(mkdtempSync(join(tmpdir(), 'budgetd-kept-')), 'kept.csv');
  t.after(() => rmSync(join(kept, '..'), { recursive: true }));
  const { send } = await startUploads(t, ({ file: received }) => {
    renameSync(received?.path ?? '', kept);
    return 'kept';
  });
  assert.deepEqual(await send(post(file('data') + END)), [200, 'kept']);
  assert.equal(readFileSync(kept, 'utf8'), 'data');
});

test('names of files and fields arrive as their owner sees them', async (t) => {
  const { send } = await startUploads(t);
  const names = [
    ['Kontoauszüge März.csv', 'Kontoauszüge März.csv'],
    ['C:\\fake\\bank.csv', 'bank.csv'],
    ['../../etc/passwd', 'passwd'],
    ['a%22b.csv', 'a"b.csv'],
    ['a\\"b.csv', 'a"b.csv'],
    ['a;b=c.csv', 'a;b=c.csv'],
  ] as const;
  for (const [sent, name] of names) {
    const [status, answer] = await send(post(file('x', sent) + END));
    assert.deepEqual([status, answer], [200, [[], { of: 'csv', name, bytes: 1, content: 'x' }]]);
  }
});

test('a file cannot have the name of a folder', async (t) => {
  const { send } = await startUploads(t, () => assert.fail());
  for (const name of ['.', '..', '../..', 'C:\\fake\\..', 'a/']) {
    assert.deepEqual(await send(post(file('x', name) + END)), [400, 'bad_request'], name);
  }
});

test('a form without a chosen file has none', async (t) => {
  const { send } = await startUploads(t);
  assert.deepEqual(await send(post(file('', '') + field('a', '1') + END)), [200, [[['a', '1']]]]);
  assert.deepEqual(await send(post(END)), [200, [[]]]);
  const empty = { of: 'csv', name: 'empty.csv', bytes: 0, content: '' };
  assert.deepEqual(await send(post(file('', 'empty.csv') + END)), [200, [[], empty]]);
});

const DISPOSITION = 'Content-Disposition: form-data; name="a"';
const GOOD = file('x'.repeat(100_000));
/** Each comes after a good file, which must not stay. */
const MALFORMED: readonly (readonly [what: string, body: string | Buffer, code?: string])[] = [
  ['no last boundary', ''],
  ['half a boundary', '--B'],
  ['a part without end', `--B\r\n${DISPOSITION}\r\n\r\nabc`],
  ['a header without end', `--B\r\n${DISPOSITION}\r\nX:`],
  ['no header', `--B\r\n\r\nabc\r\n${END}`],
  ['no Content-Disposition', part('X-Y: 1', '1') + END],
  ['two of them', part(`${DISPOSITION}\r\n${DISPOSITION}`) + END],
  ['no name', part('Content-Disposition: form-data') + END],
  ['two names', part(`${DISPOSITION}; name="b"`) + END],
  ['a name without quotes', part('Content-Disposition: form-data; name=a') + END],
  ['another disposition', part('Content-Disposition: attachment; name="a"') + END],
  ['an extended file name', part(`${DISPOSITION}; filename*=UTF-8''x`) + END],
  ['a header line without colon', part(`${DISPOSITION}\r\nNonsense`) + END],
  ['a folded header line', part(`${DISPOSITION};\r\n filename="x"`) + END],
  ['a bare line feed in a header', part(`${DISPOSITION}\nX: y`) + END],
  ['a zero byte in a header', part(`${DISPOSITION}\r\nX: \u0000`) + END],
  ['a transfer encoding', part(`${DISPOSITION}\r\nContent-Transfer-Encoding: base64`) + END],
  ['a giant header', part(`${DISPOSITION}\r\nX: ${'y'.repeat(UPLOADS.headerBytes)}`) + END],
  ['a giant header without end', `--B\r\n${'y'.repeat(100_000)}`],
  ['text after a boundary', `--Bad\r\n${DISPOSITION}\r\n\r\n1\r\n${END}`],
  ['a second file', file('y') + END],
  ['a file without name', file('y', '') + END],
  ['thousands of parts', field('a', '1').repeat(5_000) + END, 'payload_too_large'],
  ['a field that is too long', field('a', 'x'.repeat(FORMS.bytes + 1)) + END, 'payload_too_large'],
  ['a field not in UTF-8', Buffer.from(field('a', '\xe9') + END, 'latin1'), 'invalid_encoding'],
  ['a name not in UTF-8', Buffer.from(field('\xe9', '1') + END, 'latin1'), 'invalid_encoding'],
];

for (const [what, body, code = 'bad_request'] of MALFORMED) {
  test(`a form with ${what} is refused, and its file deleted`, async (t) => {
    const { send } = await startUploads(t, () => assert.fail());
    const bytes = Buffer.concat([Buffer.from(GOOD), Buffer.from(body)]);
    const status = code === 'payload_too_large' ? 413 : 400;
    assert.deepEqual(await send(post(bytes)), [status, code]);
  });
}

test('what does not begin with its boundary is refused at once', async (t) => {
  const { send } = await startUploads(t, () => assert.fail());
  for (const body of ['', 'preamble\r\n', '\r\n', '--C\r\n', '-', 'x'.repeat(200_000)]) {
    const good = body === '' ? '' : field('a', '1') + END;
    assert.deepEqual(await send(post(body + good)), [400, 'bad_request'], body.slice(0, 20));
  }
});

test('only multipart/form-data with one sound boundary is read', async (t) => {
  const { send } = await startUploads(t, () => assert.fail());
  for (const type of [
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=a; boundary=b',
    'multipart/form-data; boundary="a "',
    'multipart/form-data; boundary="a\\\\b"',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
    'multipart/mixed; boundary=B',
    'multipart/form-data-x; boundary=B',
  ]) {
    assert.deepEqual(await send(post(END, type)), [415, 'unsupported_media_type'], type);
  }
});

test('a file above the limit is refused by its length, and while it arrives', async (t) => {
  const { service, folder, send } = await startUploads(t);
  const [status] = await send(post(file('x'.repeat(FILE_BYTES)) + END));
  assert.equal(status, 200);
  const large = post(file('x'.repeat(FILE_BYTES + 1)) + END);
  assert.deepEqual(await send(large), [413, 'payload_too_large']);
  const declared = service.wire();
  const length = FILE_BYTES + FORMS.bytes + 1;
  const type = 'Host: a\r\nContent-Type: multipart/form-data; boundary=B';
  declared.write(head('POST /upload', `${type}\r\nContent-Length: ${length}`));
  assert.equal((await declared.reply()).status, 413);
  const chunked = service.wire();
  chunked.write(head('POST /upload', `${type}\r\nTransfer-Encoding: chunked`));
  const start = file('').slice(0, -2);
  chunked.write(`${start.length.toString(16)}\r\n${start}\r\n`);
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  for (let sent = 0; sent < 8; sent += 1) chunked.write(chunk);
  assert.equal((await chunked.reply()).status, 413);
  await assertEmptied(folder);
});

test('a client that disconnects leaves no file', async (t) => {
  const { service, folder } = await startUploads(t, () => assert.fail());
  const whole = post(file('x'.repeat(200_000)) + END);
  for (const sent of [20_000, 50_000, 150_000]) {
    const wire = service.wire();
    wire.write(whole.subarray(0, sent));
    await until(() => readdirSync(folder).length === 1);
    wire.socket.destroy();
    await assertEmptied(folder);
  }
  assert.deepEqual(service.events, []);
});

/** Begins to send a file. Returns what sends the rest, and returns the status of the answer. */
async function begin({ service, folder }: { service: Service; folder: string }) {
  const wire = service.wire();
  const bytes = post(file('x'.repeat(200_000)) + END);
  wire.write(bytes.subarray(0, 100_000));
  const finish = async () => {
    wire.write(bytes.subarray(100_000));
    return (await wire.reply()).status;
  };
  while (readdirSync(folder).length === 0) await new Promise(setImmediate);
  return { wire, finish };
}

test('a service that shuts down leaves no file', async (t) => {
  const pass = holdTimers(t);
  const uploads = await startUploads(t, () => assert.fail());
  await begin(uploads);
  const closing = uploads.service.close();
  pass(FOREVER_MS);
  await closing;
  assert.deepEqual(readdirSync(uploads.folder), []);
});

test('a file has more time to arrive than other bodies, but not forever', async (t) => {
  const pass = holdTimers(t);
  const patient = await startUploads(t);
  const { wire, finish } = await begin(patient);
  await patient.service.hurry();
  pass(FOREVER_MS - 1);
  assert.equal(await finish(), 200);
  // The next request on the connection has the usual time.
  wire.write('GET /next HTTP/1.1\r\n');
  assert.equal((await wire.reply()).status, 408);
  const hasty = await startUploads(t, () => assert.fail());
  const late = await begin(hasty);
  pass(FOREVER_MS);
  assert.equal(await late.finish(), 408);
  await assertEmptied(hasty.folder);
});

test('the handler has more time than the form has to arrive', async (t) => {
  const pass = holdTimers(t);
  const { send } = await startUploads(t, () => {
    pass(FOREVER_MS);
    return 'used';
  });
  assert.deepEqual(await send(post(file('x') + END)), [200, 'used']);
});

test('a form can arrive byte by byte, and the next request is answered', async (t) => {
  const { service } = await startUploads(t);
  const wire = service.wire();
  for (const byte of post(field('a', '\r\n--') + file('\r\n--A\r') + END)) {
    wire.write(Uint8Array.of(byte));
    await new Promise(setImmediate);
  }
  const expected = { of: 'csv', name: 'bank.csv', bytes: 6, content: '\r\n--A\r' };
  assert.deepEqual(JSON.parse((await wire.reply()).body), [[['a', '\r\n--']], expected]);
  wire.write(head('GET /next'));
  assert.equal((await wire.reply()).body, '"next"\n');
});

test('a client that waits for a 100 gets it', async (t) => {
  const { service } = await startUploads(t);
  const wire = service.wire();
  const bytes = post(file('x') + END).toString('latin1');
  const [fields = '', body] = bytes.split(/(?<=\r\n)\r\n(?=--B)/);
  wire.write(`${fields}Expect: 100-continue\r\n\r\n`);
  await wire.expect('HTTP/1.1 100 Continue\r\n\r\n');
  wire.write(body ?? '');
  assert.equal((await wire.reply()).status, 200);
});

test('a handler that reads a body twice in this way has a bug', async (t) => {
  const { send, service } = await startUploads(t, (_, request) =>
    request.readUpload(roomIn(tmpdir()), describe),
  );
  assert.deepEqual(await send(post(file('x') + END)), [500, 'internal_error']);
  assert.match(String(service.events[0]?.error), /one way only/);
});

test('a full disk is refused as one', async (t) => {
  const { send } = await startUploads(t, () => {
    throw Object.assign(new Error('write'), { code: 'ENOSPC' });
  });
  assert.deepEqual(await send(post(file('x') + END)), [503, 'storage_full']);
});

test('a folder that is missing is an error of the service', async (t) => {
  const routes: readonly Route[] = [
    {
      method: 'POST',
      path: '/upload',
      handler: (request) => request.readUpload(roomIn('/nowhere'), () => jsonReply('')),
    },
  ];
  const service = await startService(t, routes);
  const wire = service.wire();
  wire.write(post(file('x'.repeat(200_000)) + END));
  const reply = await wire.reply();
  assert.deepEqual([reply.status, codeOf(reply)], [500, 'internal_error']);
  assert.match(String(service.events[0]?.error), /ENOENT/);
});

test(`${UPLOADS.parts} parts are accepted`, async (t) => {
  const { send } = await startUploads(t, ({ form }) => form.fields.length);
  assert.deepEqual(await send(post(field('a', '1').repeat(UPLOADS.parts) + END)), [
    200,
    UPLOADS.parts,
  ]);
});
