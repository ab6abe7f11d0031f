import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Tries } from '../../src/console/session/tries.ts';
import { Failure } from '../../src/core/failures.ts';
import { SIGN_INS } from '../../src/core/limits.ts';
import { isPassword } from '../../src/operations/passwords.ts';
import { nextTurn } from '../../src/operations/turns.ts';
import { CHEAP, PASSWORD } from '../operations/users.ts';

const OWNER = 'owner@example.org';

/** Someone in a network. */
function askerAt(address: string, tickMs = 0) {
  return { client: { address, isHttps: false }, tickMs, isGone: false };
}

/** Tries to sign in, without any password. */
class Door {
  readonly #tries = new Tries();
  tickMs = 0;
  /** The place in the line of the last try. */
  place: number | undefined;

  /** Whether a try was `right` or `wrong`, `refused` or `busy`. */
  async try(address: string, email: string, answer: 'right' | 'wrong' | 'busy'): Promise<string> {
    this.place = undefined;
    try {
      const asker = askerAt(address, this.tickMs);
      const result = await this.#tries.signIn(asker, email, ({ place }) => {
        this.place = place;
        if (answer === 'busy') throw new Failure('unavailable', 'busy');
        return Promise.resolve(answer === 'right' ? { result: 1, isWhole: true } : undefined);
      });
      return result === undefined ? 'wrong' : 'right';
    } catch (error) {
      assert.ok(error instanceof Failure);
      return error.code === 'unavailable' ? 'busy' : 'refused';
    }
  }

  /** How many of a number of wrong passwords were checked. */
  async guess(times: number, address: string, email = (at: number) => `${at}@example.org`) {
    let checked = 0;
    for (let at = 0; at < times; at += 1) {
      if ((await this.try(address, email(at), 'wrong')) === 'wrong') checked += 1;
    }
    return checked;
  }
}

const toOwner = () => OWNER;

describe('wrong passwords', () => {
  it('of a network that is refused do not count for an account', async () => {
    const door = new Door();
    assert.equal(await door.guess(60, '198.51.100.7'), SIGN_INS.perNetwork);
    assert.equal(await door.guess(200, '198.51.100.7', toOwner), 0);
    assert.equal(await door.try('203.0.113.1', OWNER, 'right'), 'right');
  });

  it('for an account that is refused do not count for the network', async () => {
    const door = new Door();
    assert.equal(await door.guess(500, '198.51.100.7', toOwner), SIGN_INS.perUserHere);
    assert.equal(await door.try('198.51.100.7', 'other@example.org', 'right'), 'right');
  });

  it('are not those that were not checked', async () => {
    const door = new Door();
    for (let at = 0; at < 200; at += 1) {
      assert.equal(await door.try('198.51.100.7', OWNER, 'busy'), 'busy');
    }
    assert.equal(await door.try('198.51.100.7', OWNER, 'right'), 'right');
  });

  it('are counted by /64 for IPv6', async () => {
    const door = new Door();
    let checked = 0;
    for (let at = 1; at <= 70; at += 1) {
      checked += await door.guess(1, `2001:db8::${at}`, () => `${at}@example.com`);
    }
    assert.equal(checked, SIGN_INS.perNetwork);
    assert.equal(await door.try('2001:db8:0:1::1', OWNER, 'right'), 'right');
  });

  it('of others in a network do not shut out whoever signed in from there', async () => {
    const door = new Door();
    await door.try('192.0.2.1', OWNER, 'right');
    await door.guess(60, '192.0.2.1');
    assert.equal(await door.try('192.0.2.1', 'other@example.org', 'right'), 'refused');
    assert.equal(await door.try('192.0.2.1', OWNER, 'right'), 'right');
  });

  it('for one account are limited in all networks together, but for its own', async () => {
    const door = new Door();
    await door.try('192.0.2.1', OWNER, 'right');
    let checked = 0;
    for (let at = 0; at < 30; at += 1) checked += await door.guess(20, `198.51.100.${at}`, toOwner);
    assert.equal(checked, SIGN_INS.perUser);
    assert.equal(await door.try('203.0.113.1', OWNER, 'right'), 'refused');
    assert.equal(await door.guess(20, '192.0.2.1', toOwner), SIGN_INS.perUserHere);
    door.tickMs = 15 * 60_000;
    assert.equal(await door.try('203.0.113.1', OWNER, 'right'), 'right');
  });

  it('count for their network alone if the email is invalid, however long', async () => {
    const door = new Door();
    const long = () => `${'\u0301\u0323'.repeat(1_000_000)}@example.org`;
    assert.equal(await door.guess(20, '198.51.100.7', long), 20);
    assert.equal(await door.guess(40, '198.51.100.7'), SIGN_INS.perNetwork - 20);
  });
});

/** The place in the line without its fraction, which orders equals. */
const placeOf = (door: Door) => Math.floor(door.place ?? Number.NaN);

it('whoever asked less is checked first, and whoever signed in from there before all', async () => {
  const door = new Door();
  await door.guess(7, '198.51.100.7');
  await door.try('198.51.100.7', OWNER, 'wrong');
  assert.equal(placeOf(door), 8);
  await door.try('192.0.2.1', OWNER, 'right');
  assert.equal(placeOf(door), 1);
  await door.try('192.0.2.1', 'Owner@Example.org', 'wrong');
  assert.equal(door.place, 0);
  await door.try('192.0.2.1', 'other@example.org', 'wrong');
  assert.equal(placeOf(door), 2);
  for (let at = 0; at < 200; at += 1) await door.try('192.0.2.9', OWNER, 'busy');
  assert.equal(placeOf(door), SIGN_INS.asksCounted);
});

/** Asks at the sign-in for a password to be checked: true if it is right. */
function crowd(
  tries = new Tries(),
): (address: string, email: string, password: string) => Promise<unknown> {
  return async (address, email, password) => {
    try {
      return await tries.signIn(askerAt(address), email, async (turn) => {
        const isRight = await isPassword(password, CHEAP, turn);
        return isRight ? { result: true, isWhole: true } : undefined;
      });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return error.code;
    }
  };
}

/** How many of ten newcomers get in, each from a network where nobody has signed in. */
async function newcomers(ask: ReturnType<typeof crowd>): Promise<number> {
  const come = (_: unknown, at: number) => ask(`${192 + at}.0.2.1`, `${at}@example.com`, PASSWORD);
  const answers = await Promise.all(Array.from({ length: 10 }, come));
  return answers.filter((answer) => answer === true).length;
}

describe('a newcomer gets in', () => {
  it('while 100 others each try for the first time at once', async () => {
    const ask = crowd();
    const others = Array.from({ length: 100 }, (_, at) => ask(`10.${at}.0.1`, OWNER, 'wrong'));
    assert.equal(await newcomers(ask), 10);
    await Promise.all(others);
  });

  it('before the many networks of one customer, which try for the first time', async () => {
    for (const addressOf of [
      (at: number) => `2001:db8:0:${at.toString(16)}::1`,
      (at: number) => `198.51.100.${at % 256}`,
      (at: number) => `198.51.${at % 256}.${at >> 8}`,
      (at: number) => `2001:db8:${at.toString(16)}::1`,
    ]) {
      const ask = crowd();
      const others = Array.from({ length: 1000 }, (_, at) => {
        return ask(addressOf(at), `${at}@example.org`, 'wrong');
      });
      assert.equal(await newcomers(ask), 10);
      await Promise.all(others);
    }
  });

  it('as often as others while more try for the first time than can wait', async () => {
    const ask = crowd();
    const others = Array.from({ length: 1000 }, (_, at) => {
      return ask(`${10 + (at >> 8)}.${at % 256}.0.1`, `${at}@example.org`, 'wrong');
    });
    // Each is refused with a chance of less than one in ten, by those who come after them.
    assert.ok((await newcomers(ask)) >= 4);
    await Promise.all(others);
  });

  it('while users who have signed in type their right password all the time', async () => {
    const tries = new Tries();
    const ask = crowd(tries);
    const home = '198.51.100.7';
    assert.equal(await ask(home, OWNER, PASSWORD), true);
    const others = Array.from({ length: 300 }, (_, at) => {
      if (at % 2 === 0) return ask(home, OWNER, PASSWORD);
      const own = tries.own(askerAt(home), 7, (turn) => isPassword(PASSWORD, CHEAP, turn));
      return own.catch(() => {});
    });
    assert.equal(await newcomers(ask), 10);
    await Promise.all(others);
  });
});

it('the right password gets in while 100 others ask all the time', async () => {
  const ask = crowd();
  let isOver = false;
  let asked = 0;
  const others = Array.from({ length: 100 }, async (_, at) => {
    for (let turn = 0; !isOver; turn += 1) {
      await ask(`198.51.100.${at}`, `${turn}@example.org`, 'wrong');
      asked += 1;
      await nextTurn();
    }
  });
  const answers: unknown[] = [];
  // Each is someone else, from a network where nobody has signed in.
  for (let at = 0; at < 10; at += 1) {
    while (asked < 100 * at) await nextTurn();
    answers.push(await ask(`203.0.113.${at}`, `${at}@example.com`, PASSWORD));
  }
  isOver = true;
  await Promise.all(others);
  // The others came first, and the line was full of them once.
  assert.ok(answers.filter((answer) => answer === true).length >= 9, answers.join(', '));
});

it('a user who is signed in has tries that nobody else can use up', async () => {
  const tries = new Tries();
  const guess = () => tries.own(askerAt('192.0.2.1'), 7, () => Promise.resolve(false));
  for (let at = 0; at < SIGN_INS.perUserHere; at += 1) await guess();
  await assert.rejects(guess(), { code: 'rate_limit_exceeded' });
  assert.equal(await tries.own(askerAt('192.0.2.1'), 8, () => Promise.resolve(true)), true);
});
