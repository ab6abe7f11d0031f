/** The real process, as commands see it. */

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
