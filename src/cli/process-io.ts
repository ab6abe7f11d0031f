/** The process as commands see it. */

import type { Io } from './command.ts';
import { EXIT } from './command.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** One Ctrl-C under npm arrives twice, from the terminal and from npm: that is no second one. */
const SAME_SIGNAL_MS = 700;

/** The real world. A second interrupt ends the process at once, whatever it is doing. */
export function processIo(): Io {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    onInterrupt(listener) {
      let firstMs: number | undefined;
      const hear = () => {
        const nowMs = performance.now();
        if (firstMs === undefined) {
          firstMs = nowMs;
          listener();
        } else if (nowMs - firstMs > SAME_SIGNAL_MS) process.exit(EXIT.interrupted);
      };
      for (const signal of SIGNALS) process.on(signal, hear);
      return () => {
        for (const signal of SIGNALS) process.off(signal, hear);
      };
    },
  };
}
