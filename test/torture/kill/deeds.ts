/**
 * What people and programs do while a service is killed: each deed is done until the service is
 * gone, and then says what the database has to have.
 */

import type { Db } from '../../../src/database/driver.ts';
import { fieldsOf } from '../../console/desk.ts';
import type { Browser, Shown } from '../../console/office.ts';
import type { Random } from '../../core/random.ts';
import { compareStages, rowsOf, type Said } from '../stages.ts';
import type { Trial } from '../trial.ts';
import { countIn, type Yard } from './yard.ts';

/** Something that is done until the service is killed. */
export interface Deed {
  /** Ends when the service is gone. `fuse` hears of each act. */
  run(url: string, fuse: Fuse): Promise<void>;
  /** Says to the trial what is wrong. */
  verify(db: Db): void;
}

/** Kills a service while it does something: within the time that the same took before. */
export class Fuse {
  readonly #random: Random;
  readonly #kill: () => void;
  #left: number;
  #tookMs = 0;

  /** Burns once the same was answered a few times. */
  constructor(random: Random, kill: () => void) {
    this.#random = random;
    this.#kill = kill;
    this.#left = random.whole(1, 3);
  }

  /**
   * Does something that changes what is stored. `onlyMs`: how long it may take, of what can be done
   * but once.
   */
  async act<Answer>(ask: () => Promise<Answer>, onlyMs?: number): Promise<Answer> {
    const beganMs = performance.now();
    if (onlyMs !== undefined) setTimeout(this.#kill, this.#random.fraction() * onlyMs);
    if (this.#left === 0) setTimeout(this.#kill, this.#random.fraction() * this.#tookMs);
    const answer = await ask();
    this.#tookMs = performance.now() - beganMs;
    this.#left -= 1;
    return answer;
  }
}

/** Does it again and again, until the service does not answer. */
async function untilGone(act: () => Promise<void>): Promise<void> {
  try {
    for (;;) await act();
  } catch (error) {
    const isGone = error instanceof TypeError && /fetch failed|terminated/.test(error.message);
    if (!isGone) throw error;
  }
}

const PUSHERS = 3;
const TOGETHER_PUSHED = 5;

/** Three programs push batches. */
export function pushing(trial: Trial, { key }: Yard, said: Map<number, Said>): Deed {
  const push = (url: string, rows: readonly object[]) =>
    fetch(`${url}/api/v1/transactions`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ rows }),
    });
  return {
    async run(url, fuse) {
      const pushers = Array.from({ length: PUSHERS }, () =>
        untilGone(async () => {
          const batches = Array.from({ length: TOGETHER_PUSHED }, (_, at) => said.size + at);
          const say = (done: number) => {
            for (const batch of batches) said.set(batch, { done, begun: 1 });
          };
          say(0);
          const rows = batches.flatMap((batch) => rowsOf(batch, 1));
          const { status } = await fuse.act(() => push(url, rows));
          trial.count('pushes answered', status === 200 ? 1 : 0);
          // The status alone says that it is stored, even if the body does not arrive.
          if (status === 200) say(1);
          else if (status !== 429) trial.problem(`a push was answered with ${status}`);
        }),
      );
      await Promise.all(pushers);
    },
    verify(db) {
      const { problems, lost } = compareStages(db, said);
      for (const problem of problems) trial.problem(problem);
      if (lost > 0) trial.problem(`${lost} pushes were answered and are lost`);
      // What was not answered is known now.
      const found = new Set(
        db
          .prepare<[], number>(
            `select distinct cast(external_id as integer) from transactions
              where external_id like '%/%'`,
          )
          .pluck()
          .all(),
      );
      for (const batch of said.keys()) {
        const stage = found.has(batch) ? 1 : 0;
        said.set(batch, { done: stage, begun: stage });
      }
    },
  };
}

/** Turns something on and off, and knows what it is at the end: as answered, or as asked since. */
class Switch {
  #answered: number;
  #asked: number;

  constructor(value: number) {
    this.#answered = value;
    this.#asked = value;
  }

  async turn<Answer>(value: number, ask: () => Promise<Answer>): Promise<Answer> {
    this.#asked = value;
    const answer = await ask();
    this.#answered = value;
    return answer;
  }

  allows(value: number): boolean {
    return value === this.#answered || value === this.#asked;
  }
}

async function send(browser: Browser, path: string, fields: Readonly<Record<string, string>>) {
  const shown = await browser.send(path, fields);
  if (shown.status === 303) return shown.location ?? '';
  throw new Error(`${path} answered ${shown.status}: ${shown.text.slice(-2000)}`);
}

/** Transactions that are changed in one write. */
const TOGETHER = 150;
const APPLY = '/transactions/bulk/apply';

/** Someone allocates many transactions in the console and takes that back. */
export function undoing(trial: Trial, yard: Yard, tag: string): Deed {
  const state = new Switch(0);
  return {
    async run(url, fuse) {
      const browser = yard.browse(url);
      const rows = Array.from({ length: TOGETHER }, (_, at) => ({
        ...{ externalId: `${tag}-${at}`, date: '2026-02-01', description: 'Bus' },
        ...{ amount: 5, contact: tag },
      }));
      await untilGone(async () => {
        const pushed = await fetch(`${url}/api/v1/transactions`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${yard.key}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ rows }),
        });
        if (pushed.status !== 200) throw new Error(`not pushed: ${pushed.status}`);
        const query = `do=allocate&scope=all&line=A&filters=contact%3D${tag}`;
        const look = await browser.get(`/transactions/bulk?${query}`);
        const fields = fieldsOf(look.text, APPLY);
        const allocate = () => state.turn(TOGETHER, () => send(browser, APPLY, fields));
        const done = await fuse.act(allocate);
        const { text } = await browser.get(done);
        const [, act = ''] = /name="act" value="(\d+)"/.exec(text) ?? [];
        await state.turn(0, () => send(browser, '/undo', { ...fieldsOf(text, '/undo'), act }));
        trial.count('acts undone');
      });
    },
    verify(db) {
      const select = `select count(*) from transactions where status = 'allocated' and contact = ?`;
      const found = countIn(db, select, tag);
      trial.hold(state.allows(found), `${found} of ${TOGETHER} are allocated`);
    },
  };
}

/** Someone issues a statement and withdraws it. */
export function stating(trial: Trial, { browse, projectId }: Yard): Deed {
  let state = new Switch(0);
  const path = `/projects/${projectId}/statements`;
  return {
    async run(url, fuse) {
      const browser = browse(url);
      const withdraw = async (issued: string) => {
        const fields = fieldsOf((await browser.get(issued)).text, issued);
        await state.turn(0, () => send(browser, issued, { ...fields, withdrawal: 'Wrong' }));
      };
      // A service that was killed before may have left one.
      const { text: list } = await browser.get(path);
      const numbers = [...list.matchAll(/statements\/(\d+)"/g)].map(([, each]) => Number(each));
      const last = `${path}/${Math.max(...numbers)}`;
      if (numbers.length > 0 && (await browser.get(last)).text.includes('name="withdrawal"')) {
        state = new Switch(1);
        await withdraw(last);
      }
      await untilGone(async () => {
        const { text } = await browser.get(`${path}/new?until=2026-01`);
        const own = fieldsOf(text, `${path}/new`);
        const typed = { until: '2026-01', below: 'no', note: 'Well', without: 'yes', do: 'issue' };
        const form = { ...own, ...typed };
        const to = await fuse.act(() => {
          return state.turn(1, () => send(browser, `${path}/new`, form));
        });
        trial.count('statements issued');
        await withdraw(to.replace(/\?.*/, ''));
      });
    },
    verify(db) {
      const found = countIn(db, 'select count(*) from statements where withdrawn_at is null');
      trial.hold(state.allows(found), `${found} statements are not withdrawn`);
    },
  };
}

/** Rows of a file that is imported. */
const FILE_ROWS = 1_500;
/** Steps of the import of a file that created another number of transactions than the log has. */
const IN_PART = `
  select count(*) from (
    select created_at, count(*) as rows from transactions
     where external_id like ? || '-%' group by created_at)
   where rows <> (
     select sum(details ->> 'created') from audit_log
      where at = created_at and action = 'transactions.pushed')`;

function csvOf(tag: string): string {
  const lines = Array.from({ length: FILE_ROWS }, (_, at) => {
    return `2026-03-0${1 + (at % 9)},${tag}-${at},Row ${at},${(at + 1) / 4}\n`;
  });
  return `Date,Transaction ID,Description,Money out\n${lines.join('')}`;
}

/** Someone imports files, each with other rows. */
export function importing(trial: Trial, { browse }: Yard, tag: string): Deed {
  const said: boolean[] = [];
  return {
    async run(url, fuse) {
      const browser = browse(url);
      await untilGone(async () => {
        const number = said.push(false) - 1;
        const { location } = await browser.upload('a.csv', csvOf(`${tag}x${number}`));
        const path = location ?? '';
        await finishedPage(browser, path);
        await fuse.act(async () => {
          const sent = await browser.send(path, {});
          const { text } = await finishedPage(browser, sent.location ?? path);
          said[number] = /1,500 transactions imported/.test(text);
          if (!said[number]) throw new Error(`not imported: ${text.slice(-3000)}`);
          trial.count('files imported');
        });
      });
    },
    verify(db) {
      const query = "select count(*) from transactions where external_id like ? || '-%'";
      for (const [number, isSaid] of said.entries()) {
        const found = countIn(db, query, `${tag}x${number}`);
        const inPart = countIn(db, IN_PART, `${tag}x${number}`);
        trial.hold(inPart === 0, `${inPart} steps of an import are stored in part`);
        trial.hold(!isSaid || found === FILE_ROWS, `${found} rows of a file that was imported`);
        if (found > 0 && found < FILE_ROWS) trial.count('files of which steps were imported');
      }
    },
  };
}

/** The page of a file, when nothing is going on any more. */
async function finishedPage(browser: Browser, path: string): Promise<Shown> {
  for (;;) {
    const shown = await browser.get(path);
    if (!shown.headers.has('refresh')) return shown;
  }
}

const BACKUP_MS = 100;

/** Someone makes a backup in the console. */
export function backingUp(trial: Trial, { browse }: Yard): Deed {
  return {
    async run(url, fuse) {
      const browser = browse(url);
      const path = '/settings/backups';
      const { text } = await browser.get(path);
      const fields = fieldsOf(text, path);
      await untilGone(async () => {
        await fuse.act(() => send(browser, path, fields), BACKUP_MS);
        trial.count('backups made in the console');
        // Another one would be refused for ten minutes.
        for (;;) await browser.get(path);
      });
    },
    verify() {},
  };
}
