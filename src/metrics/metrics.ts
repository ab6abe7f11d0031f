/**
 * The metrics of a running service, for Prometheus. Requests and pushes are counted as they come;
 * sizes, memory and the like are read when someone asks. Labels are routes, statuses and results,
 * so the number of series is bounded.
 */

import { stat, statfs } from 'node:fs/promises';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { PushMeta } from '../core/push.ts';
import type { Route } from '../http/message.ts';
import type { RecordedRequest } from '../http/request-log.ts';
import { CONTENT_TYPE, Counter, Histogram, type Sample, writeFamily } from './exposition.ts';

/** What the metrics read when someone asks for them. */
interface MetricsSources {
  /** The database; undefined if it is in memory. */
  readonly file: string | undefined;
  readonly version: string;
  readonly isReady: () => boolean;
  /** When the newest nightly backup was begun; undefined if there is none. */
  readonly lastBackupMs: () => number | undefined;
  /** Undefined if there is no log. */
  readonly droppedLogLines: (() => number) | undefined;
}

const METHODS = ['GET', 'HEAD', 'POST'];
const RESULTS = ['created', 'updated', 'unchanged', 'rejected'] as const;
/** How often the delay of the event loop is measured. It is the least that can be found. */
const DELAY_RESOLUTION_MS = 20;

/** The metrics of one service. */
export class Metrics {
  readonly #sources: MetricsSources;
  readonly #requests = new Counter(
    'budgetd_http_requests_total',
    'Requests by method, route and status, which is aborted if the client left before the answer.',
  );
  readonly #durations = new Histogram(
    'budgetd_http_request_duration_seconds',
    'Time from the header of a request to its answer, by method and route.',
  );
  readonly #rows = new Counter('budgetd_push_rows_total', 'Pushed rows by result.');
  readonly #batches = new Histogram(
    'budgetd_push_batch_duration_seconds',
    'Time to check and store a batch of rows.',
  );
  readonly #delay: IntervalHistogram;

  constructor(sources: MetricsSources) {
    this.#sources = sources;
    this.#countRows(() => 0);
    this.#delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
    this.#delay.enable();
  }

  /** `GET /metrics`. */
  get route(): Route {
    const headers = { 'Content-Type': CONTENT_TYPE };
    const handler = async () => ({ status: 200, headers, body: await this.#write() });
    return { method: 'GET', path: '/metrics', handler };
  }

  /** Counts a request. */
  noteRequest({ method, route, status, durationMs }: RecordedRequest): void {
    const known = METHODS.includes(method ?? '') ? String(method) : 'other';
    const labels = { method: known, route: route ?? 'unmatched' };
    const key = `${known} ${labels.route}`;
    this.#requests.add(`${key} ${status}`, 1, () => {
      return { ...labels, status: String(status ?? 'aborted') };
    });
    this.#durations.observe(key, durationMs / 1000, () => labels);
  }

  /** Counts a batch. Those of a dry run store nothing and do not count. */
  notePush({ created, updated, unchanged, rejected, dryRun }: PushMeta, durationMs: number): void {
    if (dryRun) return;
    const counts = { created, updated: updated - unchanged, unchanged, rejected };
    this.#countRows((result) => counts[result]);
    this.#batches.observe('', durationMs / 1000, () => ({}));
  }

  /** Stops measuring. */
  close(): void {
    this.#delay.disable();
  }

  #countRows(countOf: (result: (typeof RESULTS)[number]) => number): void {
    for (const result of RESULTS) this.#rows.add(result, countOf(result), () => ({ result }));
  }

  async #write(): Promise<string> {
    const { file } = this.#sources;
    const [bytes, walBytes, freeBytes] = await Promise.all([
      sizeOf(file),
      sizeOf(file && `${file}-wal`),
      freeBytesAt(file),
    ]);
    return [
      this.#requests.write(),
      this.#durations.write(),
      this.#rows.write(),
      this.#batches.write(),
      this.#writeDelays(),
      this.#writeService(),
      writeGauge('budgetd_database_size_bytes', 'Size of the database file.', bytes),
      writeGauge('budgetd_wal_size_bytes', 'Size of the -wal file beside it.', walBytes),
      writeGauge('budgetd_disk_free_bytes', 'Free space on the disk of the database.', freeBytes),
      writeProcess(),
    ].join('');
  }

  /** Since the previous time that someone asked. */
  #writeDelays(): string {
    const delay = this.#delay;
    const seconds = (nanoseconds: number) => {
      return Math.max(nanoseconds / 1e6 - DELAY_RESOLUTION_MS, 0) / 1000;
    };
    const [mean, high, max] = [delay.mean, delay.percentile(99), delay.max].map(seconds);
    const isMeasured = delay.count > 0;
    delay.reset();
    const when = 'of the event loop since the previous scrape.';
    const gauge = (name: string, help: string, value: number | undefined) => {
      return writeGauge(`budgetd_event_loop_delay_${name}_seconds`, help, isMeasured ? value : 0);
    };
    return (
      gauge('mean', `Mean delay ${when}`, mean) +
      gauge('p99', `99th percentile of the delay ${when}`, high) +
      gauge('max', `Longest delay ${when}`, max)
    );
  }

  #writeService(): string {
    const { version, isReady, lastBackupMs, droppedLogLines } = this.#sources;
    const build = { labels: { version, node: process.versions.node }, value: 1 };
    const backupMs = lastBackupMs();
    return (
      writeFamily('budgetd_build_info', 'gauge', 'The version of budgetd and Node.', [build]) +
      writeGauge('budgetd_ready', '1 if /readyz answers 200, else 0.', Number(isReady())) +
      writeGauge(
        'budgetd_last_backup_timestamp_seconds',
        'When the newest nightly backup was begun.',
        backupMs === undefined ? undefined : backupMs / 1000,
      ) +
      writeFamily(
        'budgetd_log_lines_dropped_total',
        'counter',
        'Lines of the log that standard error did not take.',
        samplesOf(droppedLogLines?.()),
      )
    );
  }
}

function writeProcess(): string {
  const { user, system } = process.cpuUsage();
  const startSeconds = (performance.timeOrigin / 1000).toFixed(3);
  return (
    writeFamily('budgetd_process_cpu_seconds_total', 'counter', 'Time on the processor.', [
      { value: (user + system) / 1e6 },
    ]) +
    writeGauge('budgetd_process_resident_memory_bytes', 'Memory.', process.memoryUsage.rss()) +
    writeGauge(
      'budgetd_process_start_time_seconds',
      'When the process started.',
      Number(startSeconds),
    )
  );
}

/** A gauge with one value; nothing if there is none. */
function writeGauge(name: string, help: string, value: number | undefined): string {
  return writeFamily(name, 'gauge', help, samplesOf(value));
}

function samplesOf(value: number | undefined): Sample[] {
  return value === undefined ? [] : [{ value }];
}

/** Undefined if it cannot be read. A file that does not exist has no bytes. */
async function sizeOf(file: string | undefined): Promise<number | undefined> {
  if (file === undefined) return undefined;
  return stat(file).then(
    ({ size }) => size,
    (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? 0 : undefined),
  );
}

async function freeBytesAt(file: string | undefined): Promise<number | undefined> {
  if (file === undefined) return undefined;
  return statfs(file).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );
}
