/** The report of 200 lines × 36 months, with few and with many allocations. */

import { readId } from '../../src/core/ids.ts';
import { type Child, startBare, startLimit, startServer } from '../children.ts';
import { Connection, getBytes, require200 } from '../connection.ts';
import type { Findings } from '../findings.ts';
import type { Lab } from '../lab.ts';
import type { Seed } from '../seed.ts';
import { cpuSecondsOf, medianOf, ratiosOf, type Sample, secondsOf } from '../statistics.ts';
import { takeTurns } from '../turns.ts';

const REPEATS = 4;

/** Measures the report on the large and the small file. */
export async function measureReports(lab: Lab): Promise<Findings> {
  const [large, small] = [await lab.large(), await lab.small()];
  const [server, smallServer, bare] = [
    await startServer(large.file),
    await startServer(small.file),
    await startBare(),
  ];
  const limit = startLimit(large.file);
  const connections = [server, smallServer, bare].map(({ url }) => new Connection(url));
  const [connection, smallConnection, bareConnection] = connections;
  if (!connection || !smallConnection || !bareConnection) throw new Error('no connections');
  const report = async (seed: Seed, from: Connection) => {
    const path = `/api/v1/projects/${seed.projectId}/report`;
    return require200(await from.send(getBytes(path, lab.keysOf(seed).next())), 'a report');
  };
  try {
    lab.progress(`${large.allocations} allocations against ${small.allocations}`);
    const { body } = await report(large, connection);
    await bare.ask('body', body.toString('utf8'));
    const addUp = (withJson: number) => {
      const project = readId('prj', large.projectId);
      return limit.ask<Sample>('report', { project, repeats: REPEATS, withJson });
    };
    const turns = await takeTurns(
      [
        () => measure(server, () => report(large, connection)),
        () => measure(smallServer, () => report(small, smallConnection)),
        () => addUp(0),
        () => addUp(1),
        () => measure(bare, () => bareConnection.send(getBytes('/', 'none'))),
      ],
      lab.choose(15, 41),
    );
    return summarise(turns, large, small, body.length);
  } finally {
    for (const each of connections) each.close();
    await Promise.all([server, smallServer, bare, limit].map((child) => child.stop()));
  }
}

async function measure(child: Child, ask: () => Promise<{ seconds: number }>): Promise<Sample> {
  const before = await child.usage();
  let seconds = 0;
  for (let count = 0; count < REPEATS; count += 1) seconds += (await ask()).seconds;
  const after = await child.usage();
  return { seconds, cpuSeconds: after.cpuSeconds - before.cpuSeconds };
}

function summarise(
  turns: readonly (readonly Sample[])[],
  large: Seed,
  small: Seed,
  bytes: number,
): Findings {
  const [ours = [], little = [], added = [], written = [], handed = []] = turns;
  const whole = written.map(({ seconds, cpuSeconds }, turn) => ({
    seconds: seconds + (handed[turn]?.seconds ?? 0),
    cpuSeconds: cpuSeconds + (handed[turn]?.cpuSeconds ?? 0),
  }));
  const growth = ratiosOf(ours, little, secondsOf);
  const ofCells = ratiosOf(ours, added, secondsOf);
  const ofWhole = ratiosOf(ours, whole, secondsOf);
  const cpu = ratiosOf(ours, whole, cpuSecondsOf);
  const milliseconds = (samples: readonly Sample[], of: (sample: Sample) => number) =>
    (medianOf(samples.map(of)) * 1000) / REPEATS;
  const names = [
    `report, ${large.allocations} allocations`,
    `report, ${small.allocations} allocations`,
    'reading and adding its cells',
    'the same plus its JSON',
    `bare node:http, ${bytes} bytes`,
  ];
  const allocations = small.allocations.toLocaleString('en-GB');
  return {
    findings: [
      {
        line: `report, 200 lines × 36 months: time, ratio to ${allocations} allocations`,
        value: growth.median,
        unit: '',
        target: 1.2,
        spread: growth,
        note: `${large.allocations.toLocaleString('en-GB')} allocations`,
      },
      {
        line: 'report: time, ratio to reading and adding its cells',
        value: ofCells.median,
        unit: '',
        target: 1.5,
        spread: ofCells,
        note: 'in one process, without JSON and HTTP',
      },
      {
        line: 'report: time, ratio to the same plus JSON and bare node:http',
        value: ofWhole.median,
        unit: '',
        spread: ofWhole,
      },
      {
        line: 'report: CPU, ratio to the same plus JSON and bare node:http',
        value: cpu.median,
        unit: '',
        spread: cpu,
      },
    ],
    details: [
      {
        title: 'Reports: milliseconds',
        columns: ['', 'time', 'CPU'],
        rows: turns.map((samples, at) => [
          names[at] ?? '',
          milliseconds(samples, secondsOf),
          milliseconds(samples, cpuSecondsOf),
        ]),
      },
    ],
  };
}
