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
import { Counter, Histogram, type Labels, writeFamily } from './exposition.ts';

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

/** A family with one value; none without a value. */
type Family = readonly [name: string, help: string, value: number | undefined, labels?: Labels];

const METHODS = ['GET', 'HEAD', 'POST'];
const RESULTS = ['created', 'updated', 'unchanged', 'rejected'] as const;
/** How often the delay of the event loop is measured. It is the least that can be found. */
const DELAY_RESOLUTION_MS = 20;

/** The Content-Type of the format. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

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
    const counted = [this.#requests, this.#durations, this.#rows, this.#batches];
    const read = [...this.#readDelays(), ...(await this.#readService())].map(
      ([name, help, value, labels = {}]) => {
        return writeFamily(name, help, value === undefined ? [] : [{ labels, value }]);
      },
    );
    return [...counted.map((family) => family.write()), ...read].join('');
  }

  /** Since the previous time that someone asked. */
  #readDelays(): Family[] {
    const delay = this.#delay;
    const isMeasured = delay.count > 0;
    const seconds = (nanoseconds: number) => {
      return isMeasured ? Math.max(nanoseconds / 1e6 - DELAY_RESOLUTION_MS, 0) / 1000 : 0;
    };
    const [mean = 0, high = 0, max = 0] = [delay.mean, delay.percentile(99), delay.max].map(
      seconds,
    );
    delay.reset();
    const when = 'of the event loop since the previous scrape.';
    return [
      ['budgetd_event_loop_delay_mean_seconds', `Mean delay ${when}`, mean],
      ['budgetd_event_loop_delay_p99_seconds', `99th percentile of the delay ${when}`, high],
      ['budgetd_event_loop_delay_max_seconds', `Longest delay ${when}`, max],
    ];
  }

  async #readService(): Promise<Family[]> {
    const { file, version, isReady, lastBackupMs, droppedLogLines } = this.#sources;
    const [bytes, walBytes, freeBytes] = await Promise.all([
      sizeOf(file),
      sizeOf(file && `${file}-wal`),
      freeBytesAt(file),
    ]);
    const { user, system } = process.cpuUsage();
    const backupMs = lastBackupMs();
    const backupSeconds = backupMs === undefined ? undefined : backupMs / 1000;
    const startSeconds = Number((performance.timeOrigin / 1000).toFixed(3));
    const build = { version, node: process.versions.node };
    const dropped = 'Lines of the log that standard error did not take.';
    const backedUp = 'When the newest nightly backup was begun.';
    return [
      ['budgetd_build_info', 'The version of budgetd and Node.', 1, build],
      ['budgetd_ready', '1 if /readyz answers 200, else 0.', Number(isReady())],
      ['budgetd_last_backup_timestamp_seconds', backedUp, backupSeconds],
      ['budgetd_log_lines_dropped_total', dropped, droppedLogLines?.()],
      ['budgetd_database_size_bytes', 'Size of the database file.', bytes],
      ['budgetd_wal_size_bytes', 'Size of the -wal file beside it.', walBytes],
      ['budgetd_disk_free_bytes', 'Free space on the disk of the database.', freeBytes],
      ['budgetd_process_cpu_seconds_total', 'Time on the processor.', (user + system) / 1e6],
      ['budgetd_process_resident_memory_bytes', 'Memory.', process.memoryUsage.rss()],
      ['budgetd_process_start_time_seconds', 'When the process started.', startSeconds],
    ];
  }
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
