/** The bundler's messages: a warning about the code ends the build, a slow machine does not. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { build, type Plugin } from 'rolldown';
import { IS_SLOW } from './repetitions.ts';
import { ROOT } from './repository.ts';

/** From this on, Rolldown says how long plug-ins took. */
const SLOW_BUILD_MS = 3_000;

describe('a build', () => {
  it('ends with a warning about the code', async () => {
    await assert.rejects(bundle("import 'missing'; export const one = 1;"), /missing/);
  });

  it('continues when a plug-in only says something', async () => {
    const plugin: Plugin = {
      name: 'talks',
      buildStart() {
        this.info('Nothing is wrong.');
      },
    };
    assert.match(await bundle('export const one = 1;', plugin), /one/);
  });

  it('continues when a plug-in is slow', { skip: !IS_SLOW && 'slow' }, async () => {
    const load = async () => {
      await sleep(SLOW_BUILD_MS + 200);
      return null;
    };
    assert.match(await bundle('export const one = 1;', { name: 'slow', load }), /one/);
  });
});

/** The bundle of a module, with the options of `bundle.js`. */
async function bundle(code: string, ...more: Plugin[]): Promise<string> {
  const { input } = await import(`${ROOT}bundling.js`);
  const { plugins, ...options } = input();
  const module: Plugin = {
    name: 'module',
    resolveId: (id) => (id === 'entry' ? id : null),
    load: (id) => (id === 'entry' ? code : null),
  };
  const result = await build({
    ...options,
    input: 'entry',
    plugins: [...more, module, ...plugins],
    write: false,
  });
  return result.output[0].code;
}
