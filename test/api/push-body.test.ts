/** The body of a push before its rows are read (contract 2, step 8). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { TransactionList } from '../../src/api/contract.ts';
import type { WireCode } from './contract-table.ts';
import { only, row, startApi } from './harness.ts';
import { PUSH } from './requests.ts';

const api = await startApi();
const BODY = JSON.stringify({ rows: [row('B-1')] });
const MEBIBYTE = 1024 * 1024;

async function countOf(query: string): Promise<number> {
  return (await api.get<TransactionList>(`${PUSH}?${query}`)).data.length;
}

/** A valid body of exactly `bytes` bytes. */
function bodyOf(bytes: number, externalId: string): string {
  const text = JSON.stringify({ rows: [row(externalId)], padding: '' });
  return text.replace('"padding":""', `"padding":"${'x'.repeat(bytes - text.length)}"`);
}

describe('2(8) Content-Type', () => {
  const cases: [field: string, taken: boolean][] = [
    ['Content-Type: application/json', true],
    ['content-type: APPLICATION/JSON', true],
    ['Content-Type: application/json; charset=utf-8', true],
    ['Content-Type: application/json;charset=UTF-8', true],
    ['Content-Type: application/json; charset="utf-8"', true],
    ['Content-Type: application/json; charset=utf-16', false],
    ['Content-Type: application/json; charset=iso-8859-1', false],
    ['Content-Type: application/json; charset=latin1; charset=utf-8', false],
    ['Content-Type: application/jsonp', false],
    ['Content-Type: application/json-patch+json', false],
    ['Content-Type: application/vnd.api+json', false],
    ['Content-Type: text/json', false],
    ['Content-Type: text/plain', false],
    ['Content-Type: application/x-www-form-urlencoded', false],
    ['Content-Type: multipart/form-data; boundary=x', false],
    ['Content-Type: application/json, text/plain', false],
    ['Content-Type: */*', false],
    ['Content-Type:', false],
  ];
  for (const [field, taken] of cases) {
    test(`${field}: ${taken ? 200 : 415}`, async () => {
      const ask = { target: PUSH, fields: [field], body: BODY };
      if (taken) assert.equal((await api.ask(ask)).status, 200);
      else await api.refuse(ask, 415, 'unsupported_media_type');
    });
  }

  test('no Content-Type: 415', async () => {
    const length = `Content-Length: ${BODY.length}`;
    const connection = api.connect();
    connection.send(...api.format({ method: 'POST', target: PUSH, fields: [length] }), BODY);
    const answer = await api.read(connection, 'POST', PUSH);
    assert.equal(answer.status, 415);
  });
});

describe('2(8) Content-Encoding', () => {
  const cases: [coding: string, body: string | Uint8Array, status: number][] = [
    ['identity', BODY, 200],
    ['Identity', BODY, 200],
    ['gzip', gzipSync(BODY), 415],
    ['gzip', BODY, 415],
    ['deflate', BODY, 415],
    ['br', BODY, 415],
    ['identity, gzip', gzipSync(BODY), 415],
    ['x', BODY, 415],
  ];
  for (const [coding, body, status] of cases) {
    test(`${coding}: ${status}`, async () => {
      const fields = [`Content-Encoding: ${coding}`];
      assert.equal((await api.ask({ target: PUSH, fields, body })).status, status);
    });
  }

  test('compressed bytes without a Content-Encoding are not UTF-8', async () => {
    const body = gzipSync(BODY, { level: 0 });
    await api.refuse({ target: PUSH, body }, 400, 'invalid_encoding');
  });
});

describe('2(8) encoding', () => {
  const bytes = (...parts: (string | number[])[]) =>
    Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const [head = '', tail = ''] = JSON.stringify({ rows: [row('#')] }).split('#');
  const cases: [name: string, body: Uint8Array, status: number, code?: WireCode][] = [
    ['a byte order mark is skipped', bytes([0xef, 0xbb, 0xbf], BODY), 200],
    [
      'a second byte order mark is an error',
      bytes([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], BODY),
      400,
      'invalid_json',
    ],
    ['Latin-1', bytes(head, [0xe9], tail), 400, 'invalid_encoding'],
    ['overlong', bytes(head, [0xc0, 0xaf], tail), 400, 'invalid_encoding'],
    ['a surrogate', bytes(head, [0xed, 0xa0, 0x80], tail), 400, 'invalid_encoding'],
    ['beyond Unicode', bytes(head, [0xf4, 0x90, 0x80, 0x80], tail), 400, 'invalid_encoding'],
    ['truncated inside a character', bytes(head, [0xe2, 0x82]), 400, 'invalid_encoding'],
    ['UTF-16', Buffer.from(`\ufeff${BODY}`, 'utf16le'), 400, 'invalid_encoding'],
    ['bad bytes after the document', bytes(BODY, [0xff]), 400, 'invalid_encoding'],
    ['four bytes', bytes(head, [0xf0, 0x9f, 0x98, 0x80], tail), 200],
  ];
  for (const [name, body, status, code] of cases) {
    test(`${name}: ${code ?? status}`, async () => {
      if (code === undefined) assert.equal((await api.ask({ target: PUSH, body })).status, status);
      else await api.refuse({ target: PUSH, body }, status, code);
    });
  }
});

describe('2(8) JSON', () => {
  const deep = (open: string, close: string, depth: number) => {
    return `${BODY.slice(0, -1)},"x":${open.repeat(depth)}1${close.repeat(depth)}}`;
  };
  const cases: [name: string, body: string, code?: WireCode][] = [
    ['empty', '', 'invalid_json'],
    ['blank', ' \r\n\t', 'invalid_json'],
    ['truncated', BODY.slice(0, -1), 'invalid_json'],
    ['two documents', `${BODY}${BODY}`, 'invalid_json'],
    ['NDJSON', `${JSON.stringify(row('J-1'))}\n${JSON.stringify(row('J-2'))}`, 'invalid_json'],
    ['single quotes', "{'rows':[]}", 'invalid_json'],
    ['a trailing comma', '{"rows":[1,]}', 'invalid_json'],
    ['a comment', `/* */${BODY}`, 'invalid_json'],
    ['NaN', '{"rows":[NaN]}', 'invalid_json'],
    ['a leading zero', '{"rows":[01]}', 'invalid_json'],
    ['a control character in a string', '{"rows":["a\nb"]}', 'invalid_json'],
    ['a bad escape', '{"rows":["\\x"]}', 'invalid_json'],
    ['32 brackets open, lists', deep('[', ']', 31)],
    ['33 brackets open, lists', deep('[', ']', 32), 'invalid_json'],
    ['32 brackets open, objects', deep('{"a":', '}', 31)],
    ['33 brackets open, objects', deep('{"a":', '}', 32), 'invalid_json'],
    ['a hundred thousand brackets', '['.repeat(100_000), 'invalid_json'],
    ['brackets in strings do not count', BODY.replace('Rent', '[{'.repeat(100).concat('\\"['))],
    ['brackets one after the other', BODY.replace('}]}', `}],"x":[${'[],'.repeat(100)}1]}`)],
    ['white space around it', `\n\t ${BODY} \r\n`],
  ];
  for (const [name, body, code] of cases) {
    test(`${name}: ${code ?? 200}`, async () => {
      if (code !== undefined) await api.refuse({ target: PUSH, body }, 400, code);
      else assert.equal((await api.ask({ target: PUSH, body })).status, 200);
    });
  }

  test('the last of a repeated member counts', async () => {
    const text = '{"externalId":"J-D","date":"x","description":"a","amount":1,"date":"2026-01-01"}';
    const answer = await api.ask({ target: PUSH, body: `{"rows":[${text}]}` });
    assert.equal(answer.status, 200);
  });
});

describe('2(8) size', () => {
  test('exactly 4 MiB is read', async () => {
    const answer = await api.ask({ target: PUSH, body: bodyOf(4 * MEBIBYTE, 'S-1') });
    assert.equal(answer.status, 200);
  });

  test('one byte more is refused by its Content-Length, before the body arrives', async () => {
    const connection = api.connect();
    const fields = ['Content-Type: application/json', `Content-Length: ${4 * MEBIBYTE + 1}`];
    connection.send(...api.format({ method: 'POST', target: PUSH, fields }));
    const { status, headers } = await api.read(connection, 'POST', PUSH);
    assert.deepEqual([status, headers.get('connection')], [413, 'close']);
    connection.destroy();
  });

  test('a client that sends 15 MiB before it reads still gets its answer', async () => {
    await api.refuse(
      { target: PUSH, body: bodyOf(15 * MEBIBYTE, 'S-2') },
      413,
      'payload_too_large',
    );
  });

  test('a chunked body is refused as soon as it is too large, and nothing is stored', async () => {
    const connection = api.connect();
    const fields = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
    connection.send(...api.format({ method: 'POST', target: PUSH, fields }));
    const chunk = 'x'.repeat(MEBIBYTE);
    const sendChunk = (text: string) =>
      connection.send(`${text.length.toString(16)}\r\n${text}\r\n`);
    sendChunk(`{"rows":[${JSON.stringify(row('S-3'))}],"padding":"`);
    for (let sent = 0; sent < 4; sent += 1) sendChunk(chunk);
    const { status, headers } = await api.read(connection, 'POST', PUSH);
    assert.deepEqual([status, headers.get('connection')], [413, 'close']);
    for (let sent = 0; sent < 4; sent += 1) sendChunk(chunk);
    sendChunk('"}');
    connection.send('0\r\n\r\n');
    await connection.closed;
    assert.equal(await countOf('externalId=S-3'), 0);
  });

  test('chunks of any size form one body', async () => {
    const connection = api.connect();
    const fields = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
    connection.send(...api.format({ method: 'POST', target: PUSH, fields }));
    const body = Buffer.from(JSON.stringify({ rows: [row('S-4', { contact: 'é😀' })] }));
    for (const byte of body) connection.send('1\r\n', Uint8Array.of(byte), '\r\n');
    connection.send('0\r\n\r\n');
    assert.equal((await api.read(connection, 'POST', PUSH)).status, 200);
    const { data } = await api.get<TransactionList>(`${PUSH}?externalId=S-4`);
    assert.equal(only(data).contact, 'é😀');
  });

  test('500 rows with the longest texts fit', async () => {
    const long = {
      description: '€'.repeat(1000),
      contact: '€'.repeat(255),
      accountCode: 'a'.repeat(64),
    };
    const rows = Array.from({ length: 500 }, (_, at) => row(`${at}-${'x'.repeat(250)}`, long));
    assert.equal((await api.push(rows)).meta.created, 500);
  });
});

describe('2(8) order', () => {
  const tooLong = [`Content-Length: ${5 * MEBIBYTE}`];
  const cases: [name: string, fields: string[], body: string, code: WireCode][] = [
    [
      'media type before size',
      ['Content-Type: text/plain', ...tooLong],
      '',
      'unsupported_media_type',
    ],
    [
      'coding before size',
      ['Content-Type: application/json', 'Content-Encoding: br', ...tooLong],
      '',
      'unsupported_media_type',
    ],
    [
      'size before encoding',
      ['Content-Type: application/json', ...tooLong],
      '\xff',
      'payload_too_large',
    ],
  ];
  for (const [name, fields, body, code] of cases) {
    test(name, async () => {
      const connection = api.connect();
      connection.send(...api.format({ method: 'POST', target: PUSH, fields }), body);
      const { document } = await api.read(connection, 'POST', PUSH);
      assert.equal((document as { code: string }).code, code);
      connection.destroy();
    });
  }

  test('encoding before JSON, JSON before the envelope', async () => {
    const broken = Buffer.from('{"rows":\xff', 'latin1');
    await api.refuse({ target: PUSH, body: broken }, 400, 'invalid_encoding');
    const deep = `{"rows":${'['.repeat(40)}`;
    await api.refuse({ target: PUSH, body: deep }, 400, 'invalid_json');
  });
});
