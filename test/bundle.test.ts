/** The bundle that users run, where most tests import single modules. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as clientSource from '../src/client/index.ts';
import * as source from '../src/index.ts';
import { readText } from './repository.ts';
import { until } from './upkeep/until.ts';

describe('the bundle', () => {
  const MAIN = ['database.js', 'driver.js', 'main.js', 'words.js'];
  const SERVICE = [
    ...['core.js', 'database.js', 'driver.js', 'rolldown-runtime.js', 'service.js', 'words.js'],
  ];
  const cases: [what: string, entries: string[], loaded: string[]][] = [
    ['what every Node must be able to read', ['driver.js'], ['driver.js']],
    ['the command line', ['main.js'], MAIN],
    ['budgetd serve', ['serve.js', 'service.js'], [...SERVICE, 'main.js', 'serve.js']],
    ['the library', ['index.js'], ['index.js', ...SERVICE]],
    ['the client', ['client.js'], ['client.js']],
    ['the thread of checkpoints', ['checkpoint-worker.js'], ['checkpoint-worker.js', 'driver.js']],
  ];
  for (const [what, entries, loaded] of cases) {
    it(`${what}: loads ${loaded.length} files, and no package`, () => {
      assert.deepEqual(listLoaded(entries), loaded.sort());
    });
  }

  it('has the service and its pages in files that a push does not load', () => {
    const loaded = listLoaded(['push.js']);
    assert.ok(loaded.includes('runner.js'));
    assert.ok(!loaded.includes('service.js') && !loaded.includes('routes.js'), loaded.join());
  });

  it('exports what the sources export', async () => {
    for (const [file, { ...names }] of Object.entries({ index: source, client: clientSource })) {
      const bundled = await import(new URL(`../bundle/${file}.js`, import.meta.url).href);
      assert.deepEqual(Object.keys(bundled.default).sort(), Object.keys(names).sort());
    }
  });
});

/** Of each row, so that the WAL gets as long as it has to be for a checkpoint. */
const MEMO = 'x'.repeat(7_500);

/** If it were missing, commits would make the checkpoints, and nothing would show it. */
it('the bundled service finds its thread of checkpoints', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-bundle-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const database = join(folder, 'budgetd.db');
  const bundle = new URL('../bundle/index.js', import.meta.url).href;
  const { createService }: typeof source = await import(bundle);
  const service = await createService({ database, create: true });
  const { id } = service.organisations.create({ name: 'Test', baseCurrency: 'GBP' });
  const bytes = statSync(database).size;
  for (const batch of 'abcdefghijklm') {
    const rows = Array.from({ length: 500 }, (_, index) => {
      const externalId = `${batch}-${index}`;
      return { externalId, date: '2026-01-31', description: 'Rent', amount: 1, memo: MEMO };
    });
    assert.equal(service.transactions.push(id, rows).meta.created, 500);
  }
  // A checkpoint.
  await until(() => statSync(database).size !== bytes);
  await service.close();
});

/** These files and all that loads with them, but no modules of Node, sorted. */
function listLoaded(entries: readonly string[]): string[] {
  const loaded = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (loaded.has(file) || file.startsWith('node:')) continue;
    loaded.add(file);
    const text = file.endsWith('.js') ? readText(`dist/bundle/${file}`) : '';
    const loads = text.matchAll(/^(?:\w+ \w+ = )?require\("(?!\.\.\/)([^"]+)"\)/gm);
    for (const [, target = ''] of loads) waiting.push(target.replace('./', ''));
  }
  return [...loaded].sort();
}
