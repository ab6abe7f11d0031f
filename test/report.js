// The report of a test run: node-test-reporter's at a terminal. In a pipe or a file, it shows a dot
// per passing test, and failed tests and the output of tests in full. Both name files as in the
// source, and beside each failure how that test is run again. Both end with why tests were skipped,
// and with the same line: `N passed, N failed`, and `, N skipped` if there are any.

import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { relative } from 'node:path';
import { spec } from 'node:test/reporters';

const DOTS_PER_LINE = 100;

// biome-ignore lint/style/noDefaultExport: Node loads a reporter by its default export.
export default async function* report(events) {
  const run = {
    totals: { pass: 0, fail: 0, cancelled: 0, skipped: 0 },
    failures: new Map(),
    skips: new Map(),
  };
  const noted = note(events, run);
  let shown = dots(noted);
  if (process.stdout.isTTY) {
    const { default: terminalReport } = await import('node-test-reporter');
    shown = terminalReport(noted);
  }
  for await (const text of shown) yield nameSources(String(text), run.failures);
  yield* listSkips(run.skips);
  const { pass, fail, cancelled, skipped } = run.totals;
  const ending = skipped > 0 ? `, ${skipped} skipped` : '';
  yield `\n${pass} passed, ${fail + cancelled} failed${ending}\n`;
}

/** Keeps the totals, which the runner sends as its last messages, the failures and the skips. */
async function* note(events, { totals, failures, skips }) {
  for await (const event of events) {
    const { type, data } = event;
    if (type === 'test:diagnostic') {
      const [name, number] = data.message.split(' ');
      if (Object.hasOwn(totals, name)) totals[name] = Number(number);
    } else if (type === 'test:fail' && data.file !== undefined) {
      failures.set(`${shorten(data.file)}:${data.line}:${data.column}`, data.name);
    } else if (
      type === 'test:pass' &&
      typeof data.skip === 'string' &&
      !/pattern$/.test(data.skip)
    ) {
      const files = skips.get(data.skip) ?? new Map();
      const file = sourceOf(data.file ?? '', 1, 1).file;
      skips.set(data.skip, files.set(file, (files.get(file) ?? 0) + 1));
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

/** Why tests were skipped, with how many and where. */
function* listSkips(skips) {
  if (skips.size > 0) yield '\nSkipped:\n';
  for (const [reason, files] of skips) {
    const places = [...files].map(([file, number]) => `${number} in ${file}`);
    yield `  ${reason}: ${places.join(', ')}\n`;
  }
}

/** Names the sources of compiled files, and after the place of a failure how it is run again. */
function nameSources(text, failures) {
  return text
    .replace(/^(test at )(\S+?):(\d+):(\d+)$/gm, (_, at, ...place) => {
      const [file, line, column] = place;
      const name = failures.get(`${shorten(file)}:${line}:${column}`);
      return at + showPlace(...place) + howAgain(file, name);
    })
    .replace(FAILED, (...found) => {
      const [, title, name, ...place] = found.slice(0, 6);
      return `${title}\nin ${showPlace(...place)}${howAgain(place[0], name)}`;
    })
    .replace(/(?:file:\/\/)?[^\s'"(]*\/dist\/[\w./-]+\.js:\d+:\d+/g, (found) => {
      const [, file, line, column] = /^(.*):(\d+):(\d+)$/.exec(found) ?? [];
      return showPlace(file, line, column);
    });
}

// At a terminal: the place is that of the error.
const FAILED = /(Test '(.+)' failed\S*)\r?\nin file '([^']+)', line (\d+), column (\d+)/g;

function showPlace(file, line, column) {
  const place = sourceOf(file, Number(line), Number(column));
  return `${place.file}:${place.line}:${place.column}`;
}

/** The command that runs one failed test again; empty for what is not one of this suite. */
function howAgain(file, name) {
  const [, part] = /^dist\/test\/(.*)\.js$/.exec(shorten(file)) ?? [];
  if (part === undefined || name === undefined) return '';
  return `\nrun it again: npm test -- ${part} --name='${name.replaceAll("'", "'\\''")}'`;
}

/** A path from the folder of the repository, in which the tests run. */
function shorten(file) {
  const path = file.replace(/^file:\/\//, '');
  const short = path.startsWith('/dist/') ? path.slice(1) : relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}

/** Where a place of a compiled file comes from; the place itself for another file. */
function sourceOf(file, line, column) {
  const short = shorten(file);
  const source = short.replace(/^dist\/(.*)\.js$/, '$1.ts');
  if (source === short || !existsSync(source)) return { file: short, line, column };
  const map = existsSync(`${short}.map`)
    ? JSON.parse(readFileSync(`${short}.map`, 'utf8'))
    : undefined;
  const found = map && new SourceMap(map).findEntry(line - 1, column - 1);
  if (found?.originalLine === undefined) return { file: source, line, column };
  return { file: source, line: found.originalLine + 1, column: found.originalColumn + 1 };
}
