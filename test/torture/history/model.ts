/** What must be true of an organisation after any acts: `random-model.ts` and the other nouns. */

import type { Role } from '../../../src/core/users.ts';
import {
  IDLE,
  Model,
  Refused,
  type Share,
  type Txn,
  type Work,
} from '../../operations/random-model.ts';

/** A row as it was pushed last. */
export interface Row {
  readonly externalId: string;
  readonly amount: number;
  readonly date: string;
  readonly code: string | null;
  readonly contact: string | null;
}

/** Whose transactions the rule takes, and to which of the lines. */
export interface Rule {
  readonly contact: string;
  readonly line: number;
}

type Act = Model['acts'][number];

/** The house: transactions with the work on them, and who and what else there is. */
export class House extends Model {
  readonly ids = new Map<string, number>();
  readonly contacts = new Map<number, string | null>();
  readonly users = new Map<string, Role>();
  readonly keys = new Map<string, boolean>();
  readonly keyTexts = new Map<string, string>();
  /** The statements that are not withdrawn, with the lines that have something in them. */
  readonly statements: { readonly hash: string; readonly lines: ReadonlySet<number> }[] = [];
  rule: Rule | undefined;
  /** Transactions whose allocations a person has removed: no run takes them until they change. */
  readonly left = new Set<number>();
  /** How many acts have the stamp that they got. */
  stamped = 0;

  /** A row arrives. Returns whether it changed anything. */
  receive({ externalId, contact, ...row }: Row, id: number, atMs: number): boolean {
    const old = this.txns.get(id);
    const isSame =
      old?.amount === row.amount &&
      old.date === row.date &&
      old.code === row.code &&
      this.contacts.get(id) === contact;
    this.ids.set(externalId, id);
    this.contacts.set(id, contact);
    if (old === undefined) this.txns.set(id, { ...row, updatedAtMs: atMs, work: IDLE });
    else if (!isSame) this.push(id, row, atMs);
    if (!isSame) this.left.delete(id);
    return !isSame;
  }

  /** The line to which a run gives a transaction: of all rules, or by account code alone. */
  lineOf(txn: Txn, id: number, isByRules: boolean): number | undefined {
    const { work, amount, date } = txn;
    const isIdle = work.shares.length === 0 && work.reason === null && work.review === null;
    if (!isIdle || amount === 0 || date > this.endDate || this.left.has(id)) return undefined;
    const isTaken = isByRules && this.rule?.contact === this.contacts.get(id);
    return isTaken ? this.rule?.line : this.claimOf(txn);
  }

  /** Whether runs leave a transaction alone after an act on it. */
  leave(id: number, isLeft: boolean): void {
    if (isLeft && this.txn(id).work.shares.length === 0) this.left.add(id);
    else this.left.delete(id);
  }

  /** An act is taken back, whole, or without what has changed since or whose line is gone. */
  undo({ atMs, before }: Act, leavesRest: boolean): void {
    const isThere = ({ line }: Share) => this.lines.has(line);
    const all = [...before].map(([id, work]) => ({ id, seenMs: atMs, work }));
    const left = all.filter(({ id, work }) => {
      return this.txn(id).updatedAtMs === atMs && work.shares.every(isThere);
    });
    if (leavesRest ? left.length === 0 : left.length < all.length) throw new Refused('conflict');
    this.act(left, this.lastMs, (_, id) => before.get(id) ?? IDLE);
  }

  /** The lines to which something until a month is allocated. */
  usedLines(to: string): Set<number> {
    const until = [...this.txns.values()].filter(({ date }) => date.slice(0, 7) <= to);
    return new Set(until.flatMap(({ work }) => work.shares.map(({ line }) => line)));
  }

  /** The lines after the first ones go, unless they are used, also by the rule or a statement. */
  removeLines(kept: number): void {
    const reported = this.statements.flatMap(({ lines }) => [...lines]);
    const used = new Set([...this.usedLines('9999-12'), ...reported, this.rule?.line]);
    if ([...this.lines.keys()].slice(kept).some((line) => used.has(line))) {
      throw new Refused('conflict');
    }
  }

  /** Someone gets a role, comes (from undefined) or goes (to undefined). */
  setRole(email: string, role: Role | undefined): void {
    const before = this.users.get(email);
    const owners = [...this.users.values()].filter((each) => each === 'owner').length;
    if (before === undefined && role === undefined) throw new Refused('not_found');
    if (before === 'owner' && role !== 'owner' && owners === 1) throw new Refused('conflict');
    if (role === undefined) this.users.delete(email);
    else this.users.set(email, role);
  }

  /** Everything, for a backup. */
  copy(): House {
    return Object.assign(new House(), structuredClone({ ...this }));
  }
}

/** What an exclusion and its end do. */
export function excluded({ work }: Txn): Work {
  if (work.reason !== null || work.shares.length > 0) throw new Refused('conflict');
  return { ...IDLE, reason: 'Own' };
}

export function restored({ work }: Txn): Work {
  if (work.reason === null) throw new Refused('conflict');
  return IDLE;
}
