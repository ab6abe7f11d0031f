/**
 * Shares something limited, such as memory, among those who use it. At a limit, whoever has the
 * most gives way: so nobody can keep others out by taking it all. Does not use sockets or files.
 */

/** An owner and one of its members. */
type Owned = readonly [owner: string, member: string];

/** The groups of an item, the widest first. */
const LEVELS = ['all', 'owner', 'member'] as const;

function groupsOf([owner, member]: Owned): readonly string[] {
  return ['', owner, JSON.stringify([owner, member])];
}

/** Items of owners and their members, each with its amount. */
export class Shares<Item> {
  readonly #limits: readonly number[];
  /** The one that has not grown for longest is the first. Each has its groups, the widest first. */
  readonly #items = new Map<
    Item,
    { readonly groups: readonly string[]; readonly amount: number }
  >();
  /** The sum of each group: of all, of each owner, of each of its members. */
  readonly #sums = new Map<string, number>();

  /** The most that all may hold, then, where that is limited, an owner and a member of one. */
  constructor(...limits: readonly number[]) {
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#items.size === 0;
  }

  /** What would be more than its limit with this amount: the widest of the three. */
  findFull(sender: Owned, amount: number): 'all' | 'owner' | 'member' | undefined {
    const groups = groupsOf(sender);
    const isFull = (limit: number, level: number) => {
      return this.#sum(groups[level] ?? '') + amount > limit;
    };
    return LEVELS[this.#limits.findIndex(isFull)];
  }

  /**
   * Adds an amount to an item of a member of an owner. Returns the items that have to go because of
   * that, which no longer count; this item can be one of them.
   */
  grow(item: Item, sender: Owned, amount: number): Item[] {
    const groups = groupsOf(sender);
    const held = (this.#items.get(item)?.amount ?? 0) + amount;
    this.#items.delete(item);
    this.#items.set(item, { groups, amount: held });
    this.#add(groups, amount);
    const leaving: Item[] = [];
    for (let level = this.#limits.length - 1; level >= 0; level -= 1) {
      const group = groups[level] ?? '';
      while (this.#sum(group) > (this.#limits[level] ?? 0)) {
        const next = this.#choose(level, group);
        this.remove(next);
        leaving.push(next);
      }
    }
    return leaving;
  }

  remove(item: Item): void {
    const held = this.#items.get(item);
    if (held === undefined) return;
    this.#items.delete(item);
    this.#add(held.groups, -held.amount);
  }

  /** In the largest group of the largest group, what has not grown for longest. */
  #choose(level: number, group: string): Item {
    let items = [...this.#items].filter(([, { groups }]) => groups[level] === group);
    for (let below = level + 1; below <= 2; below += 1) {
      const sumOf = ([, { groups }]: (typeof items)[number]) => this.#sum(groups[below] ?? '');
      const most = items.reduce((sum, each) => Math.max(sum, sumOf(each)), 0);
      items = items.filter((each) => sumOf(each) === most);
    }
    const [first] = items;
    if (first === undefined) throw new Error(`The group "${group}" has no item.`);
    return first[0];
  }

  #sum(group: string): number {
    return this.#sums.get(group) ?? 0;
  }

  #add(groups: readonly string[], amount: number): void {
    for (const group of groups) {
      const sum = this.#sum(group) + amount;
      if (sum === 0) this.#sums.delete(group);
      else this.#sums.set(group, sum);
    }
  }
}
