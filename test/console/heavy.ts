/** Sends heavy texts to a service, and fails when one of them holds the event loop. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { formatId } from '../../src/core/ids.ts';
import { listTransactions } from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { CONTRACT_SCOPES } from '../api/contract-table.ts';
import { IS_SLOW } from '../repetitions.ts';
import { type Furnished, furnish } from './furnish.ts';
import type { HeavyAnswer, HeavyRequest } from './heavy-sender.ts';
import { TRAPS } from './heavy-texts.ts';
import { addUser, type Browser, type Office, openOffice } from './office.ts';
import { slowness, watchTurns } from './turns.ts';
import { enterAs, type Walk, walkPages } from './walk-pages.ts';

/** Of a turn on a quiet machine. */
const MOST_MS = 50;
/** The first try may load or compile what the next ones have. */
const TRIES = 5;

/** A service with something in every field, and whoever attacks it. */
export class Attack {
  readonly office: Office;
  readonly world: Furnished;
  readonly walk: Walk;
  /** The page of a file that waits to be imported. */
  readonly heldPath: string;
  readonly #worker: Worker;
  readonly #key: string;
  #turn = 0;

  private constructor(office: Office, world: Furnished, walk: Walk, heldPath: string) {
    this.office = office;
    this.world = world;
    this.walk = walk;
    this.heldPath = heldPath;
    this.#worker = new Worker(new URL('./heavy-sender.js', import.meta.url));
    const org = formatId('org', world.access.organisation.id);
    this.#key = office.service.keys.create(org, { name: 'Key', scopes: CONTRACT_SCOPES }).key;
  }

  static async open(test: TestContext): Promise<Attack> {
    let tickMs = 0;
    const office = await openOffice(test, {
      rateLimit: false,
      // Tries to sign in are forgotten before the next one.
      monotonicMs: () => (tickMs += 3_600_000),
      trustedProxies: ['127.0.0.1'],
    });
    const world = furnish(office.service, (most) => 'Plain'.slice(0, most), 'plain');
    await addUser({ ...office, org: formatId('org', world.access.organisation.id) }, 'member');
    const browser = enterAs(office, world.access, world.ownerEmail);
    const panels = finish(listTransactions(world.access, { limit: 10 })).items.map(({ id }) => {
      return `/transactions?open=${formatId('txn', id)}`;
    });
    const file = 'Date,Transaction ID,Description,Amount\n21/04/2026,T1,Rent,1200.50\n';
    const { location } = await browser.upload('a.csv', file);
    const walk = await walkPages(browser, [...panels, location ?? '']);
    const attack = new Attack(office, world, walk, location ?? '');
    test.after(() => attack.#worker.terminate());
    return attack;
  }

  /** A browser in which the owner has just signed in. */
  enter(): Browser {
    return enterAs(this.office, this.world.access, this.world.ownerEmail);
  }

  /** All traps where tests may be slow, or the next one. */
  traps(): readonly string[] {
    const all = Object.keys(TRAPS);
    this.#turn += 1;
    return IS_SLOW ? all : [all[this.#turn % all.length] ?? ''];
  }

  /** Sends a request as the owner, or as the key of a program. */
  async send(heavy: Omit<HeavyRequest, 'headers'> & Partial<HeavyRequest>): Promise<HeavyAnswer> {
    const own = [
      ['cookie', [...this.enter().cookies].map((pair) => pair.join('=')).join('; ')],
      ['authorization', `Bearer ${this.#key}`],
      ['accept', 'text/html'],
      ['sec-fetch-site', 'same-origin'],
    ] as const;
    const url = this.office.url + heavy.url;
    this.#worker.postMessage({ ...heavy, url, headers: [...own, ...(heavy.headers ?? [])] });
    const [answer] = await once(this.#worker, 'message');
    return answer;
  }

  /** Sends a request, and fails if that holds the event loop or breaks something. */
  async hit(
    what: string,
    heavy: Omit<HeavyRequest, 'headers'> & Partial<HeavyRequest>,
  ): Promise<HeavyAnswer> {
    let most = '';
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { result, longestMs } = await watchTurns(() => this.send(heavy));
      assert.ok(result.status < 500, `${what}: ${result.status} ${result.text.slice(0, 300)}`);
      if (longestMs < MOST_MS || longestMs < MOST_MS * (await slowness())) return result;
      most += ` ${longestMs.toFixed(0)} ms`;
    }
    return assert.fail(`${what}: holds the event loop for${most}`);
  }
}
