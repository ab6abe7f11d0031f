// A report for pipes and files: a dot for each test that passes. Failed tests, the output of tests
// and the totals are shown in full, in the format of Node's spec reporter.

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
    // The spec reporter expects an end for every start.
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
