/** The ledger of a finance system that changes its mind, and what its codes mean: a plain model. */

import type { PushRow } from '../../src/client/index.ts';
import type { Random } from '../core/random.ts';

/** A part of a payment, as it is pushed: one row. */
export interface Part {
  readonly date: string;
  readonly minor: number;
  readonly account: string | null;
  readonly project: string | null;
}

/** The plan: each project with its codes, its days, and its lines with the accounts they claim. */
export const PLAN = [
  { name: 'Youth', codes: ['YOU'], from: '2026-01-01', to: '2026-12-31', archived: false },
  { name: 'Elders', codes: ['ELD', 'OLD'], from: '2026-01-01', to: '2026-12-31', archived: false },
  { name: 'Spring', codes: [], from: '2026-01-01', to: '2026-06-30', archived: false },
  { name: 'Autumn', codes: [], from: '2026-07-01', to: '2026-12-31', archived: false },
  { name: 'Past', codes: ['PAST'], from: '2026-01-01', to: '2026-12-31', archived: true },
] as const;
type ProjectName = (typeof PLAN)[number]['name'];
export const LINES: Readonly<Record<ProjectName, Readonly<Record<string, readonly string[]>>>> = {
  Youth: { Rent: ['7100'], Trips: ['7400', '7500'] },
  Elders: { Rent: ['7100'], Meals: ['7600', '7601'] },
  Spring: { Fair: ['7700'] },
  Autumn: { Fair: ['7700'] },
  Past: { Rent: ['7100'] },
};
const ACCOUNTS = ['7100', '7100', '7100', '7400', '7500', '7600', '7601', '7700', '9999', null];
/** Nobody has the last one. Some are more frequent, because of what they come to together. */
const CODES = ['YOU', 'ELD', 'OLD', 'PAST', null, null, 'ZZ', 'ZZ'];

/** Whether a project has a code. */
export function isCodeOf(
  project: Pick<(typeof PLAN)[number], 'codes'> | undefined,
  code: string | null,
): boolean {
  return project?.codes.some((each) => each === code) ?? false;
}

/** The one line to which the codes of a part lead on its day, such as `Youth Rent`. */
export function lineOf({ date, account, project }: Part): string | undefined {
  const found = PLAN.flatMap(({ name, codes, from, to, archived }) => {
    const isCoded = project === null || isCodeOf({ codes }, project);
    if (archived || account === null || !isCoded || date < from || date > to) return [];
    const lines = Object.entries(LINES[name]).filter(([, accounts]) => accounts.includes(account));
    return lines.map(([line]) => `${name} ${line}`);
  });
  return found.length === 1 ? found[0] : undefined;
}

/** A payment that no line claims and that stays, because an empty file voids nothing. */
const FLOAT: Part = { date: '2026-12-31', minor: 100, account: null, project: null };

/** A day before all projects: among random ones too few leave the days of a project. */
const BEFORE = '2025-12-15';

/** What the ledger may not do, because the contract leaves open what budgetd says of that. */
interface Limits {
  /** A part that a person has confirmed where it is not due keeps its day. */
  dayOf(id: string): string | undefined;
  /** A first project code that nobody has is not marked. */
  mayBeUnknown(id: string): boolean;
}

/** Payments by number, each with its parts by place. A deleted one has none. */
class Ledger {
  readonly #random: Random;
  readonly #limits: Limits;
  readonly #payments: (readonly Part[])[] = [];
  /** The parts that were written since the last night. */
  readonly touched = new Set<string>();
  /** The first of the days that each part has ever had. */
  readonly first = new Map<string, string>();

  constructor(random: Random, limits: Limits) {
    [this.#random, this.#limits] = [random, limits];
  }

  /** What is to be in budgetd, by `number/place`. */
  get parts(): ReadonlyMap<string, Part> {
    return new Map(this.#payments.flatMap((parts, number) => parts.map(named(number))));
  }

  /** Something that accountants do. */
  change(): void {
    const random = this.#random;
    const last = this.#payments.length;
    const number = last === 0 ? 0 : random.whole(0, last - 1);
    const parts = this.#payments[number] ?? [];
    const each = (change: (part: Part) => Partial<Part>) => {
      return parts.map((part) => ({ ...part, ...change(part) }));
    };
    const [date, account, minor] = [this.#day(), random.pick(ACCOUNTS), this.#amount()];
    const acts: Record<string, () => [number: number, parts: readonly Part[]]> = {
      pay: () => [last, this.#pay()],
      reverse: () => [last, each((part) => ({ minor: 0 - part.minor }))],
      correct: () => [number, each(() => ({ minor: this.#amount() }))],
      account: () => [number, each((part) => (random.once(2) ? part : { account }))],
      project: () => [number, each(() => ({ project: random.pick(CODES) }))],
      move: () => [number, each(() => ({ date: random.once(3) ? BEFORE : date }))],
      split: () => [number, [...parts, ...parts.slice(-1).map((one) => ({ ...one, minor }))]],
      merge: () => [number, parts.slice(0, -1)],
      void: () => [number, each(() => ({ minor: 0 }))],
      delete: () => [number, []],
      restore: () => [number, parts.length === 0 ? this.#pay() : parts],
    };
    const act = acts[random.pick(['pay', 'pay', 'project', ...Object.keys(acts)])];
    if (act !== undefined) this.#write(...act());
  }

  #write(number: number, wanted: readonly Part[]): void {
    const parts = wanted.map(named(number)).map(([id, part]): Part => {
      const isOpen = part.project !== 'ZZ' || this.#limits.mayBeUnknown(id);
      const date = this.#limits.dayOf(id) ?? part.date;
      return { ...part, date, project: isOpen ? part.project : null };
    });
    const written = [
      ...(this.#payments[number] ?? []).map(named(number)),
      ...parts.map(named(number)),
    ];
    for (const [id, { date }] of written) {
      this.touched.add(id);
      const first = this.first.get(id) ?? date;
      this.first.set(id, date < first ? date : first);
    }
    this.#payments[number] = parts;
  }

  #amount(): number {
    return this.#random.whole(1, 9_999) * this.#random.pick([1, 1, 1, -1]);
  }

  #day(): string {
    const [month, day] = [this.#random.whole(0, 12), this.#random.whole(1, 28)];
    return new Date(Date.UTC(2026, month - 1, day)).toISOString().slice(0, 10);
  }

  #pay(): Part[] {
    const date = this.#day();
    return Array.from({ length: this.#random.pick([1, 1, 1, 2, 3]) }, () => {
      const account = this.#random.pick(ACCOUNTS);
      return { date, minor: this.#amount(), account, project: this.#random.pick(CODES) };
    });
  }
}

function named(number: number): (part: Part, at: number) => readonly [id: string, Part] {
  return (part, at) => [`${number}/${at + 1}`, part];
}

/** A part that is allocated: how it was while its codes last led to its line. */
interface Placed {
  readonly part: Part;
  readonly line: string;
  /** Whether a person has confirmed a line to which its codes do not lead. */
  readonly isKept: boolean;
}

/** What a finance system has, what was sent of it, and what people have done with that. */
export class System {
  readonly sent = new Map<string, Part>();
  readonly placed = new Map<string, Placed>();
  /** Payments whose amount has changed since they were allocated. */
  readonly reviewed = new Set<string>();
  readonly prefix: string;
  readonly ledger: Ledger;

  constructor(prefix: string, random: Random) {
    this.prefix = prefix;
    this.ledger = new Ledger(random, {
      dayOf: (id) => (this.placed.get(id)?.isKept ? this.placed.get(id)?.part.date : undefined),
      mayBeUnknown: (id) => this.placed.get(id)?.part.project !== null,
    });
  }

  get parts(): ReadonlyMap<string, Part> {
    return new Map([['float', FLOAT], ...this.ledger.parts]);
  }

  /** The rows of a window, of what was written since the last night, and of what is gone before. */
  rowsSince(since: string, prefix: string): PushRow[] {
    const { parts, sent } = this;
    const { touched, first } = this.ledger;
    const rows = [...parts].filter(([id, { date }]) => date >= since || touched.has(id));
    const gone = [...touched].flatMap((id): [string, Part][] => {
      const before = sent.get(id);
      if (parts.has(id) || before === undefined || (first.get(id) ?? '') >= since) return [];
      return [[id, { ...before, minor: 0 }]];
    });
    return [...rows, ...gone].map(([id, { date, minor, account, project }]) => ({
      ...{ externalId: `${prefix}${id}`, date, description: `Payment ${id}`, amount: minor / 100 },
      ...{ accountCode: account, projectCode: project, ...(minor === 0 && { void: true }) },
    }));
  }

  /** The line on which a part is due, as far as budgetd can know. */
  dueOf(id: string): string | undefined {
    const part = this.sent.get(id) ?? FLOAT;
    const placed = this.placed.get(id);
    if (!placed?.isKept || placed.part.account !== part.account) return lineOf(part);
    const owner = PLAN.find(({ name }) => placed.line.startsWith(name));
    const isFirst = placed.part.project === null && isCodeOf(owner, part.project);
    return placed.part.project === part.project || isFirst ? placed.line : lineOf(part);
  }

  /** Whether it is on a line to which its codes do not lead any more. */
  isMarked(id: string): boolean {
    return this.placed.has(id) && this.dueOf(id) !== this.placed.get(id)?.line;
  }

  endNight(): void {
    const { parts, sent, placed } = this;
    for (const id of new Set([...sent.keys(), ...parts.keys()])) {
      const before = sent.get(id);
      const part = parts.get(id) ?? { ...(before ?? FLOAT), minor: 0 };
      sent.set(id, part);
      if (placed.has(id) && before?.minor !== part.minor) this.reviewed.add(id);
      const place = placed.get(id);
      if (place === undefined || this.isMarked(id)) continue;
      placed.set(id, { ...place, part, isKept: place.isKept && lineOf(part) !== place.line });
    }
    this.ledger.touched.clear();
  }

  settle(id: string, line: string | undefined, isKept = false): void {
    this.reviewed.delete(id);
    if (line === undefined) this.placed.delete(id);
    else this.placed.set(id, { part: this.sent.get(id) ?? FLOAT, line, isKept });
  }
}
