/**
 * Slow, silent and greedy clients beside a normal one, which is answered all the same. How long its
 * requests take is compared with how long they take on the quiet service, by turns, because other
 * programs of the machine slow down both.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Trial } from './trial.ts';

const scriptOf = (name: string) => fileURLToPath(new URL(`clients/${name}.js`, import.meta.url));
/** A request on a connection of its own, every so often. */
const FRESH_EVERY = 20;
/** How much longer its requests may take. */
const MOST = 1.5;
/** Until what a crowd asks for at first is answered. */
const SETTLE_MS = 300;

interface Server {
  readonly url: string;
  readonly keys: readonly string[];
}

export async function clients(trial: Trial): Promise<void> {
  const child = fork(scriptOf('server'));
  trial.after(() => child.kill('SIGKILL'));
  const [server] = (await once(child, 'message')) as [Server];
  const turns = trial.times(2, 12, 40);
  const turnMs = trial.times(250, 1_000, 2_000);
  const normal = new Normal(trial, server);
  trial.after(() => normal.close());
  await normal.ask(turnMs);
  const times: Record<string, number[]> = { quiet: [], slow: [], greedy: [] };
  for (let turn = 0; turn < turns; turn += 1) {
    times['quiet']?.push(...(await normal.ask(turnMs)));
    const slow = await gather(server, 'slow');
    times['slow']?.push(...(await normal.ask(turnMs)));
    await disperse(slow);
    times['quiet']?.push(...(await normal.ask(turnMs)));
    const greedy = await gather(server, 'greedy');
    times['greedy']?.push(...(await normal.ask(turnMs)));
    await disperse(greedy);
  }
  const sortedOf = (kind: string) => (times[kind] ?? []).sort((one, other) => one - other);
  const share = (kind: string, part: number) => {
    const sorted = sortedOf(kind);
    return sorted[Math.floor(sorted.length * part)] ?? 0;
  };
  for (const kind of Object.keys(times)) {
    trial.count(`requests of a normal client, ${kind}`, times[kind]?.length ?? 0);
    trial.count(`their median in µs, ${kind}`, Math.round(1_000 * share(kind, 0.5)));
    trial.count(`their 99th percentile in µs, ${kind}`, Math.round(1_000 * share(kind, 0.99)));
  }
  const ratio = Math.round((100 * share('slow', 0.99)) / share('quiet', 0.99)) / 100;
  trial.count('slow to quiet, at the 99th percentile', ratio);
  // Beside the rest of the suite, the time of so few requests says nothing.
  if (trial.size === 'short') return;
  trial.hold(ratio <= MOST, `beside slow clients, requests take ${ratio} times as long`);
}

async function gather({ url, keys }: Server, kind: string): Promise<ChildProcess> {
  // Its key is not one of the normal client.
  const crowd = fork(scriptOf('crowd'), [url, keys[0] ?? '', kind]);
  await once(crowd, 'message');
  await sleep(SETTLE_MS);
  return crowd;
}

async function disperse(crowd: ChildProcess): Promise<void> {
  const ended = once(crowd, 'exit');
  crowd.kill('SIGKILL');
  await ended;
  await sleep(50);
}

/** A client that asks and pushes, one request after another. */
class Normal {
  readonly #trial: Trial;
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #asked = 0;

  constructor(trial: Trial, server: Server) {
    this.#trial = trial;
    this.#server = server;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Asks for some time, and returns how long each request took, in milliseconds. */
  async ask(durationMs: number): Promise<number[]> {
    const times: number[] = [];
    const endMs = performance.now() + durationMs;
    while (performance.now() < endMs) {
      const beganMs = performance.now();
      await this.#send();
      times.push(performance.now() - beganMs);
      await sleep(2);
    }
    return times;
  }

  #send(): Promise<void> {
    const { url, keys } = this.#server;
    this.#asked += 1;
    const isPush = this.#asked % 2 === 0;
    const key = keys[1 + (this.#asked % (keys.length - 1))];
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const agent = this.#asked % FRESH_EVERY === 0 ? false : this.#agent;
    const method = isPush ? 'POST' : 'GET';
    const path = `/api/v1/transactions${isPush ? '' : '?limit=20'}`;
    const row = { externalId: `N-${this.#asked}`, date: '2026-01-15', description: 'x', amount: 1 };
    return new Promise((resolve) => {
      const fail = (why: string) => {
        this.#trial.problem(`a normal client: ${why}`);
        resolve();
      };
      const asked = request(url + path, { method, headers, agent, timeout: 10_000 }, (answer) => {
        answer.resume().on('end', resolve);
        if (answer.statusCode !== 200) fail(`answered ${answer.statusCode}`);
      });
      asked.on('error', ({ message }) => fail(message));
      asked.on('timeout', () => asked.destroy(new Error('not answered in ten seconds')));
      asked.end(isPush ? JSON.stringify({ rows: [row] }) : '');
    });
  }
}
