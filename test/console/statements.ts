/** Counts what a page asks of the database. */

import type { TestContext } from 'node:test';

/** The texts of all statements that read or write from now on, until the test ends. */
export function countStatements(
  test: TestContext,
  db: { prepare(text: string): object },
): string[] {
  const texts: string[] = [];
  const methods = Object.getPrototypeOf(db.prepare('select 1'));
  for (const name of ['get', 'all', 'run', 'iterate']) {
    const own = methods[name];
    methods[name] = function (this: { source: string }, ...values: unknown[]) {
      if (!/^(?:begin|commit)/i.test(this.source)) texts.push(this.source);
      return own.apply(this, values);
    };
    test.after(() => {
      methods[name] = own;
    });
  }
  return texts;
}
