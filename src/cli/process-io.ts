/** The real process, as commands see it. */

import { constants, openSync, writeSync } from 'node:fs';
import { EXIT, type Io } from './command.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Under npm one Ctrl-C arrives twice, from the terminal and from npm: it counts once. */
const SAME_SIGNAL_MS = 700;

/** The real process. The last interrupt ends it at once. */
export function processIo(): Io {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    monotonicMs: () => performance.now(),
    onInterrupt(listener, again) {
      const left = again === undefined ? [listener] : [listener, again];
      let lastMs = Number.NEGATIVE_INFINITY;
      const hear = () => {
        const nowMs = performance.now();
        if (nowMs - lastMs <= SAME_SIGNAL_MS) return;
        lastMs = nowMs;
        const next = left.shift();
        if (next === undefined) process.exit(EXIT.interrupted);
        next();
      };
      for (const signal of SIGNALS) process.on(signal, hear);
      return () => {
        for (const signal of SIGNALS) process.off(signal, hear);
      };
    },
  };
}

const STANDARD_ERROR = 2;

/**
 * Returns a function that writes as much to `stream` as it takes without waiting, and returns how
 * many bytes that were or throws. A stream that is not the process's takes everything.
 */
export function writerTo(stream: NodeJS.WritableStream): (bytes: Uint8Array) => number {
  if (stream !== process.stderr) {
    return (bytes) => {
      stream.write(bytes);
      return bytes.length;
    };
  }
  // Node has set a pipe or a socket not to wait, by reading process.stderr.
  const descriptor = process.stderr.isTTY ? openTerminal() : STANDARD_ERROR;
  return (bytes) => writeSync(descriptor, bytes);
}

/** Opens the terminal again, because writing would wait while Ctrl-S stops it. */
function openTerminal(): number {
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    return openSync('/dev/stderr', O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return STANDARD_ERROR;
  }
}
