/** Forms without files, on a socket. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMS } from '../../src/core/limits.ts';
import { readFormBytes } from '../../src/http/form.ts';
import { jsonReply, type Route } from '../../src/http/message.ts';
import type { RecordedRequest } from '../../src/http/request-log.ts';
import { usedMemory } from '../collect.ts';
import { until } from '../upkeep/until.ts';
import { codeOf, head, startService } from './wire.ts';

const FORM_TYPE = 'Host: a\r\nContent-Type: application/x-www-form-urlencoded';

const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/form',
    handler: async (request) => jsonReply((await request.readForm()).fields),
  },
  { method: 'GET', path: '/next', handler: () => jsonReply('next') },
];

function post(body: string, fields = FORM_TYPE): string {
  const length = `Content-Length: ${Buffer.byteLength(body, 'latin1')}`;
  return `POST /form HTTP/1.1\r\n${fields}\r\n${length}\r\n\r\n${body}`;
}

test('a form has its fields in order, with repeated and empty ones', async (t) => {
  const service = await startService(t, ROUTES);
  const cases = [
    ['a=1&b=2&a=3', '[["a","1"],["b","2"],["a","3"]]'],
    ['name=caf%C3%A9+%F0%9F%92%B6&line=1%0D%0A2', '[["name","café 💶"],["line","1\\r\\n2"]]'],
    ['a&b=&=c&&d=e=f', '[["a",""],["b",""],["","c"],["d","e=f"]]'],
    ['%61=%2B%26%3D%25', '[["a","+&=%"]]'],
    ['__proto__=1', '[["__proto__","1"]]'],
    ['', '[]'],
  ] as const;
  for (const [body, fields] of cases) {
    assert.equal((await service.ask(post(body))).body, `${fields}\n`);
  }
  const charset = `${FORM_TYPE}; charset=UTF-8`;
  assert.equal((await service.ask(post('a=1', charset))).body, '[["a","1"]]\n');
});

test('the values of a field are found by its name', async () => {
  const form = await readFormBytes(Buffer.from('a=1&b=2&a=3&constructor=4'));
  assert.deepEqual(form.values('a'), ['1', '3']);
  assert.deepEqual([form.value('a'), form.value('b'), form.value('constructor')], ['1', '2', '4']);
  assert.deepEqual(
    [form.value('c'), form.value('toString'), form.values('c')],
    [undefined, undefined, []],
  );
});

test('a field has a limit of its own in a form that may be larger', async () => {
  const form = (bytes: number) => Buffer.from(`b=2&a=${'x'.repeat(bytes - 2)}&c=3`);
  assert.equal((await readFormBytes(form(FORMS.bytes))).value('c'), '3');
  const tooLarge = { code: 'payload_too_large', message: /^A field of the form is larger than/ };
  await assert.rejects(readFormBytes(form(FORMS.bytes + 1)), tooLarge);
  const wide = await readFormBytes(form(FORMS.bytes + 1), FORMS.bytes + 1);
  assert.equal(wide.value('c'), '3');
});

test('a value that is kept keeps nothing else of its form', async () => {
  const MiB = 1024 * 1024;
  const rest = `&note=${'x'.repeat(60_000)}`.repeat(17);
  const form = Buffer.from(`name=TheNameOfAProject${rest}`);
  const heldBytes = () => {
    const { heapUsed, external } = usedMemory();
    return heapUsed + external;
  };
  const before = heldBytes();
  const kept: unknown[] = [];
  while (kept.length < 100) kept.push((await readFormBytes(form)).value('name'));
  await until(() => heldBytes() - before < 10 * MiB);
  assert.equal(kept.length, 100);
});

test('a form that cannot be decoded is refused', async (t) => {
  const service = await startService(t, ROUTES);
  for (const body of [
    'a=%',
    'a=%4',
    'a=%zz',
    'a=%FF',
    '%C3=1',
    'a=%C3%28',
    'a=%ED%A0%80',
    'a=\xe9',
  ]) {
    const reply = await service.ask(post(body));
    assert.deepEqual([reply.status, codeOf(reply)], [400, 'invalid_encoding'], body);
  }
});

test('a body that is not a form is refused before it is read', async (t) => {
  const service = await startService(t, ROUTES);
  for (const fields of [
    'Host: a',
    'Host: a\r\nContent-Type: application/json',
    'Host: a\r\nContent-Type: multipart/form-data; boundary=x',
    'Host: a\r\nContent-Type: text/plain',
    `${FORM_TYPE}; charset=latin1`,
    `${FORM_TYPE}x`,
    `${FORM_TYPE}\r\nContent-Encoding: gzip`,
  ]) {
    const reply = await service.ask(post('a=1', fields));
    assert.deepEqual([reply.status, codeOf(reply)], [415, 'unsupported_media_type'], fields);
  }
});

test('a form has limits on its size and its fields', async (t) => {
  const service = await startService(t, ROUTES);
  const most = await service.ask(post(`a=${'x'.repeat(FORMS.bytes - 2)}`));
  assert.equal(most.status, 200);
  const large = await service.ask(post(`a=${'x'.repeat(FORMS.bytes - 1)}`));
  assert.deepEqual([large.status, codeOf(large)], [413, 'payload_too_large']);
  const wire = service.wire();
  wire.write(`POST /form HTTP/1.1\r\n${FORM_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
  wire.write(`${chunk}${chunk}1\r\nx\r\n0\r\n\r\n`);
  assert.equal((await wire.reply()).status, 413);
  assert.equal((await service.ask(post('a&'.repeat(FORMS.fields - 1)))).status, 200);
  const many = await service.ask(post('a&'.repeat(FORMS.fields)));
  assert.deepEqual([many.status, codeOf(many)], [413, 'payload_too_large']);
});

test('a form of many fields is read in turns', async () => {
  const form = readFormBytes(Buffer.from(`${'a=1&'.repeat(FORMS.fields - 1)}b=2`));
  let turns = 0;
  const count = () => {
    turns += 1;
    setImmediate(count).unref();
  };
  setImmediate(count).unref();
  assert.equal((await form).value('b'), '2');
  assert.ok(turns >= 4, `${turns} turns`);
});

test('a form can arrive in any pieces, and the connection stays open', async (t) => {
  const service = await startService(t, ROUTES);
  const wire = service.wire();
  const body = post('a=%C3%A9&b=2');
  for (const byte of Buffer.from(body, 'latin1')) {
    wire.write(Uint8Array.of(byte));
    await new Promise(setImmediate);
  }
  assert.equal((await wire.reply()).body, '[["a","é"],["b","2"]]\n');
  wire.write(post('a=%') + head('GET /next'));
  assert.equal((await wire.reply()).status, 400);
  assert.equal((await wire.reply()).body, '"next"\n');
});

test('a form is read once, in one way, and never recorded', async (t) => {
  const answered: RecordedRequest[] = [];
  const routes: readonly Route[] = [
    {
      method: 'POST',
      path: '/form',
      handler: async (request) => {
        const [first, again] = [await request.readForm(), await request.readForm()];
        await assert.rejects(request.readJson(), /media|Content-Type/);
        return jsonReply([first === again, first.value('password')]);
      },
    },
  ];
  const service = await startService(t, routes, { onAnswer: (request) => answered.push(request) });
  assert.equal((await service.ask(post('password=1'))).body, '[true,"1"]\n');
  assert.deepEqual(
    answered.map(({ body }) => body),
    [undefined],
  );
});
