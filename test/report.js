// The report of a test run: node-test-reporter's at a terminal. In a pipe or a file, it shows a dot
// per passing test, and failed tests and the output of tests in full. Both end with the same line:
// `N passed, N failed`, and `, N skipped` if there are any.

import { spec } from 'node:test/reporters';

const DOTS_PER_LINE = 100;

// biome-ignore lint/style/noDefaultExport: Node loads a reporter by its default export.
export default async function* report(events) {
  const totals = { pass: 0, fail: 0, cancelled: 0, skipped: 0 };
  const counted = count(events, totals);
  if (process.stdout.isTTY) {
    const { default: terminalReport } = await import('node-test-reporter');
    yield* terminalReport(counted);
  } else yield* dots(counted);
  const { pass, fail, cancelled, skipped } = totals;
  const ending = skipped > 0 ? `, ${skipped} skipped` : '';
  yield `\n${pass} passed, ${fail + cancelled} failed${ending}\n`;
}

/** Keeps the totals, which the runner sends as its last messages. */
async function* count(events, totals) {
  for await (const event of events) {
    if (event.type === 'test:diagnostic') {
      const [name, number] = event.data.message.split(' ');
      if (Object.hasOwn(totals, name)) totals[name] = Number(number);
    }
    yield event;
  }
}

async function* dots(events) {
  // The format of Node's spec reporter for what is shown in full.
  const failures = new spec();
  let printed = 0;
  for await (const event of events) {
    if (event.type === 'test:pass') {
      printed += 1;
      yield printed % DOTS_PER_LINE === 0 ? '.\n' : '.';
    }
    // The spec reporter expects an end for every start.
    if (event.type === 'test:pass' || event.type === 'test:start') continue;
    failures.write(event);
    const text = failures.read();
    if (text === null) continue;
    yield printed % DOTS_PER_LINE === 0 ? text : `\n${text}`;
    printed = 0;
  }
  failures.end();
  yield* failures;
}
