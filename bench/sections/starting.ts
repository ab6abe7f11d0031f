/** Starting: from the start of a process to its first answer, and a service inside a process. */

import { dirname, join } from 'node:path';
import { createService } from '../../src/index.ts';
import { runScript, ServerChild, scriptArgs, serveArgs } from '../children.ts';
import { Connection, getBytes } from '../connection.ts';
import type { Findings } from '../findings.ts';
import type { Lab } from '../lab.ts';
import { removeDatabase } from '../seed.ts';
import { medianOf, ratiosOf, type Sample, secondsOf, spreadOf } from '../statistics.ts';
import { takeTurns } from '../turns.ts';

/** Measures processes and embedded services. */
export async function measureStarting(lab: Lab): Promise<Findings> {
  const processes = await measureProcesses(lab);
  const embedded = await measureEmbedded(lab);
  return {
    findings: [...processes.findings, ...embedded.findings],
    details: [...processes.details, ...embedded.details],
  };
}

async function measureProcesses(lab: Lab): Promise<Findings> {
  const seed = await lab.large();
  const empty = join(dirname(seed.file), 'empty.db');
  removeDatabase(empty);
  const service = await createService({ database: empty, create: true });
  const { id } = service.organisations.create({ name: 'Empty', baseCurrency: 'GBP' });
  const { key } = service.keys.create(id, { name: 'empty', scopes: ['projects:read'] });
  await service.close();
  lab.progress('processes');
  const path = '/api/v1/projects?limit=1';
  const [large = [], small = [], bare = []] = await takeTurns(
    [
      () => start(serveArgs(seed.file), getBytes(path, lab.keysOf(seed).next())),
      () => start(serveArgs(empty), getBytes(path, key)),
      () => start(scriptArgs('bare'), getBytes('/', 'none')),
    ],
    lab.choose(9, 25),
  );
  removeDatabase(empty);
  const growth = ratiosOf(large, small, secondsOf);
  const ofBare = ratiosOf(large, bare, secondsOf);
  const row = (name: string, samples: readonly Sample[]) => {
    const { median, least } = spreadOf(samples.map(secondsOf));
    return [name, median * 1000, least * 1000];
  };
  return {
    findings: [
      {
        line: 'serve: spawn to first answer, ratio to an empty file',
        value: growth.median,
        unit: '',
        target: 1.5,
        spread: growth,
      },
      {
        line: 'serve: spawn to first answer, ratio to a bare node:http process',
        value: ofBare.median,
        unit: '',
        target: 1.9,
        spread: ofBare,
      },
    ],
    details: [
      {
        title: 'Starting: milliseconds from spawn to the first answer',
        columns: ['', 'median', 'least'],
        rows: [
          row(`serve, ${seed.size} transactions`, large),
          row('serve, empty', small),
          row('bare node:http', bare),
        ],
      },
    ],
  };
}

async function start(args: readonly string[], request: Buffer): Promise<Sample> {
  const startMs = performance.now();
  const server = await new ServerChild(args).started();
  const connection = new Connection(server.url);
  await connection.send(request);
  const seconds = (performance.now() - startMs) / 1000;
  connection.close();
  await server.stop();
  return { seconds, cpuSeconds: Number.NaN };
}

/** Milliseconds until the service exists, and until it has answered. */
interface Round {
  readonly createMs: number;
  readonly answerMs: number;
}

/** In new processes, because the first service of a process loads and compiles the code. */
async function measureEmbedded(lab: Lab): Promise<Findings> {
  const first: Round[] = [];
  const later: Round[] = [];
  const bare: Round[] = [];
  lab.progress('services in memory');
  for (let count = lab.choose(5, 15); count > 0; count -= 1) {
    const [one, ...others] = await runScript<Round[]>('embedded');
    if (one !== undefined) first.push(one);
    later.push(...others);
    bare.push(...(await runScript<Round[]>('embedded', 'bare')).slice(0, 1));
  }
  const answers = (rounds: readonly Round[]) => spreadOf(rounds.map(({ answerMs }) => answerMs));
  const row = (name: string, rounds: readonly Round[]) => [
    name,
    medianOf(rounds.map(({ createMs }) => createMs)),
    answers(rounds).median,
    answers(rounds).least,
  ];
  return {
    findings: [
      {
        line: 'createService in memory to its first answer, first in its process',
        value: answers(first).median,
        unit: 'ms',
        target: 10,
        spread: answers(first),
        note: `bare node:http, listening and answering: ${answers(bare).median.toFixed(1)} ms`,
      },
      {
        line: 'createService in memory to its first answer, later ones',
        value: answers(later).median,
        unit: 'ms',
        target: 2,
        spread: answers(later),
      },
    ],
    details: [
      {
        title:
          'Services in memory: milliseconds to create an organisation and a key, and for one GET',
        columns: ['', 'created', 'answered', 'least'],
        rows: [
          row('first in its process', first),
          row('later', later),
          row('bare node:http, first', bare),
        ],
      },
    ],
  };
}
