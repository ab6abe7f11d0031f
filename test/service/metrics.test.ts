import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createService, type ServiceOptions } from '../../src/service.ts';
import { BackupFolder } from '../../src/upkeep/nightly.ts';
import { readText } from '../repository.ts';

/** A listening service with metrics, and what it says of itself. */
async function openCounted(t: TestContext, options: Partial<ServiceOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-metrics-'));
  const database = join(folder, 'a.db');
  const service = await createService({ database, create: true, ...options });
  t.after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { keys } = service.seed({ keys: { erp: ['transactions:write'] } });
  const metrics = await service.listenForMetrics({ port: 0 }, () => 7);
  const { url } = await service.listen({ port: 0 });
  const scrape = async () => {
    const response = await fetch(`${metrics.url}/metrics`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    return readFamilies(await response.text());
  };
  return { service, url, metricsUrl: metrics.url, key: keys.erp, scrape };
}

/** A family as Prometheus reads it: the value of each series by its name and labels. */
interface Family {
  readonly type: string;
  readonly series: Map<string, number>;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const HEAD = new RegExp(`^# HELP (${NAME}) \\S.*\\n# TYPE \\1 (counter|gauge|histogram)\\n`);
const SAMPLE = new RegExp(`^(${NAME})(\\{${LABEL}(?:,${LABEL})*\\})? (\\S+)\\n`);

/** Reads the text format 0.0.4 and holds it to its rules and to what `promtool` asks of names. */
function readFamilies(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  let rest = text;
  while (rest !== '') {
    const [head = '', name = '', type = ''] = HEAD.exec(rest) ?? assert.fail(rest.slice(0, 200));
    assert.match(name, /^budgetd_[a-z0-9_]+$/);
    assert.equal(name.endsWith('_total'), type === 'counter', name);
    assert.ok(!families.has(name), `${name} comes twice`);
    const series = new Map<string, number>();
    rest = rest.slice(head.length);
    for (let found = SAMPLE.exec(rest); found !== null; found = SAMPLE.exec(rest)) {
      const [line, own = '', labels = '', value = ''] = found;
      const ends = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      assert.ok(
        ends.some((end) => own === name + end),
        line,
      );
      assert.ok(Number.isFinite(Number(value)), line);
      assert.ok(!series.has(own + labels), `${line} comes twice`);
      series.set(own + labels, Number(value));
      rest = rest.slice(line.length);
    }
    assert.ok(series.size > 0, name);
    families.set(name, { type, series });
  }
  return families;
}

function push(url: string, key: string, rows: unknown[], query = ''): Promise<Response> {
  return fetch(`${url}/api/v1/transactions${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ rows }),
  });
}

describe('11: metrics', () => {
  it('count requests by route and status, and rows by result', async (t) => {
    const { url, key, scrape } = await openCounted(t);
    const row = { externalId: 'A', date: '2026-01-31', description: 'Rent', amount: 1 };
    const rows = [row, { ...row, externalId: 'B' }, { ...row, date: 'x', externalId: 'C' }];
    await push(url, key, rows);
    await push(url, key, [{ ...row, amount: 2 }, rows[1]]);
    await push(url, key, [{ ...row, amount: 3 }], '?dryRun=true');
    await fetch(`${url}/api/v1/projects/prj_1`);
    await fetch(`${url}/api/v1/projects/prj_2`);
    await fetch(`${url}/SECRET`);
    await fetch(`${url}/healthz`, { method: 'DELETE' });
    const families = await scrape();
    const valuesOf = (name: string) => Object.fromEntries(families.get(name)?.series ?? []);
    const requests = 'budgetd_http_requests_total';
    assert.deepEqual(valuesOf(requests), {
      [`${requests}{method="POST",route="/api/v1/transactions",status="200"}`]: 3,
      [`${requests}{method="GET",route="/api/v1/projects/{id}",status="401"}`]: 2,
      [`${requests}{method="GET",route="unmatched",status="404"}`]: 1,
      [`${requests}{method="other",route="/healthz",status="405"}`]: 1,
    });
    const result = 'budgetd_push_rows_total';
    assert.deepEqual(valuesOf(result), {
      [`${result}{result="created"}`]: 2,
      [`${result}{result="updated"}`]: 1,
      [`${result}{result="unchanged"}`]: 1,
      [`${result}{result="rejected"}`]: 1,
    });
    const batches = valuesOf('budgetd_push_batch_duration_seconds');
    assert.equal(batches['budgetd_push_batch_duration_seconds_count'], 2);
    assert.equal(batches['budgetd_push_batch_duration_seconds_bucket{le="+Inf"}'], 2);
    const durations = valuesOf('budgetd_http_request_duration_seconds');
    const labels = '{method="POST",route="/api/v1/transactions"}';
    assert.equal(durations[`budgetd_http_request_duration_seconds_count${labels}`], 3);
  });

  it('tell the state of the process, its file and its disk', async (t) => {
    const { service, scrape } = await openCounted(t);
    let families = await scrape();
    const value = (name: string) => families.get(name)?.series.get(name) ?? Number.NaN;
    // The delay is that of a timer, which begins and ends some time later.
    while (!(value('budgetd_event_loop_delay_max_seconds') > 0.1)) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
      await wait(20);
      families = await scrape();
    }
    assert.ok(value('budgetd_database_size_bytes') > 4096);
    assert.ok(value('budgetd_wal_size_bytes') > 0);
    assert.ok(value('budgetd_disk_free_bytes') > 0);
    assert.ok(value('budgetd_process_resident_memory_bytes') > 1e7);
    assert.ok(value('budgetd_process_cpu_seconds_total') > 0.1);
    assert.ok(Math.abs(value('budgetd_process_start_time_seconds') - Date.now() / 1000) < 3600);
    assert.ok(value('budgetd_event_loop_delay_mean_seconds') >= 0);
    assert.equal(value('budgetd_ready'), 1);
    assert.equal(value('budgetd_log_lines_dropped_total'), 7);
    const [info] = families.get('budgetd_build_info')?.series ?? [];
    const { version } = JSON.parse(readText('package.json'));
    const labels = `{version="${version}",node="${process.versions.node}"}`;
    assert.deepEqual(info, [`budgetd_build_info${labels}`, 1]);
    const text = readText('docs/operating.md');
    for (const name of families.keys()) {
      const end = name.replace('budgetd_event_loop_delay', '…');
      assert.ok(text.includes(`\`${name}\``) || text.includes(`\`${end}\``), name);
    }
    await service.close();
  });

  it('are at an address of their own, where nothing else is', async (t) => {
    const { service, url, metricsUrl } = await openCounted(t);
    assert.notEqual(url, metricsUrl);
    assert.equal((await fetch(`${url}/metrics`)).status, 404);
    for (const path of ['/', '/docs', '/metrics/']) {
      assert.equal((await fetch(metricsUrl + path)).status, 404, path);
    }
    assert.equal((await fetch(`${metricsUrl}/metrics`, { method: 'POST' })).status, 405);
    await assert.rejects(service.listenForMetrics({ port: 0 }), { code: 'conflict' });
    await service.close();
    await assert.rejects(fetch(`${metricsUrl}/metrics`));
  });

  it('tell the last nightly backup, but none from the future or if they are off', async (t) => {
    const home = mkdtempSync(join(tmpdir(), 'budgetd-metrics-'));
    t.after(() => rmSync(home, { recursive: true, force: true }));
    const folder = new BackupFolder(home, 'a.db');
    const atMs = Date.parse('2026-01-31T02:00:00Z');
    for (const each of [atMs - 86_400_000, atMs, Date.now() + 86_400_000]) {
      writeFileSync(folder.fileFor(each), '');
    }
    const name = 'budgetd_last_backup_timestamp_seconds';
    const last = async (keep: number) => {
      const backups = { folder: home, at: '02:00', keep };
      const { service, scrape } = await openCounted(t, { exclusive: true, backups });
      assert.equal(service.health()?.backups?.last?.atMs, keep === 0 ? undefined : atMs);
      return (await scrape()).get(name)?.series.get(name);
    };
    assert.equal(await last(14), atMs / 1000);
    assert.equal(folder.newest(Date.now())?.atMs, atMs);
    assert.equal(await last(0), undefined);
  });

  it('of a database in memory lack its file', async (t) => {
    const { scrape } = await openCounted(t, { database: ':memory:' });
    const families = await scrape();
    assert.ok(!families.has('budgetd_database_size_bytes'));
    assert.ok(!families.has('budgetd_last_backup_timestamp_seconds'));
    assert.ok(families.has('budgetd_build_info'));
  });
});
