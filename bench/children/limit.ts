/**
 * The limit that reads are compared with, in one process without HTTP: `limit.js FILE`. It is the
 * simplest competent code for each task, with prepared statements and the same schema, driver and
 * pragmas.
 */

import { openDatabase } from '../../src/database/database.ts';
import type { Scenario } from '../scenarios.ts';
import { answerUntilStopped, measureWork } from './answering.ts';
import { type PageRequest, positionAt, preparePage, registerSearch } from './limit-pages.ts';
import { addUpReport } from './limit-report.ts';

const [, , file = ''] = process.argv;
const db = openDatabase({ file, create: false, busyTimeoutMs: 10_000 });
registerSearch(db);

answerUntilStopped(
  {
    page: ({ repeats, ...request }: PageRequest & { repeats: number }) => {
      const read = preparePage(db, request);
      if (repeats > 1) read();
      return measureWork(() => {
        for (let count = 0; count < repeats; count += 1) read();
      });
    },
    position: ({ scenario, share }: { scenario: Scenario; share: number }) =>
      positionAt(db, scenario, share),
    report: ({ project, repeats, withJson }: Record<string, number>) =>
      measureWork(() => {
        for (let count = 0; count < Number(repeats); count += 1) {
          const report = addUpReport(db, Number(project));
          if (withJson === 1) JSON.stringify(report);
        }
      }),
  },
  () => db.close(),
);
