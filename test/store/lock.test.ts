import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Failure } from '../../src/core/failures.ts';
import { takeLock } from '../../src/store/lock.ts';

function openFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-lock-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('a lock', () => {
  it('has one holder at a time, and can be taken again after its release', (context) => {
    const folder = openFolder(context);
    const file = join(folder, 'lock');
    const unlock = takeLock(file);
    assert.ok(unlock);
    assert.equal(takeLock(file), undefined);
    const other = takeLock(join(folder, 'other'));
    assert.ok(other);
    other();
    unlock();
    const again = takeLock(file);
    assert.ok(again);
    again();
  });

  it('creates only an empty file', (context) => {
    const folder = openFolder(context);
    const unlock = takeLock(join(folder, 'lock'));
    assert.deepEqual(readdirSync(folder), ['lock']);
    assert.equal(statSync(join(folder, 'lock')).size, 0);
    unlock?.();
    assert.deepEqual(readdirSync(folder), ['lock']);
  });

  it('fails with advice if the file cannot be created', (context) => {
    const folder = openFolder(context);
    assert.throws(
      () => takeLock(folder),
      (error) => error instanceof Failure && /Give this user write permission/.test(error.message),
    );
  });
});
