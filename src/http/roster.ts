/**
 * Decides who stays connected at a limit: a newcomer is admitted, and the client that has been idle
 * longest without ever sending a valid key is dropped. So nobody can lock others out by holding
 * connections open. Does not use sockets: members and addresses are values.
 */

/** All members, in the order of their last activity. */
export class Roster<Member> {
  readonly #isBusy: (member: Member) => boolean;
  readonly #perAddress: number;
  readonly #everyone: Group<Member>;
  readonly #byAddress = new Map<string, Group<Member>>();
  /** Everyone, and those of its address if that is limited. */
  readonly #groups = new Map<Member, readonly Group<Member>[]>();

  /** At most so many members. A trusted one is never dropped while `isBusy`. */
  constructor(
    limits: Readonly<Record<'connections' | 'connectionsPerAddress', number>>,
    isBusy: (member: Member) => boolean,
  ) {
    this.#isBusy = isBusy;
    this.#perAddress = limits.connectionsPerAddress;
    this.#everyone = new Group(limits.connections, '');
  }

  /**
   * Adds a member. Returns the one to drop for it, if any: the newcomer itself, which is then not
   * added, if all others are trusted and busy. Without an address, only the total is limited.
   */
  admit(member: Member, address: string | undefined): Member | undefined {
    const neighbours = address === undefined ? undefined : this.#byAddress.get(address);
    const full = [neighbours, this.#everyone].find((group) => group?.isFull === true);
    const leaving = full?.findQuietest(this.#isBusy);
    if (full !== undefined && leaving === undefined) return member;
    if (leaving !== undefined) this.remove(leaving);
    const groups = [this.#everyone, address === undefined ? [] : this.#groupOf(address)].flat();
    for (const group of groups) group.strangers.add(member);
    this.#groups.set(member, groups);
    return leaving;
  }

  /** Notes activity of a member: all others have been idle longer. */
  touch(member: Member): void {
    for (const group of this.#groups.get(member) ?? []) group.touch(member);
  }

  /** Notes that the member has sent a valid key. */
  trust(member: Member): void {
    for (const group of this.#groups.get(member) ?? []) group.trust(member);
  }

  isTrusted(member: Member): boolean {
    return this.#everyone.trusted.has(member);
  }

  remove(member: Member): void {
    for (const group of this.#groups.get(member) ?? []) {
      group.remove(member);
      if (group.size === 0) this.#byAddress.delete(group.address);
    }
    this.#groups.delete(member);
  }

  #groupOf(address: string): Group<Member> {
    let group = this.#byAddress.get(address);
    if (group === undefined) {
      group = new Group(this.#perAddress, address);
      this.#byAddress.set(address, group);
    }
    return group;
  }
}

/** Members under one limit. A Set keeps the order in which they were added. */
class Group<Member> {
  readonly strangers = new Set<Member>();
  readonly trusted = new Set<Member>();
  readonly address: string;
  readonly #limit: number;

  constructor(limit: number, address: string) {
    this.#limit = limit;
    this.address = address;
  }

  get size(): number {
    return this.strangers.size + this.trusted.size;
  }

  get isFull(): boolean {
    return this.size >= this.#limit;
  }

  touch(member: Member): void {
    for (const rank of [this.strangers, this.trusted]) {
      if (rank.delete(member)) rank.add(member);
    }
  }

  trust(member: Member): void {
    if (this.strangers.delete(member)) this.trusted.add(member);
  }

  remove(member: Member): void {
    this.strangers.delete(member);
    this.trusted.delete(member);
  }

  findQuietest(isBusy: (member: Member) => boolean): Member | undefined {
    for (const stranger of this.strangers) return stranger;
    for (const member of this.trusted) {
      if (!isBusy(member)) return member;
    }
    return undefined;
  }
}
