/** The bundle that users run, where most tests import single modules. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as clientSource from '../src/client/index.ts';
import * as source from '../src/index.ts';
import { readText } from './repository.ts';

describe('the bundle', () => {
  const SERVICE = ['database.js', 'driver.js', 'rolldown-runtime.js', 'service.js'];
  const cases: [what: string, entries: string[], loaded: string[]][] = [
    ['what every Node must be able to read', ['driver.js'], ['driver.js']],
    ['the help', ['main.js'], ['database.js', 'driver.js', 'main.js']],
    ['budgetd serve', ['serve.js', 'service.js'], [...SERVICE, 'main.js', 'serve.js']],
    ['the library', ['index.js'], ['index.js', ...SERVICE]],
    ['the client', ['client.js'], ['client.js']],
  ];
  for (const [what, entries, loaded] of cases) {
    it(`${what}: loads ${loaded.length} files, and no package`, () => {
      assert.deepEqual(listLoaded(entries), loaded.sort());
    });
  }

  it('exports what the sources export', async () => {
    for (const [file, { ...names }] of Object.entries({ index: source, client: clientSource })) {
      const bundled = await import(new URL(`../bundle/${file}.js`, import.meta.url).href);
      assert.deepEqual(Object.keys(bundled).sort(), Object.keys(names).sort());
    }
  });
});

/** These files and all that loads with them, but no modules of Node, sorted. */
function listLoaded(entries: readonly string[]): string[] {
  const loaded = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (loaded.has(file) || file.startsWith('node:')) continue;
    loaded.add(file);
    const text = file.endsWith('.js') ? readText(`dist/bundle/${file}`) : '';
    const imports = text.matchAll(/^(?:import|export)\b[^;]*?"([^"]+)";$/gm);
    for (const [, target = ''] of imports) waiting.push(target.replace('./', ''));
  }
  return [...loaded].sort();
}
