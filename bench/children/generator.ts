/**
 * Generates load in a separate process: several connections, each with one request at a time. It
 * parses as little of the answers as possible, and reports how many there were.
 */

import { connect } from 'node:net';
import { quantile } from '../statistics.ts';
import { answerQuestions, readCpuSeconds } from './answering.ts';

/** The load to generate. */
export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  readonly path: string;
  /** Used one after the other, each for `perKey` requests. */
  readonly keys: readonly string[];
  readonly perKey: number;
}

/** The result. */
export interface LoadResult {
  readonly answers: number;
  readonly refused: number;
  readonly seconds: number;
  /** The share of a core that the generator used: at 1 it is the bottleneck. */
  readonly ownShare: number;
  readonly medianMs: number;
  readonly slowMs: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /content-length: (\d+)/i;

async function run(load: Load): Promise<LoadResult> {
  const requests = load.keys.map((key) =>
    Buffer.from(`GET ${load.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`),
  );
  const times: number[] = [];
  let sent = 0;
  let refused = 0;
  const cpuSeconds = readCpuSeconds();
  const startMs = performance.now();
  const endMs = startMs + load.seconds * 1000;
  const isOver = () => performance.now() >= endMs || sent >= requests.length * load.perKey;
  const next = (): Buffer => {
    const request = requests[Math.floor(sent / load.perKey)];
    sent += 1;
    return request ?? HEAD_END;
  };
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: load.port, noDelay: true });
      let sentMs = 0;
      let awaited = 0;
      const send = () => {
        if (isOver()) {
          socket.destroy();
          resolve();
          return;
        }
        sentMs = performance.now();
        socket.write(next());
      };
      socket.on('connect', send).on('error', reject);
      socket.on('data', (chunk) => {
        if (awaited === 0) awaited = lengthOf(chunk);
        awaited -= chunk.length;
        if (awaited > 0) return;
        if (chunk[9] !== 0x32) refused += 1;
        times.push(performance.now() - sentMs);
        send();
      });
    });
  await Promise.all(Array.from({ length: load.connections }, ask));
  const seconds = (performance.now() - startMs) / 1000;
  times.sort((a, b) => a - b);
  return {
    answers: times.length,
    refused,
    seconds,
    ownShare: (readCpuSeconds() - cpuSeconds) / seconds,
    medianMs: quantile(times, 0.5),
    slowMs: quantile(times, 0.99),
  };
}

/** The length of a whole answer, from its first piece, which contains the whole head. */
function lengthOf(chunk: Buffer): number {
  const end = chunk.indexOf(HEAD_END);
  const length = LENGTH.exec(chunk.toString('latin1', 0, end))?.[1];
  return end + HEAD_END.length + Number(length ?? 0);
}

answerQuestions({ run });
process.channel?.ref();
process.once('SIGTERM', () => process.exit(0));
