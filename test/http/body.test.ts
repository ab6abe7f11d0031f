import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { Failure, type FailureCode } from '../../src/core/failures.ts';
import { BODY_BYTES, JSON_VALUES } from '../../src/core/limits.ts';
import {
  BodyAborted,
  BodyMemory,
  ByteCollector,
  readBytes,
  readChunks,
  readJsonBytes,
} from '../../src/http/body.ts';
import { checkBodyHeaders } from '../../src/http/media-type.ts';

function refusedWith(code: FailureCode, message = /./): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Failure, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };
}

const JSON_HEADERS = { 'content-type': 'application/json' };

test('contract 2(8): the media type is checked before the length; the limit is inclusive', () => {
  checkBodyHeaders('json', BODY_BYTES, JSON_HEADERS);
  checkBodyHeaders('json', BODY_BYTES, { ...JSON_HEADERS, 'content-length': String(BODY_BYTES) });
  const tooLong = { ...JSON_HEADERS, 'content-length': String(BODY_BYTES + 1) };
  assert.throws(
    () => checkBodyHeaders('json', BODY_BYTES, tooLong),
    refusedWith('payload_too_large', /4 MiB/),
  );
  assert.throws(
    () => checkBodyHeaders('json', BODY_BYTES, { ...tooLong, 'content-type': 'text/csv' }),
    refusedWith('unsupported_media_type', /application\/json/),
  );
  assert.throws(
    () => checkBodyHeaders('json', BODY_BYTES, { ...tooLong, 'content-encoding': 'gzip' }),
    refusedWith('unsupported_media_type', /Content-Encoding/),
  );
});

test('bytes are parsed without a leading byte order mark', async () => {
  const cases = [
    ['{"rows":[1,2]}', { rows: [1, 2] }],
    ['\ufeff{"a":"é€💶"}', { a: 'é€💶' }],
    [' "text" ', 'text'],
    ['{"a":1,"a":2}', { a: 2 }],
    ['"\\ud800"', '\ud800'],
    ['1e400', Number.POSITIVE_INFINITY],
  ] as const;
  for (const [text, value] of cases) {
    assert.deepEqual(await readJsonBytes(Buffer.from(text)), value, text);
  }
});

test('__proto__ is an ordinary member and pollutes nothing', async () => {
  const value = await readJsonBytes(Buffer.from('{"__proto__":{"admin":true}}'));
  assert.ok(typeof value === 'object' && value !== null);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal('admin' in value, false);
});

test('contract 2(8): bytes that are not UTF-8 are refused, never replaced', async () => {
  const bad = [
    [0x22, 0xe9, 0x22],
    [0x22, 0xc3, 0x22],
    [0x22, 0xc0, 0xaf, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0xff, 0xfe, 0x22, 0x00, 0x22, 0x00],
    [0x5b, 0x5d, 0xe2, 0x82],
  ];
  for (const bytes of bad) {
    await assert.rejects(
      () => readJsonBytes(Uint8Array.from(bytes)),
      refusedWith('invalid_encoding'),
    );
  }
  // The decoder keeps no state after a refusal.
  assert.deepEqual(await readJsonBytes(Buffer.from('[]')), []);
});

test('contract 2(8): an invalid document is refused with its place, not its content', async () => {
  const cases = [
    ['', /^The body is empty/],
    ['\ufeff \r\n\t', /^The body is empty/],
    ['\ufeff\ufeff[]', /line 1, column 1: expected a value, found the character U\+FEFF/],
    [
      '{"secret": "x",\n "more": oops}',
      /line 2, column 10: expected a value, found the character o\.$/,
    ],
    ['{"rows": [', /line 1, column 11: expected a value, found the end of the body/],
  ] as const;
  for (const [text, message] of cases) {
    await assert.rejects(
      () => readJsonBytes(Buffer.from(text)),
      refusedWith('invalid_json', message),
    );
  }
});

test('contract 2(8): at most 32 brackets of either kind can be nested', async () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const nested = (depth: number): Buffer =>
      Buffer.from(`${open.repeat(depth)}0${close.repeat(depth)}`);
    await readJsonBytes(nested(32));
    await assert.rejects(
      () => readJsonBytes(nested(33)),
      refusedWith('invalid_json', /32 brackets/),
    );
  }
  await readJsonBytes(Buffer.from(`[${'[[]],'.repeat(1_000)}[]]`));
});

test('millions of nested arrays are refused without being parsed', async (t) => {
  const parse = t.mock.method(JSON, 'parse');
  const deep = Buffer.alloc(BODY_BYTES, '[');
  await assert.rejects(() => readJsonBytes(deep), refusedWith('invalid_json'));
  const wide = Buffer.from(`[${'["a"],'.repeat(BODY_BYTES / 6 - 1)}[]]`);
  await assert.rejects(() => readJsonBytes(wide), refusedWith('invalid_envelope', /100000 values/));
  assert.equal(parse.mock.callCount(), 0);
});

test('a body with too many values is refused unparsed', async () => {
  const full = (values: number) =>
    Buffer.from(
      `[${Array(values - 1)
        .fill(0)
        .join()}]`,
    );
  assert.equal(((await readJsonBytes(full(JSON_VALUES))) as unknown[]).length, JSON_VALUES - 1);
  await assert.rejects(() => readJsonBytes(full(JSON_VALUES + 2)), refusedWith('invalid_envelope'));
});

function bodyOf(source: Readable, answer = new EventEmitter(), memory = new BodyMemory(2 ** 30)) {
  const sender = ['org_1', 'key_1'] as const;
  return { source, answer, maxBytes: BODY_BYTES, sender, memory, receivedBytes: 0 };
}

function chunked(...sizes: readonly number[]): { source: Readable; sent: Buffer } {
  const chunks = sizes.map((size, at) => Buffer.alloc(size, 97 + (at % 26)));
  return { source: Readable.from(chunks, { objectMode: false }), sent: Buffer.concat(chunks) };
}

test('a stream is read to its end in chunks of any size', async () => {
  const answer = new EventEmitter();
  for (const sizes of [[], [0], [5], [1, 1, 1, 1], [100, 1, 300, 2, 5_000], [1_000, 0, 24]]) {
    const { source, sent } = chunked(...sizes);
    assert.deepEqual(Buffer.from(await readBytes(bodyOf(source, answer))), sent, String(sizes));
    assert.equal(source.listenerCount('data') + source.listenerCount('close'), 0);
    assert.equal(answer.listenerCount('close'), 0);
  }
});

test('contract 2(8): a stream is at most 4 MiB long', async () => {
  const mebibyte = 1024 * 1024;
  const most = chunked(mebibyte, mebibyte, mebibyte, mebibyte);
  assert.equal((await readBytes(bodyOf(most.source))).length, BODY_BYTES);
  const more = chunked(mebibyte, mebibyte, mebibyte, mebibyte, 1);
  await assert.rejects(readBytes(bodyOf(more.source)), refusedWith('payload_too_large'));
  assert.equal(more.source.listenerCount('data'), 0);
});

test('a stream that breaks off, or is answered early, is aborted', async () => {
  const answer = new EventEmitter();
  const source = new Readable({ read: () => {} });
  source.on('error', () => {});
  const answered = readBytes(bodyOf(source, answer));
  answer.emit('close');
  await assert.rejects(answered, BodyAborted);
  const reading = readBytes(bodyOf(source, answer));
  source.push('half of');
  source.destroy(new Error('gone'));
  await assert.rejects(reading, BodyAborted);
  await assert.rejects(readBytes(bodyOf(source, answer)), BodyAborted);
  assert.equal(source.listenerCount('data') + answer.listenerCount('close'), 0);
});

test('a stream waits for whoever takes its chunks', async () => {
  const { source, sent } = chunked(10, 20, 30);
  const answer = new EventEmitter();
  let taking = 0;
  let taken = 0;
  await readChunks(bodyOf(source, answer), async (chunk) => {
    taking += 1;
    assert.equal(taking, 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    taken += chunk.length;
    taking -= 1;
  });
  assert.equal(taken, sent.length);
  const broken = chunked(10, 20);
  const reading = readChunks(bodyOf(broken.source, answer), () =>
    Promise.reject(new Error('full')),
  );
  await assert.rejects(reading, /full/);
  assert.equal(broken.source.listenerCount('data') + answer.listenerCount('close'), 0);
});

test('what waits longest for more is refused when bodies together are too large', async () => {
  const memory = new BodyMemory(96 * 1024);
  const silent = () => new Readable({ read: () => {} });
  const read = (source: Readable) => readBytes(bodyOf(source, undefined, memory));
  const sources = [silent(), silent(), silent()] as const;
  const readings = [read(sources[0]), read(sources[1]), read(sources[2])] as const;
  for (const source of sources) source.push(Buffer.alloc(20_000));
  await new Promise(setImmediate);
  sources[0].push(Buffer.alloc(16_000));
  await assert.rejects(readings[1], refusedWith('unavailable'));
  assert.equal(sources[1].listenerCount('data'), 0);
  for (const source of [sources[0], sources[2]]) source.push(null);
  assert.equal((await readings[0]).length, 36_000);
  assert.equal((await readings[2]).length, 20_000);
  // All of it is free again.
  const last = silent();
  last.push(Buffer.alloc(64 * 1024));
  last.push(null);
  assert.equal((await read(last)).length, 64 * 1024);
});

test('blocks are used again while bodies arrive, and those of one large body afterwards', () => {
  const memory = new BodyMemory(2 ** 30);
  const lend = (bodies: readonly ReturnType<typeof bodyOf>[], each: number) =>
    bodies.map((body) => Array.from({ length: each }, () => memory.take(body, 16 * 1024)));
  const sources = [chunked(1).source, chunked(1).source];
  const [first, second] = sources.map((source) => bodyOf(source, undefined, memory));
  assert.ok(first !== undefined && second !== undefined);
  const [some = [], others = []] = lend([first, second], 384);
  memory.release(first, some);
  const [again = []] = lend([first], 384);
  assert.deepEqual(new Set(again), new Set(some));
  memory.release(first, again);
  memory.release(second, others);
  const known = new Set([...some, ...others]);
  assert.equal(new Set([...known].map(({ buffer }) => buffer)).size, 768 / 64, 'slabs');
  const [last = []] = lend([first], 768);
  assert.equal(last.filter((block) => known.has(block)).length, BODY_BYTES / (16 * 1024));
});

test('bytes are collected in order, in little more memory than they are', () => {
  const received = randomBytes(64 * 1024);
  for (const sizes of [[1], [1, 2000], [40_000, 1, 1], [5, 16_384, 65_536, 700]]) {
    const bytes = new ByteCollector();
    const sent: Buffer[] = [];
    for (let at = 0; at < 500; at += 1) {
      const chunk = received.subarray(0, sizes[at % sizes.length]);
      bytes.add(chunk);
      sent.push(chunk);
      const held = bytes.blocks.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
      assert.ok(held <= 2 * bytes.length + 1024, `${held} for ${bytes.length}`);
    }
    assert.deepEqual(bytes.taken(), Buffer.concat(sent));
  }
});
