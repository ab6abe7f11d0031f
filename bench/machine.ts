/** The machine that the figures are from, and how busy it was. */

import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { loadDriver } from '../src/database/driver.ts';
import { type Spread, spreadOf } from './statistics.ts';

/** One line about the machine. */
export function describeMachine(): string {
  const Driver = loadDriver();
  const db = new Driver(':memory:');
  const sqlite = db.prepare('select sqlite_version()').pluck().get();
  db.close();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const system = `${process.platform} ${release()}`;
  const versions = `Node ${process.versions.node}, SQLite ${sqlite}`;
  return `${availableParallelism()} cores of ${model}, ${memory} GB, ${system}, ${versions}`;
}

/** Milliseconds that a fixed piece of work takes: always the same on a quiet machine. */
export function measureNoise(): Spread {
  const times: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    const start = performance.now();
    let sum = 0;
    for (let at = 0; at < 4_000_000; at += 1) sum = (sum + at * 7) | 0;
    if (sum === 1) times.length = 0;
    if (round >= 10) times.push(performance.now() - start);
  }
  return spreadOf(times);
}

export function loadAverage(): number {
  return loadavg()[0] ?? Number.NaN;
}

/** The resident memory of this process and its peak, in bytes. */
export function readMemory(): { residentBytes: number; peakBytes: number } {
  try {
    // Not resourceUsage(): Linux counts the parent's memory before exec there.
    const status = readFileSync('/proc/self/status', 'latin1');
    const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]);
    return { residentBytes: kilobytes('VmRSS') * 1024, peakBytes: kilobytes('VmHWM') * 1024 };
  } catch {
    const peakBytes = process.resourceUsage().maxRSS * 1024;
    return { residentBytes: process.memoryUsage.rss(), peakBytes };
  }
}

/** CPU seconds of the first thread of a process, which has its event loop; NaN without /proc. */
export function readThreadSeconds(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1');
    return Number(text.split(' ')[0]) / 1e9;
  } catch {
    return Number.NaN;
  }
}

/** The bytes that the kernel was asked to write to disk for this process; null without /proc. */
export function readWrittenBytes(): number | null {
  try {
    const [, bytes] = /^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'latin1')) ?? [];
    return bytes === undefined ? null : Number(bytes);
  } catch {
    return null;
  }
}
