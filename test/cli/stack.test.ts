import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stackOf } from '../../src/cli/stack.ts';
import { ROOT, readText } from '../repository.ts';
import { startProgram } from './program.ts';

test('the stack of the program has the places in the sources', async (t) => {
  const program = startProgram(t, ['projects', 'list', '--db', 'missing.db'], {
    cwd: ROOT,
    env: { BUDGETD_DEBUG: '1' },
  });
  const { stderr } = await program.ended;
  const places = [...stderr.matchAll(/^ +at .*?\b(src\/\S+\.ts):(\d+):(\d+)\)?$/gm)];
  const code = places.map(([, file = '', line, column]) =>
    readText(file)
      .split('\n')
      [Number(line) - 1]?.slice(Number(column) - 1),
  );
  assert.match(code[0] ?? '', /^new Failure\(/);
  assert.ok(
    code.some((text) => text?.startsWith('createService(options)')),
    code.join('\n'),
  );
  assert.doesNotMatch(stderr, /dist\/bundle/);
});

test('a place that no source map knows stays as it is', () => {
  const error = new Error('Oops');
  error.stack = 'at a (/x/dist/bundle/service.js:1:2)\nat b (/x/own.js:3:4)';
  assert.equal(stackOf(error), error.stack);
});
