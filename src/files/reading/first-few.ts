/** Counts what is too much to show, and keeps the first few to show. */
export class FirstFew<Item> {
  readonly items: Item[] = [];
  total = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** How many are not kept. */
  get more(): number {
    return this.total - this.items.length;
  }

  /** Counts an item, and makes it if it is one of the first. */
  add(make: () => Item): void {
    this.total += 1;
    if (this.total <= this.#most) this.items.push(make());
  }
}
