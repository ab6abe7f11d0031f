/**
 * Preloaded into every test (`node --import`): hashing a password takes next to nothing instead of
 * a third of a second, because every page of the console is behind a sign-in. Hashes say that they
 * cost what the program asked for, so another process cannot check them.
 */

import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { scrypt } = crypto;
const CHEAP = { N: 2, r: 1, p: 1 };
/** Below this, a test has chosen the cost. */
const DEAR_N = 1024;
let isCheap = true;

/** Hashing costs what it costs people: where it is tested, or another process checks the hash. */
export function hashForReal(): void {
  isCheap = false;
}

/** Holds the next hash: says when it is asked for, and lets it begin. */
export function holdHash(): { readonly asked: Promise<void>; readonly release: () => void } {
  let release = () => {};
  const asked = new Promise<void>((resolve) => {
    held = (begin) => {
      held = undefined;
      release = begin;
      resolve();
    };
  });
  return { asked, release: () => release() };
}
let held: ((begin: () => void) => void) | undefined;

const cheapened = (...[password, salt, bytes, options, done]: Parameters<typeof scrypt>) => {
  const cost = isCheap && Number(options.N) > DEAR_N ? CHEAP : {};
  const begin = () => scrypt(password, salt, bytes, { ...options, ...cost }, done);
  if (held === undefined) begin();
  else held(begin);
};
Object.assign(crypto, { scrypt: cheapened });
syncBuiltinESMExports();
