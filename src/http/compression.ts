/** Compresses pages, styles, scripts and CSV for browsers that take it. */

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { bytesOf, encoded, isFile } from './answer.ts';
import type { Reply, Request } from './message.ts';

const pack = promisify(gzip);

/** What is shorter is sent at once anyway. */
const LEAST_BYTES = 4096;
/** 80 KiB take 1 ms, on another thread; more effort takes longer and saves next to nothing. */
const LEVEL = 4;

/** A reply as it is sent: encoded, and compressed if it pays. */
export function finished(reply: Reply, request: Request): Reply | Promise<Reply> {
  const whole = encoded(reply);
  if (!isCompressed(reply, request)) return whole;
  return whole instanceof Promise ? whole.then(compressed) : compressed(whole);
}

/**
 * Whether to compress a reply: a text that a person asked for here. From the size of a page that
 * another site opens with words of its own, what else is on the page could be guessed (BREACH).
 */
function isCompressed({ headers }: Reply, request: Request): boolean {
  if (!String(headers['Content-Type']).startsWith('text/')) return false;
  const site = request.header('sec-fetch-site');
  return (site === 'same-origin' || site === 'none') && takesGzip(request);
}

async function compressed(reply: Reply): Promise<Reply> {
  const { headers, body } = reply;
  const whole = bytesOf(body);
  if (isFile(whole) || whole.length < LEAST_BYTES) return reply;
  const { ETag: tag } = headers;
  return {
    ...reply,
    headers: {
      ...headers,
      // The same tag is for other bytes too, so it is weak (RFC 9110, 8.8.3).
      ...(tag !== undefined && { ETag: `W/${tag}` }),
      'Content-Encoding': 'gzip',
      Vary: 'Accept-Encoding, Sec-Fetch-Site',
    },
    body: await pack(whole, { level: LEVEL }),
  };
}

function takesGzip(request: Request): boolean {
  const codings = (request.header('accept-encoding') ?? '').toLowerCase().split(',');
  return codings.some((each) => {
    const [name, weight = 'q=1'] = each.trim().split(/\s*;\s*/);
    return name === 'gzip' && Number(weight.slice(2)) > 0;
  });
}
