/**
 * `npm run bench`: compares the service over HTTP with limits measured in the same run, in turns.
 * It prints ratios rather than times, because machines differ and are never quiet. Progress goes
 * to standard error.
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Detail, type Finding, type Findings, isMet } from './findings.ts';
import { Lab } from './lab.ts';
import { describeMachine, loadAverage, measureNoise } from './machine.ts';
import { HELP, type Options, readOptions } from './options.ts';
import { formatDetail, formatFindings } from './output.ts';
import { SECTIONS } from './sections.ts';
import type { Spread } from './statistics.ts';

/** The circumstances of a run. */
interface Circumstances {
  readonly machine: string;
  readonly size: number;
  readonly minutes: number;
  readonly load: readonly [before: number, after: number];
  /** Milliseconds of a fixed piece of work, repeated before and after the run. */
  readonly noise: readonly [before: Spread, after: Spread];
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(`${HELP}${Object.keys(SECTIONS).join(', ')}\n`);
    return;
  }
  const unknown = options.only.filter((name) => SECTIONS[name] === undefined);
  if (unknown.length > 0) throw new Error(`There is no section ${unknown.join(', ')}.`);
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'budgetd-bench-'));
  mkdirSync(folder, { recursive: true });
  try {
    await run(options, folder);
  } finally {
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function run(options: Options, folder: string): Promise<void> {
  const startMs = performance.now();
  const before = [loadAverage(), measureNoise()] as const;
  const lab = new Lab(options, folder);
  const found: Record<string, Findings> = {};
  for (const [name, measure] of Object.entries(SECTIONS)) {
    if (options.only.length > 0 && !options.only.includes(name)) continue;
    process.stderr.write(`${name}\n`);
    found[name] = await measure(lab);
  }
  const after = [loadAverage(), measureNoise()] as const;
  const circumstances: Circumstances = {
    machine: describeMachine(),
    size: options.size,
    minutes: (performance.now() - startMs) / 60_000,
    load: [before[0], after[0]],
    noise: [before[1], after[1]],
  };
  const findings = Object.values(found).flatMap((section) => section.findings);
  const details = Object.values(found).flatMap((section) => section.details);
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ circumstances, findings: findings.map(withVerdict), details })}\n`
      : `${formatRun(circumstances, findings, details)}\n`,
  );
}

function withVerdict(finding: Finding): Finding & { met: boolean | null } {
  return { ...finding, met: isMet(finding) ?? null };
}

function formatRun(
  { machine, size, minutes, load, noise }: Circumstances,
  findings: readonly Finding[],
  details: readonly Detail[],
): string {
  const verdicts = findings.map(isMet).filter((met) => met !== undefined);
  const met = verdicts.filter(Boolean).length;
  const [first, last] = noise;
  const wobble = Math.max(first.high / first.least, last.high / last.least);
  const [loadBefore, loadAfter] = load.map((each) => each.toFixed(2));
  return [
    `${size.toLocaleString('en-GB')} transactions. ${machine}.`,
    `${minutes.toFixed(1)} minutes; load ${loadBefore} before, ${loadAfter} after.`,
    'A quarter of the runs of a fixed piece of work took at least ' +
      `${wobble.toFixed(2)} times as long as the fastest.`,
    '',
    formatFindings(findings),
    '',
    `${met} of ${verdicts.length} targets met.`,
    ...details.flatMap((detail) => ['', '', formatDetail(detail)]),
  ].join('\n');
}

await main();
