/**
 * Limits wrong passwords, so that nobody can guess one, and nobody shuts others out by typing wrong
 * ones: each network is counted for itself, and one from which a user signed in is not shut out of
 * the account by anyone's tries for another account or from elsewhere. What was refused, or was not
 * checked, does not count, but whoever asks often waits behind those who ask seldom.
 */

import { createHash } from 'node:crypto';
import { count } from '../../core/counts.ts';
import { Failure } from '../../core/failures.ts';
import { SECOND_FACTOR, SIGN_INS } from '../../core/limits.ts';
import { foldEmail, isEmail } from '../../core/users.ts';
import { areasOf, networkOf } from '../../http/addresses.ts';
import type { Request } from '../../http/message.ts';
import { RateLimiter } from '../../http/rate-limiter.ts';
import type { Queued } from '../../operations/passwords.ts';

/** Someone whose password was right, who has a second factor. */
export interface HalfSignIn {
  readonly userId: number;
  readonly email: string;
  /** The hash of the password that was right: another one ends this. */
  readonly password: string;
  /** When the try was counted. */
  readonly tickMs: number;
}

/** Who asks. */
type Asker = Pick<Request, 'client' | 'tickMs' | 'isGone'>;

/** A count of tries, and whose. */
type Count = readonly [limiter: RateLimiter, key: string];

/** What checking a password led to. */
interface Checked<Result> {
  readonly result: Result;
  /** False if a code has to follow: the try counts until it is right. */
  readonly isWhole: boolean;
}

export class Tries {
  readonly #networks = limiterOf(SIGN_INS.perNetwork);
  /** Of an account from one network. */
  readonly #here = limiterOf(SIGN_INS.perUserHere);
  /** Of an account from all networks from which its user has not signed in. */
  readonly #elsewhere = limiterOf(SIGN_INS.perUser);
  /** Wrong codes of a user, who has given the right password. */
  readonly #codes = new RateLimiter(
    SECOND_FACTOR.triesPerUser,
    SECOND_FACTOR.windowMs,
    SIGN_INS.triesCounted,
  );
  /** How often a network or a user asked for a check, also while the service was busy. */
  readonly #asked = limiterOf(SIGN_INS.asksCounted);
  /** How often an area with many networks asked for one. */
  readonly #askedAround = limiterOf(SIGN_INS.asksCounted);
  /** Accounts with a network from which the user signed in since the service started. */
  readonly #homes = new Set<string>();

  /**
   * Checks a password at the sign-in with `check`, which returns undefined for a wrong one. Whoever
   * signed in from the network before has a place in the line of their own. Throws
   * `rate_limit_exceeded` after too many wrong ones.
   */
  async signIn<Result>(
    asker: Asker,
    email: string,
    check: (turn: Queued) => Promise<Checked<Result> | undefined>,
  ): Promise<Result | undefined> {
    const { counts, home, isHome } = this.#countsOf(asker, email);
    const work = () => check(isHome ? this.#turnOf(asker, home) : this.turnOf(asker));
    const checked = await countTry(counts, asker.tickMs, work, (each) => each?.isWhole === true);
    if (checked?.isWhole) this.#remember(home);
    return checked?.result;
  }

  /**
   * Checks the code of someone whose password was right at `passwordTickMs`: that try no longer
   * counts once the code is right, or if it cannot be checked. Throws as above.
   */
  async code(
    asker: Asker,
    { userId, email, tickMs: passwordTickMs }: HalfSignIn,
    check: () => boolean,
  ): Promise<boolean> {
    const { counts, home } = this.#countsOf(asker, email);
    const all: Count[] = [[this.#codes, String(userId)], ...counts];
    const checkOnce = async () => {
      let isWrong = false;
      try {
        isWrong = !check();
        return !isWrong;
      } finally {
        if (!isWrong) for (const [limiter, key] of counts) limiter.giveBack(key, passwordTickMs);
      }
    };
    const isRight = await countTry(all, asker.tickMs, checkOnce, Boolean);
    if (isRight) this.#remember(home);
    return isRight;
  }

  #countsOf({ client }: Asker, email: string) {
    const network = networkOf(client.address);
    const owner = isEmail(email) ? hashOf(foldEmail(email)) : undefined;
    const home = `${owner} ${network}`;
    const isHome = this.#homes.has(home);
    const counts: Count[] = isHome ? [] : [[this.#networks, network]];
    if (owner !== undefined) counts.push([this.#here, home]);
    if (owner !== undefined && !isHome) counts.push([this.#elsewhere, owner]);
    return { counts, home, isHome };
  }

  /** Counts a try of the password of a signed-in user, whom nobody else can lock out. */
  own(asker: Asker, userId: number, check: (turn: Queued) => Promise<boolean>): Promise<boolean> {
    const user = String(userId);
    const work = () => check(this.#turnOf(asker, user));
    return countTry([[this.#here, user]], asker.tickMs, work, Boolean);
  }

  /** Counts a try of the code of a user who is signed in. */
  ownCode({ tickMs }: Asker, userId: number, check: () => boolean): Promise<boolean> {
    return countTry([[this.#codes, String(userId)]], tickMs, async () => check(), Boolean);
  }

  /**
   * The turn of someone who is not signed in: behind all whose networks asked less often, and among
   * equals behind those around which others did, near first. Who has many networks is not many.
   */
  turnOf(asker: Asker): Queued {
    const { client, tickMs } = asker;
    const around = areasOf(client.address).reduceRight((wider, area) => {
      return (timesAsked(this.#askedAround, area, tickMs) + wider) / (SIGN_INS.asksCounted + 1);
    }, 0);
    return this.#turnOf(asker, networkOf(client.address), 1 + around);
  }

  /** A user who asks for the first time in a while is in front of all others. */
  #turnOf(asker: Asker, who: string, behind = 0): Queued {
    const place = timesAsked(this.#asked, who, asker.tickMs) - 1 + behind;
    return { place, isGone: () => asker.isGone };
  }

  #remember(home: string): void {
    this.#homes.delete(home);
    this.#homes.add(home);
    const [oldest] = this.#homes;
    if (this.#homes.size > SIGN_INS.triesCounted && oldest !== undefined)
      this.#homes.delete(oldest);
  }
}

/** Counts a try before it is checked, or many could be made at once. Only wrong ones stay. */
async function countTry<Result>(
  counts: readonly Count[],
  tickMs: number,
  check: () => Promise<Result>,
  isRight: (result: Result) => boolean,
): Promise<Result> {
  const taken: Count[] = [];
  let isWrong = false;
  try {
    for (const [limiter, key] of counts) {
      const { allowed, retryAfterSeconds } = limiter.take(key, tickMs);
      if (!allowed) throw tooMany(retryAfterSeconds);
      taken.push([limiter, key]);
    }
    const result = await check();
    isWrong = !isRight(result);
    return result;
  } finally {
    if (!isWrong) for (const [limiter, key] of taken) limiter.giveBack(key, tickMs);
  }
}

function timesAsked(asked: RateLimiter, who: string, tickMs: number): number {
  const { limit, remaining } = asked.take(who, tickMs);
  return limit - remaining;
}

function limiterOf(capacity: number): RateLimiter {
  return new RateLimiter(capacity, SIGN_INS.windowMs, SIGN_INS.triesCounted);
}

/** As long for each address, and memory does not show who tried. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function tooMany(seconds: number): Failure {
  const time = count(Math.ceil(seconds / 60), 'minute');
  const message = `Too many attempts. Wait ${time}, then try again.`;
  const headers = { 'Retry-After': String(seconds) };
  return new Failure('rate_limit_exceeded', message, { headers });
}
