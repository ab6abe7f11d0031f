/**
 * Limits wrong passwords, so that nobody can guess one, and nobody shuts others out by typing wrong
 * ones: each network is counted for itself, and one from which a user signed in is not shut out of
 * the account by anyone's tries for another account or from elsewhere. What was refused, or was not
 * checked, does not count, but whoever asks often waits behind those who ask seldom.
 */

import { createHash } from 'node:crypto';
import { count } from '../../core/counts.ts';
import { Failure } from '../../core/failures.ts';
import {
  ASKS_COUNTED,
  SIGN_IN_WINDOW_MS,
  SIGN_INS_PER_ACCOUNT,
  SIGN_INS_PER_ACCOUNT_HERE,
  SIGN_INS_PER_NETWORK,
  TRIES_COUNTED,
} from '../../core/limits.ts';
import { foldEmail, isEmail } from '../../core/users.ts';
import { areaOf, networkOf } from '../../http/addresses.ts';
import type { Request } from '../../http/message.ts';
import { createRateLimiter, type RateLimiter } from '../../http/rate-limiter.ts';

/** A count of tries, and whose. */
type Count = readonly [limiter: RateLimiter, key: string];

/** The wrong passwords of all accounts and networks. */
export class Tries {
  readonly #networks = limiterOf(SIGN_INS_PER_NETWORK);
  /** Of an account from one network. */
  readonly #here = limiterOf(SIGN_INS_PER_ACCOUNT_HERE);
  /** Of an account from all networks from which its user has not signed in. */
  readonly #elsewhere = limiterOf(SIGN_INS_PER_ACCOUNT);
  /** How often a network or an area asked for a check, also while the service was busy. */
  readonly #asked = limiterOf(ASKS_COUNTED);
  /** Accounts with a network from which the user signed in since the service started. */
  readonly #homes = new Set<string>();

  /**
   * Checks a password at the sign-in with `check`, which returns undefined for a wrong one. It gets
   * the place in the line: 0 for a network from which the user signed in before, else how often
   * the network asked, and among equals the area around it: whoever has many networks is not many.
   * Throws `rate_limit_exceeded` after too many wrong ones.
   */
  async signIn<Result>(
    { client, tickMs }: Pick<Request, 'client' | 'tickMs'>,
    email: string,
    check: (place: number) => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    const network = networkOf(client.address);
    const owner = isEmail(email) ? hashOf(foldEmail(email)) : undefined;
    const home = `${owner} ${network}`;
    const isHome = this.#homes.has(home);
    const counts: Count[] = isHome ? [] : [[this.#networks, network]];
    if (owner !== undefined) counts.push([this.#here, home]);
    if (owner !== undefined && !isHome) counts.push([this.#elsewhere, owner]);
    const result = await countTry(counts, tickMs, () => {
      if (isHome) return check(0);
      const around = this.#timesAsked(areaOf(client.address), tickMs);
      return check(this.#timesAsked(network, tickMs) + around / (ASKS_COUNTED + 1));
    });
    if (result !== undefined) this.#remember(home);
    return result;
  }

  /** The same for the password of a user who is signed in, whom nobody else can lock out. */
  own<Result>(
    { tickMs }: Pick<Request, 'tickMs'>,
    userId: number,
    check: () => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    return countTry([[this.#here, String(userId)]], tickMs, check);
  }

  #timesAsked(place: string, tickMs: number): number {
    const { limit, remaining } = this.#asked.take(place, tickMs);
    return limit - remaining;
  }

  #remember(home: string): void {
    this.#homes.delete(home);
    this.#homes.add(home);
    const [oldest] = this.#homes;
    if (this.#homes.size > TRIES_COUNTED && oldest !== undefined) this.#homes.delete(oldest);
  }
}

/** Counts a try before it is checked, or many could be made at once. Only wrong ones stay. */
async function countTry<Result>(
  counts: readonly Count[],
  tickMs: number,
  check: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const taken: Count[] = [];
  let isWrong = false;
  try {
    for (const [limiter, key] of counts) {
      const { allowed, retryAfterSeconds } = limiter.take(key, tickMs);
      if (!allowed) throw tooMany(retryAfterSeconds);
      taken.push([limiter, key]);
    }
    const result = await check();
    isWrong = result === undefined;
    return result;
  } finally {
    if (!isWrong) for (const [limiter, key] of taken) limiter.giveBack(key, tickMs);
  }
}

function limiterOf(capacity: number): RateLimiter {
  return createRateLimiter(capacity, SIGN_IN_WINDOW_MS, TRIES_COUNTED);
}

/** As long for each address, and memory does not show who tried. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function tooMany(seconds: number): Failure {
  const time = count(Math.ceil(seconds / 60), 'minute');
  const message = `There were too many tries. Wait ${time}, then try again.`;
  const headers = { 'Retry-After': String(seconds) };
  return new Failure('rate_limit_exceeded', message, { headers });
}
