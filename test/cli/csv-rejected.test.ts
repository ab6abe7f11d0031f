import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Progress } from '../../src/cli/push/progress.ts';
import { rowFile } from '../../src/cli/push/row-files.ts';
import { runPush } from '../../src/cli/push/runner.ts';
import { noCounts } from '../../src/client/push.ts';
import { readMapping } from '../../src/files/mapping/mapping-file.ts';
import { decodeBytes, type ENCODINGS, encodeText } from '../../src/files/text/encodings.ts';
import { counts, metaOf, openDesk, Sink } from '../client/desk.ts';

const TEXTS = { externalId: 'i', date: 'd', description: 't' };

async function mappingOf(document: unknown) {
  return readMapping(JSON.parse(JSON.stringify(document)));
}

test('8 rejected rows keep the encoding of the input and can be corrected', async (t) => {
  const { world, cwd, run } = await openDesk(t);
  const fields = {
    externalId: { made: ['Tag', 'Text', 'Betrag'] },
    date: { column: 'Tag', format: 'DD.MM.YYYY' },
    description: 'Text',
    amount: { column: 'Betrag', negate: true },
  };
  const lines = [
    'Größe:;€',
    'Tag;Text;Betrag',
    '31.02.2016;Bücher – 5 €;-1,50',
    '31.01.2016;Öl;-2,00',
    ';Summe;-3,50',
  ];
  const notRows = [{ begins: 'Summe' }];
  for (const encoding of ['windows-1252', 'utf-16le'] as const) {
    rmSync(join(cwd, 'a.rejected.csv'), { force: true });
    const document = { encoding, decimal: ',', fields, notRows };
    writeFileSync(join(cwd, 'm.json'), JSON.stringify(document));
    writeFileSync(join(cwd, 'a.csv'), encodeText(`${lines.join('\r\n')}\r\n`, encoding));
    const args = ['--url', world.url, '--map', 'm.json', '--json'];
    const ended = await run(['a.csv', ...args]);
    assert.deepEqual([ended.exitCode, metaOf(ended)['rejected']], [3, 1], ended.stderr);
    assert.match(ended.stderr, /line 5 is not a row: it begins with "Summe" \(Summe;-3,50\)/);
    const rejected = decode(join(cwd, 'a.rejected.csv'), encoding);
    assert.match(
      rejected,
      /^Tag;Text;Betrag;line;code;reason\r\n31\.02\.2016;Bücher – 5 €;-1,50;3;inv/,
    );
    const mended = encodeText(rejected.replace('31.02', '28.02'), encoding);
    writeFileSync(join(cwd, 'a.rejected.csv'), mended);
    const again = await run(['a.rejected.csv', ...args]);
    assert.equal(again.exitCode, 0, again.stderr);
  }
});

test('8 rejected rows without a header keep their preamble and their columns', async (t) => {
  const { world, cwd, run, write, read: readBack } = await openDesk(t);
  const fields = {
    date: '#1',
    description: '#2',
    amount: '#3',
    externalId: { made: ['#1', '#2', '#3'] },
  };
  const document = { delimiter: ',', headerless: { columns: 3, skipLines: 1 }, fields };
  writeFileSync(join(cwd, 'm.json'), JSON.stringify(document));
  write('a.csv', 'Export of today\n2016-01-30,Tea,1\n2016-02-31,Milk,2\n');
  const args = ['--url', world.url, '--map', 'm.json', '--json'];
  assert.equal((await run(['a.csv', ...args])).exitCode, 3);
  const rejected = readBack('a.rejected.csv');
  assert.match(rejected, /^Export of today\n2016-02-31,Milk,2,3,invalid_date,"#1 \(date\): /);
  write('a.rejected.csv', rejected.replace('02-31', '02-28'));
  const again = await run(['a.rejected.csv', ...args]);
  assert.deepEqual(metaOf(again), counts(1, 1, 0, 0), again.stderr);
});

function decode(path: string, encoding: (typeof ENCODINGS)[number]): string {
  return decodeBytes(readFileSync(path), encoding) ?? '';
}

test('8 skipped lines and the number of rows are known before the first one is sent', async (t) => {
  const { cwd, write } = await openDesk(t);
  write('a.csv', 'i,d,t,a\nA,2016-01-30,Tea,1.5\nB,2016-01-31,Milk,2\n,,Total,3.5\n');
  const document = { fields: { ...TEXTS, amount: 'a' }, notRows: [{ begins: 'Total' }] };
  const progress = new Notes();
  let sent = 0;
  const { exitCode } = await runPush({
    file: rowFile('a.csv', { cwd, mapping: await mappingOf(document) }),
    sender: {
      async push(rows) {
        for await (const _ of rows) {
          const skipped = 'line 4 is not a row: it begins with "Total" (Total,3.5)';
          const read = 'Read: 2 rows, 2016-01-30 to 2016-01-31, money out 3.50, money in 0.00.';
          assert.deepEqual([progress.total, progress.notes], [2, [read, skipped]]);
          sent += 1;
        }
        return noCounts(true);
      },
    },
    dryRun: true,
    rejectedPath: undefined,
    progress,
    io: { onInterrupt: () => () => {} },
  });
  assert.deepEqual([exitCode, sent], [0, 2]);
});

/** Keeps what a push says instead of showing it. */
class Notes extends Progress {
  total: number | undefined;
  readonly notes: string[] = [];

  constructor() {
    const [stdout, stderr] = [new Sink(), new Sink()];
    const onInterrupt = () => () => {};
    super(
      { stdin: process.stdin, stdout, stderr, env: {}, monotonicMs: () => 0, cwd: '', onInterrupt },
      { quiet: true },
    );
  }

  override expect(total: number): void {
    this.total = total;
  }

  override note(text: string): void {
    this.notes.push(text);
  }
}
