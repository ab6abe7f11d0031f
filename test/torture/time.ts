/**
 * Clocks that jump, by a millisecond or by years, forwards and back. Whoever follows changes misses
 * none, the log stays in order, sessions and links end when they have to, and the rate limit does
 * not notice.
 */

import { formatId } from '../../src/core/ids.ts';
import { RATE_WINDOW_MS, REQUESTS_PER_MINUTE, SESSIONS } from '../../src/core/limits.ts';
import { listAudit } from '../../src/operations/audit.ts';
import { createResetLink } from '../../src/operations/users.ts';
import { addUser } from '../../src/store/users.ts';
import { NO_PASSWORD } from '../console/furnish.ts';
import { Browser, type Office, openOffice } from '../console/office.ts';
import { enterAs } from '../console/walk-pages.ts';
import type { Trial } from './trial.ts';

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
const JUMPS_MS = [0, 1, 1_000, MINUTE_MS, 45 * MINUTE_MS, DAY_MS / 2, DAY_MS, 40 * DAY_MS];
JUMPS_MS.push(366 * DAY_MS, 4_000 * DAY_MS);
const FIRST_MS = Date.UTC(2000, 0, 1);
const LAST_MS = Date.UTC(2099, 0, 1);
const OWNER = 'owner@example.org';

export async function time(trial: Trial): Promise<void> {
  const clock = { monotonicMs: 0 };
  const office = await openOffice(trial, { monotonicMs: () => clock.monotonicMs });
  const { service, org } = office;
  service.projects.import(org, {
    ...{ name: 'P', startDate: '2026-01-01', endDate: '2026-12-31' },
    budgetLines: [{ code: 'A', name: 'Rent', accountCodes: ['7500'] }],
  });
  const access = service.access(org);
  const owner = { email: OWNER, name: null, role: 'owner', password: NO_PASSWORD } as const;
  addUser(access, owner, service.actor());
  const follower = new Follower(trial, office);
  const jumps = trial.times(60, 1_000, 10_000);
  for (let turn = 0; turn < jumps; turn += 1) {
    jump(trial, office);
    change(trial, office, turn);
    if (trial.random.once(3)) await follower.follow();
    if (trial.random.once(4)) await trySession(trial, office);
    if (trial.random.once(8)) await tryLink(trial, office);
    trial.count('jumps of the clock');
  }
  await follower.follow();
  const stamps = listAudit(access, {}).map(({ atMs }) => atMs);
  trial.hold(
    stamps.every((atMs, at) => at === 0 || atMs >= (stamps[at - 1] ?? 0)),
    'the log is out of order',
  );
  await tryRate(trial, office, clock);
  for (const { name, ok } of service.check()) trial.hold(ok, `does not hold: ${name}`);
}

function jump(trial: Trial, { clock }: Office): void {
  const ms = trial.random.pick(JUMPS_MS) * trial.random.pick([1, -1]);
  clock.nowMs = Math.min(LAST_MS, Math.max(FIRST_MS, clock.nowMs + ms));
}

/** Pushes, allocates or excludes a few transactions. */
function change(trial: Trial, { service, org }: Office, turn: number): void {
  const { random } = trial;
  const externalId = `T-${random.whole(1, 30)}`;
  const row = { externalId, date: '2026-01-15', description: `Turn ${turn}`, amount: turn + 1 };
  const [result] = service.transactions.push(org, [row]).data;
  if (result === undefined || result.status === 'rejected') return;
  const allocations = random.once(2) ? [{ budgetLineId: formatId('bln', 1) }] : [];
  if (random.once(2)) service.transactions.allocate(org, result.id ?? '', allocations);
}

/** Copies transactions as programs do: it asks for what has changed since the last one. */
class Follower {
  readonly #trial: Trial;
  readonly #office: Office;
  readonly #copy = new Map<string, string>();
  #since: string | undefined;

  constructor(trial: Trial, office: Office) {
    this.#trial = trial;
    this.#office = office;
  }

  async follow(): Promise<void> {
    const { service, org } = this.#office;
    let cursor: string | undefined;
    do {
      const page = service.transactions.list(org, {
        ...{ order: 'updatedAt' as const, limit: 7, cursor },
        ...(this.#since !== undefined && { updatedSince: this.#since }),
      });
      for (const each of page.data) this.#copy.set(each.id, JSON.stringify(each));
      cursor = page.meta.nextCursor ?? undefined;
      if (cursor === undefined) this.#since = page.data.at(-1)?.updatedAt ?? this.#since;
    } while (cursor !== undefined);
    const all = service.transactions.list(org, { limit: 100 }).data;
    const missed = all.filter((each) => this.#copy.get(each.id) !== JSON.stringify(each));
    this.#trial.count('looks of a follower');
    const ids = missed.map(({ id }) => id);
    this.#trial.hold(ids.length === 0, `a follower has missed changes of ${ids}`);
  }
}

/** A session does not live longer than it may, whatever the clock does in between. */
async function trySession(trial: Trial, office: Office): Promise<void> {
  const browser = enterAs(office, office.service.access(office.org), OWNER);
  const beganMs = office.clock.nowMs;
  let seenMs = beganMs;
  for (let step = 0; step < 4; step += 1) {
    jump(trial, office);
    const { nowMs } = office.clock;
    const { status, location } = await browser.get('/projects');
    const isIn = status === 200;
    trial.hold(isIn || location?.startsWith('/sign-in') === true, `a page is answered ${status}`);
    const isOver = nowMs - beganMs > SESSIONS.hours * 60 * MINUTE_MS;
    const isIdle = nowMs - seenMs > (SESSIONS.idleMinutes + 1) * MINUTE_MS;
    trial.hold(!(isIn && (isOver || isIdle)), 'a session lives longer than it may');
    const isFresh = nowMs === seenMs && nowMs === beganMs;
    trial.hold(isIn || !isFresh, 'a session has ended at once');
    trial.count('looks at a session after a jump');
    if (!isIn) return;
    seenMs = nowMs;
  }
}

/** A link works once, and not after the clock has passed its time. */
async function tryLink(trial: Trial, office: Office): Promise<void> {
  const access = office.service.access(office.org);
  const token = createResetLink(access, OWNER, office.service.actor());
  const use = async () => {
    const browser = new Browser(office);
    await browser.get(`/set-up?token=${token}`);
    // Another password each time: the same form twice is a double click.
    const password = `words of turn ${trial.random.whole(1, 1e9)}`;
    return (await browser.send('/set-up', { password })).status;
  };
  const madeMs = office.clock.nowMs;
  jump(trial, office);
  const status = await use();
  const isLate = office.clock.nowMs - madeMs > 31 * MINUTE_MS;
  trial.hold(status < 500 && !(isLate && status === 303), `an old link is answered ${status}`);
  jump(trial, office);
  trial.hold(status !== 303 || (await use()) !== 303, 'a link works twice');
  trial.count('links tried after a jump');
}

/** Only the clock that never jumps counts for the rate limit. */
async function tryRate(
  trial: Trial,
  office: Office,
  clock: { monotonicMs: number },
): Promise<void> {
  const scopes = ['transactions:read'] as const;
  const { key } = office.service.keys.create(office.org, { name: 'rate', scopes });
  const ask = async () => {
    jump(trial, office);
    const headers = { Authorization: `Bearer ${key}` };
    const answer = await fetch(`${office.url}/api/v1/transactions?limit=1`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };
  for (let count = 0; count < REQUESTS_PER_MINUTE; count += 1) {
    const status = await ask();
    trial.hold(status === 200, `request ${count + 1} of a minute is answered ${status}`);
  }
  trial.hold((await ask()) === 429, 'one request too many is answered');
  clock.monotonicMs += RATE_WINDOW_MS + 1;
  trial.hold((await ask()) === 200, 'a minute later the key is still limited');
}
