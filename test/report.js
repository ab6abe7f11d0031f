// A report for pipes and files: a dot for each test that passes; in full, as Node's spec reporter
// writes them, the tests that fail, what tests print, and the totals.

import { spec } from 'node:test/reporters';

const DOTS_PER_LINE = 100;

// biome-ignore lint/style/noDefaultExport: Node loads a reporter by its default export.
export default async function* report(events) {
  const failures = new spec();
  let dots = 0;
  for await (const event of events) {
    if (event.type === 'test:pass') {
      dots += 1;
      yield dots % DOTS_PER_LINE === 0 ? '.\n' : '.';
    }
    // The spec reporter expects each start to be followed by its end.
    if (event.type === 'test:pass' || event.type === 'test:start') continue;
    failures.write(event);
    const text = failures.read();
    if (text === null) continue;
    yield dots % DOTS_PER_LINE === 0 ? text : `\n${text}`;
    dots = 0;
  }
  failures.end();
  yield* failures;
}
