/** Sends the body of an answer, whose head has been written, as fast as the client reads it. */

import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DISCARDED_BODY_BYTES } from '../core/limits.ts';
import { isFile } from './answer.ts';
import type { Connection } from './connections.ts';
import type { FileBody } from './message.ts';
import { SIZES } from './settings.ts';

/** What an answer is sent on. */
interface Sending {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly connection: Connection;
}

/**
 * Sends a body. With `lingerMs`, the answer ends only after the client has stopped sending, or has
 * paused for so long. Returns what ends it at once.
 */
export function sendBody(
  sending: Sending,
  body: string | Uint8Array | FileBody,
  lingerMs: number | undefined,
): () => void {
  if (isFile(body)) void sendFile(sending, body);
  else if (lingerMs !== undefined) return sendAndLinger(sending, body, lingerMs);
  else sendFrom(sending, body, 0);
  return () => {};
}

/** Sends each piece after the previous one has left, which shows whether the client reads. */
function sendFrom(sending: Sending, body: string | Uint8Array, start: number): void {
  const { res, connection } = sending;
  const end = start + SIZES.pieceBytes;
  if (typeof body === 'string' || end >= body.length) {
    res.end(typeof body === 'string' ? body : body.subarray(start));
  } else {
    res.write(body.subarray(start, end), (error) => {
      if (!error) sendFrom(sending, body, end);
    });
  }
  connection.expectReader();
}

/** Sends a file. Without its end the client must not take it for whole. */
async function sendFile({ res, connection }: Sending, { path, bytes }: FileBody): Promise<void> {
  const closed = new Promise((resolve) => res.once('close', resolve));
  const options = { end: bytes - 1, highWaterMark: SIZES.pieceBytes };
  let sentBytes = 0;
  try {
    for await (const piece of createReadStream(path, options) as AsyncIterable<Buffer>) {
      const taken = new Promise((resolve) => res.write(piece, resolve));
      connection.expectReader();
      await Promise.race([taken, closed]);
      if (res.destroyed) return;
      sentBytes += piece.length;
    }
  } catch {
    // It was removed, or cannot be read.
  }
  if (sentBytes === bytes) res.end();
  else connection.socket.destroy();
}

/** Closing a socket with unread bytes resets the connection: the client would lose the answer. */
function sendAndLinger(
  { req, res, connection }: Sending,
  body: string | Uint8Array,
  lingerMs: number,
): () => void {
  if (body.length === 0) {
    res.flushHeaders();
  } else {
    res.write(body);
  }
  connection.expectReader();
  let discarded = 0;
  const finish = (): void => {
    clearTimeout(timer);
    res.end();
  };
  const timer = setTimeout(finish, lingerMs);
  res.once('close', finish);
  req.once('end', finish);
  req.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > DISCARDED_BODY_BYTES) {
      finish();
    } else {
      timer.refresh();
    }
  });
  return finish;
}
