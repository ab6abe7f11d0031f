/** A thread that makes and sends heavy requests, which takes no time of the service this way. */

import { request } from 'node:http';
import { parentPort } from 'node:worker_threads';
import { heavyText } from './heavy-texts.ts';

/** A text, or a trap and its size. */
export type Text = string | readonly [trap: string, bytes: number];

export type Fields = readonly (readonly [name: Text, value: Text])[];

/** A request with heavy texts in it. */
export interface HeavyRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Fields;
  readonly query?: Fields;
  readonly form?: Fields;
  /** The name of a file, and the texts that it consists of. */
  readonly file?: readonly [name: Text, ...content: Text[]];
  /** The texts of a JSON body. */
  readonly json?: readonly Text[];
}

/** What came back. */
export interface HeavyAnswer {
  /** 0 if the connection was cut. */
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
}

const BOUNDARY = 'heavy';
// biome-ignore lint/suspicious/noControlCharactersInRegex: no header field can have them.
const CONTROL = /[\0-\x1f\x7f]/g;

function sizeEncoded(text: string): number {
  return encodeURIComponent(text).length;
}

function encode(text: Text): string {
  return encodeURIComponent(typeof text === 'string' ? text : heavyText(...text, sizeEncoded));
}

function plain(text: Text): string {
  return typeof text === 'string' ? text : heavyText(...text, Buffer.byteLength);
}

function pairs(fields: Fields): string {
  return fields.map((field) => field.map(encode).join('=')).join('&');
}

/** As bytes of UTF-8, without what no header field can have. */
function headerValue(text: Text): string {
  return Buffer.from(plain(text)).toString('latin1').replaceAll(CONTROL, ' ');
}

function part(name: Text, more: string, content: readonly Text[]): string {
  const head = `Content-Disposition: form-data; name="${plain(name)}"${more}`;
  return `--${BOUNDARY}\r\n${head}\r\n\r\n${content.map(plain).join('')}\r\n`;
}

function bodyOf({ form, file, json }: HeavyRequest): [type: string, text: string] | undefined {
  if (json !== undefined) return ['application/json', json.map(plain).join('')];
  if (form === undefined) return undefined;
  if (file === undefined) return ['application/x-www-form-urlencoded', pairs(form)];
  const [name, ...content] = file;
  const parts = form.map(([field, value]) => part(field, '', [value]));
  parts.push(part('file', `; filename="${plain(name)}"`, content));
  return [`multipart/form-data; boundary=${BOUNDARY}`, `${parts.join('')}--${BOUNDARY}--\r\n`];
}

function send(heavy: HeavyRequest): Promise<HeavyAnswer> {
  const { method, url, headers, query = [] } = heavy;
  const [type, text] = bodyOf(heavy) ?? [];
  const fields: Record<string, string> = {};
  if (type !== undefined) fields['content-type'] = type;
  for (const [name, value] of headers) fields[plain(name)] = headerValue(value);
  const path = query.length === 0 ? url : `${url}?${pairs(query)}`;
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve({ status: 0, location: undefined, text: String(error) });
    const sent = request(path, { method, headers: fields, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', fail);
      answer.on('end', () => {
        const {
          statusCode: status = 0,
          headers: { location },
        } = answer;
        resolve({ status, location, text: Buffer.concat(chunks).toString() });
      });
    });
    sent.on('error', fail);
    sent.end(text);
  });
}

parentPort?.on('message', async (heavy: HeavyRequest) =>
  parentPort?.postMessage(await send(heavy)),
);
