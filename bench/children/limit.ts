/**
 * The limit that the service is compared with, in one process without HTTP: `limit.js FILE`. It is
 * the simplest competent code for each task, with prepared statements and the same schema, driver
 * and pragmas.
 */

import { openDatabase } from '../../src/store/database.ts';
import { type BatchRequest, batchOf } from '../batches.ts';
import type { Scenario } from '../scenarios.ts';
import type { Sample } from '../statistics.ts';
import { answerQuestions, readCpuSeconds } from './answering.ts';
import { type PageRequest, positionAt, preparePage, registerSearch } from './limit-pages.ts';
import { addUpReport } from './limit-report.ts';
import { prepareUpsert } from './limit-upsert.ts';

const [, , file = ''] = process.argv;
const db = openDatabase({ file, create: false, busyTimeoutMs: 10_000 });
registerSearch(db);
const upsert = prepareUpsert(db);

function measure(work: () => void): Sample {
  const cpuSeconds = readCpuSeconds();
  const startMs = performance.now();
  work();
  const seconds = (performance.now() - startMs) / 1000;
  return { seconds, cpuSeconds: readCpuSeconds() - cpuSeconds };
}

answerQuestions({
  /** Upserts batches, each in one transaction. Building the rows is not measured. */
  push: (requests: readonly BatchRequest[]) => {
    const batches = requests.map((request) => upsert.prepare(batchOf(request)));
    return measure(() => {
      for (const batch of batches) upsert.run(batch);
    });
  },
  page: ({ repeats, ...request }: PageRequest & { repeats: number }) => {
    const read = preparePage(db, request);
    if (repeats > 1) read();
    return measure(() => {
      for (let count = 0; count < repeats; count += 1) read();
    });
  },
  position: ({ scenario, share }: { scenario: Scenario; share: number }) =>
    positionAt(db, scenario, share),
  report: ({ project, repeats, withJson }: Record<string, number>) =>
    measure(() => {
      for (let count = 0; count < Number(repeats); count += 1) {
        const report = addUpReport(db, Number(project));
        if (withJson === 1) JSON.stringify(report);
      }
    }),
});
// Keeps running until SIGTERM.
process.channel?.ref();
process.once('SIGTERM', () => {
  db.close();
  process.exit(0);
});
