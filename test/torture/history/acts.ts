/**
 * Random acts on an organisation, each through a random door. What an act does depends on its own
 * random numbers and on the model alone, so a history is the same without some of its acts.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../src/core/failures.ts';
import { formatId, readId } from '../../../src/core/ids.ts';
import { allocations } from '../../../src/operations/allocations.ts';
import { changeAll } from '../../../src/operations/changes.ts';
import { issueStatement, withdrawStatement } from '../../../src/operations/statements.ts';
import { changeRole, removeUser } from '../../../src/operations/users.ts';
import { undoing } from '../../../src/store/undo.ts';
import { addUser } from '../../../src/store/users.ts';
import { backUp, restoreBackup } from '../../../src/upkeep/backups.ts';
import { fieldsOf } from '../../console/desk.ts';
import { NO_PASSWORD } from '../../console/furnish.ts';
import type { Random } from '../../core/random.ts';
import { allocated, IDLE, Refused, settled } from '../../operations/random-model.ts';
import { excluded, type House, type Row, restored } from './model.ts';
import { Difference, same, type World } from './world.ts';

/** An act; it throws a Difference. */
type Act = (world: World, random: Random) => Promise<void>;

const DAY_MS = 86_400_000;
const DATES = ['2026-01-31', '2026-02-28', '2026-11-30', '2027-02-28'];

function rowOf(random: Random, prefix: string): Row {
  return {
    externalId: `${prefix}-${random.whole(1, 6)}`,
    amount: random.pick([10_000, -2_500, 0, 99, random.whole(-20_000, 20_000)]),
    date: random.pick(DATES),
    code: random.pick([null, 'A', 'B', 'C']),
    contact: random.pick(['Ann', 'Bob', null]),
  };
}

/** What became of a row. */
interface Result {
  readonly id?: string | null;
  readonly status: string;
}

/** A row as it is sent: the amount in major units. */
interface RowSent extends Omit<Row, 'code'> {
  readonly accountCode: string | null;
  readonly description: string;
}

/** Rows arrive: with a key over HTTP or by a command, or as an import; or in the library. */
const push: Act = async (world, random) => {
  const { service, org } = world;
  const isImport = random.once(4);
  const rows = [1, 2].slice(random.whole(0, 1)).map(() => rowOf(random, isImport ? 'C' : 'INV'));
  const sent = rows.map(({ amount, code, ...row }) => {
    return { ...row, amount: amount / 100, accountCode: code, description: 'Rent' };
  });
  const key = random.pick([...world.house.keys.keys(), '']);
  const hasKey = !isImport && world.house.keyTexts.has(key);
  const isCommand = random.once(8) && (isImport || hasKey);
  let results: readonly Result[] = [];
  await world.both(
    (house) => {
      if (hasKey && house.keys.get(key) !== true) throw new Refused('invalid_api_key');
    },
    async () => {
      if (isCommand) results = await sendFile(world, isImport ? undefined : key, sent);
      else if (hasKey) results = await pushOverHttp(world, key, sent);
      else results = service.transactions[isImport ? 'import' : 'push'](org, sent).data;
    },
  );
  for (const [at, { id }] of results.entries()) {
    const row = rows[at];
    const number = readId('txn', id ?? '');
    if (row === undefined || number === undefined) throw new Difference(`a row was rejected`);
    world.house.receive(row, number, world.lastMs);
  }
};

async function pushOverHttp(world: World, key: string, rows: readonly object[]) {
  const answer = await fetch(`${world.url}/api/v1/transactions`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${world.house.keyTexts.get(key)}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ rows }),
  });
  const document = (await answer.json()) as { data: Result[]; message: string };
  if (answer.status === 401) throw new Failure('invalid_api_key', document.message);
  same(answer.status, 200, 'the answer to a push');
  return document.data;
}

/** The rows as a CSV file, which a command pushes with a key, or imports without one. */
async function sendFile(world: World, key: string | undefined, rows: readonly RowSent[]) {
  const file = join(world.terminal.folder, 'rows.csv');
  const names = ['externalId', 'date', 'amount', 'accountCode', 'contact', 'description'] as const;
  const lines = rows.map((row) => names.map((name) => row[name] ?? '').join(','));
  writeFileSync(file, `${[names.join(','), ...lines].join('\n')}\n`);
  if (key === undefined) await world.command('import', file);
  else {
    const secret = world.house.keyTexts.get(key) ?? '';
    await world.command('push', file, '--url', world.url, '--key', secret);
  }
  const { data } = world.service.transactions.list(world.org, { limit: 1000 });
  return rows.map(({ externalId }) => {
    return data.find((txn) => txn.externalId === externalId) ?? { status: 'not stored' };
  });
}

/** One transaction; undefined while none exists. */
function anyTxn(world: World, random: Random) {
  const ids = [...world.house.txns.keys()];
  if (ids.length === 0) return undefined;
  const number = random.pick(ids);
  return { number, id: formatId('txn', number), txn: world.house.txn(number) };
}

const allocate: Act = async (world, random) => {
  const found = anyTxn(world, random);
  if (found === undefined) return;
  const { number, id, txn } = found;
  const parts = random.pick([[], [1], [0.5, 0.5], [0.25], [2], [-1]]);
  const lines = [...world.house.lines.keys()];
  const shares = parts.map((part) => {
    return { line: random.pick(lines), amount: Math.trunc(txn.amount * part), note: null };
  });
  const [share] = shares;
  const isDue = txn.date <= world.house.endDate && txn.amount > 0;
  const isPlain = txn.work === IDLE && parts.length === 1 && isDue;
  const isConsole = isPlain && random.once(2);
  await world.both(
    (house) => act(house, [number], () => allocated(txn, house.lines, shares)),
    async () => {
      const wanted = shares.map(({ line, amount }) => {
        return { budgetLineId: formatId('bln', line), amountMinor: amount };
      });
      if (isConsole && share !== undefined) {
        const typed = { line: formatId('bln', share.line), amount: String(share.amount / 100) };
        const browser = world.browse();
        const { text } = await browser.get(`/transactions?open=${id}`);
        const path = '/transactions/allocate';
        const fields = { ...fieldsOf(text, path), ...typed, do: 'save' };
        refuseUnlessDone(await browser.send(path, fields));
      } else {
        const request = { transactionId: id, allocations: wanted };
        changeAll(world.access, allocations(world.access, [request]), world.actor);
      }
    },
  );
  noteAct(world, true);
};

/** A page that says what was done, or the refusal in it. */
function refuseUnlessDone({ status, location }: { status: number; location: string | null }) {
  if (status === 303 && location?.includes('done=')) return;
  if (status < 500) throw new Failure('conflict', `answered ${status}`);
  throw new Difference(`a form is answered ${status}`);
}

/** Does an act in the model; its stamp is known when it is done. */
function act(house: House, ids: readonly number[], decide: Parameters<House['act']>[2]): void {
  const targets = ids.map((id) => ({ id }));
  house.act(targets, house.lastMs, decide);
}

/**
 * Gives the newest act of the model the stamp that it got. `isFreeing`: runs leave alone what has
 * no allocations after it.
 */
function noteAct({ house, lastMs }: World, isFreeing = false): void {
  const newest = house.acts.at(-1);
  if (newest === undefined || house.stamped === house.acts.length) return;
  house.stamped = house.acts.length;
  Object.assign(newest, { atMs: lastMs });
  for (const id of newest.before.keys()) {
    house.txn(id).updatedAtMs = lastMs;
    house.leave(id, isFreeing);
  }
}

const exclude: Act = (world, random) => takeOut(world, random, 'exclude');
const restore: Act = (world, random) => takeOut(world, random, 'restore');

async function takeOut(world: World, random: Random, kind: 'exclude' | 'restore'): Promise<void> {
  const found = anyTxn(world, random);
  if (found === undefined) return;
  const { number, id, txn } = found;
  const { service, org } = world;
  const isCommand = random.once(6);
  await world.both(
    (house) => act(house, [number], () => (kind === 'exclude' ? excluded : restored)(txn)),
    async () => {
      const words = kind === 'exclude' ? ['exclude', id, '--reason', 'Own'] : ['restore', id];
      if (isCommand) await world.command(...words);
      else if (kind === 'exclude') service.transactions.exclude(org, id, 'Own');
      else service.transactions.restore(org, id);
    },
  );
  noteAct(world);
}

const review: Act = async (world, random) => {
  // The model does not know which of those that are allocated are marked as recoded.
  const { txns } = world.house;
  const under = [...txns].filter(([, { work }]) => work.review !== null);
  const idle = [...txns].filter(([, { work }]) => work.shares.length === 0);
  const found = under.length > 0 ? random.pick(under) : idle[0];
  if (found === undefined) return;
  const [number, txn] = found;
  const id = formatId('txn', number);
  const way = random.pick(['keep', 'rescale', 'clear'] as const);
  const isCommand = random.once(6);
  await world.both(
    (house) => act(house, [number], () => settled(txn, way)),
    async () => {
      if (isCommand) await world.command('review', id, `--${way}`);
      else world.service.transactions.review(world.org, id, way);
    },
  );
  noteAct(world, true);
};

/** Every idle transaction goes where its code, or the rule, leads. */
const run: Act = async (world, random) => {
  const { service, org, house } = world;
  const isByRules = random.once(2);
  const taken = [...house.txns].flatMap(([id, txn]) => {
    const line = house.lineOf(txn, id, isByRules);
    return line === undefined ? [] : [[id, line] as const];
  });
  const done = isByRules
    ? await service.rules.run(org)
    : await service.transactions.allocateByAccountCode(org);
  same(done.allocated, taken.length, 'how many a run has allocated');
  if (taken.length === 0) return;
  act(
    house,
    taken.map(([id]) => id),
    (txn, id) => {
      const line = taken.find(([each]) => each === id)?.[1] ?? 0;
      return { ...IDLE, shares: [{ line, amount: txn.amount, note: null }] };
    },
  );
  noteAct(world);
};

/** The account codes of lines change places, in the project file; a fourth line comes or goes. */
const changeLines: Act = async (world, random) => {
  const codes = random.pick(['ABC', 'BCA', 'CAB', 'A B', ' CB', 'BA ', 'AB C', ' ABC']).split('');
  await world.both(
    (house) => house.removeLines(codes.length),
    () => world.importProject(codes),
  );
  world.readLines();
};

const changeRules: Act = async (world, random) => {
  const contact = random.pick(['Ann', 'Bob']);
  const line = random.pick([...world.house.lines.keys()]);
  const rule = {
    ...{ name: 'Theirs', conditions: { contact: { is: contact } } },
    shares: [{ line: formatId('bln', line), rest: true }],
  };
  const isOff = random.once(4);
  world.service.rules.import(world.org, { rules: isOff ? [] : [rule] });
  world.house.rule = isOff ? undefined : { contact, line };
};

/** The newest act, or an older one, is taken back, in the console or by the operation. */
const undo: Act = async (world, random) => {
  const { acts } = world.house;
  const wanted = random.once(4) && acts.length > 0 ? random.pick(acts) : acts.at(-1);
  if (wanted === undefined) return;
  const isConsole = random.once(2);
  await world.both(
    (house) => house.undo(wanted, isConsole),
    async () => {
      if (isConsole) {
        const form = { act: String(wanted.atMs), to: '/' };
        refuseUnlessDone(await world.browse().send('/undo', form));
      } else changeAll(world.access, undoing(world.access, wanted.atMs), world.actor);
    },
  );
  noteAct(world);
};

/** Whether it may depends on months, sums and the clock: done or refused, it is whole. */
const issue: Act = async (world, random) => {
  const to = `2026-0${random.whole(1, 6)}`;
  try {
    const request = { to, withoutReasons: true };
    const { hash } = issueStatement(world.access, world.projectId, request, world.actor);
    world.house.statements.push({ hash: hash ?? '', lines: world.house.usedLines(to) });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
};

const withdraw: Act = async (world) => {
  const number = world.house.statements.length;
  await world.both(
    (house) => {
      if (house.statements.pop() === undefined) throw new Refused('not_found');
    },
    () => {
      const request = { number: Math.max(1, number), reason: 'Wrong' };
      withdrawStatement(world.access, world.projectId, request, world.actor);
    },
  );
};

const employ: Act = async (world, random) => {
  const email = `user-${random.whole(1, 4)}@example.org`;
  const role = random.pick(['owner', 'admin', 'member', 'nobody'] as const);
  const isNew = !world.house.users.has(email);
  await world.both(
    (house) => house.setRole(email, role === 'nobody' ? undefined : role),
    () => {
      const { access, actor } = world;
      if (role === 'nobody') removeUser(access, email, actor);
      else if (isNew) addUser(access, { email, name: null, role, password: NO_PASSWORD }, actor);
      else changeRole(access, { email, role }, actor);
    },
  );
};

const key: Act = async (world, random) => {
  const { service, org, house } = world;
  if (random.once(2) || house.keys.size === 0) {
    const draft = { name: 'erp', scopes: ['transactions:write'] as const };
    const made = service.keys.create(org, draft);
    house.keyTexts.set(made.id, made.key);
    house.keys.set(made.id, true);
    return;
  }
  const id = random.pick([...house.keys.keys()]);
  if (random.once(4)) await world.command('keys', 'revoke', id);
  else service.keys.revoke(org, id);
  house.keys.set(id, false);
};

const backup: Act = async (world) => {
  const file = `${world.database}.copy-${world.backups.length}-${world.lastMs}`;
  backUp(world.database, file);
  world.backups.push({ file, house: world.house.copy() });
};

const putBack: Act = async (world, random) => {
  if (world.backups.length === 0) return;
  const { file, house } = random.pick(world.backups);
  await world.service.close();
  const copy = `${world.database}.back-${world.backups.length}-${random.whole(1, 1e9)}`;
  restoreBackup(file, copy);
  world.database = copy;
  world.house = house.copy();
  await world.start();
};

const kill: Act = (world) => world.kill();

/** A clean end, and another start. */
const restart: Act = async (world) => {
  await world.service.close();
  await world.start();
};

const jump: Act = async ({ clock }, random) => {
  const ms = random.pick([1, 1_000, 3_600_000, DAY_MS, 40 * DAY_MS]) * random.pick([1, -1]);
  const [first, last] = [Date.UTC(2025, 0, 1), Date.UTC(2028, 0, 1)];
  clock.nowMs = Math.min(last, Math.max(first, clock.nowMs + ms));
};

/** Every act with its weight. */
export const ACTS: readonly (readonly [name: string, weight: number, act: Act])[] = [
  ['push', 12, push],
  ['allocate', 10, allocate],
  ['exclude', 4, exclude],
  ['restore', 3, restore],
  ['review', 5, review],
  ['run', 3, run],
  ['change the lines', 1, changeLines],
  ['change the rules', 1, changeRules],
  ['undo', 6, undo],
  ['issue a statement', 1, issue],
  ['withdraw a statement', 1, withdraw],
  ['change a user', 3, employ],
  ['change a key', 2, key],
  ['back up', 1, backup],
  ['put a backup back', 1, putBack],
  ['kill', 1, kill],
  ['restart', 1, restart],
  ['jump', 4, jump],
];
