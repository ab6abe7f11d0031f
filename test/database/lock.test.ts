import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Failure } from '../../src/core/failures.ts';
import { takeLock } from '../../src/database/lock.ts';

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

  it('is not taken through a symbolic link', (context) => {
    const folder = openFolder(context);
    writeFileSync(join(folder, 'other'), 'precious', { mode: 0o644 });
    symlinkSync('other', join(folder, 'lock'));
    assert.throws(() => takeLock(join(folder, 'lock')), /symbolic link. Remove it/);
    assert.equal(statSync(join(folder, 'other')).mode & 0o777, 0o644);
  });

  it('fails with advice if the file cannot be created', (context) => {
    const folder = openFolder(context);
    assert.throws(
      () => takeLock(folder),
      (error) => error instanceof Failure && /Give this user write permission/.test(error.message),
    );
    assert.throws(
      () => takeLock(join(folder, 'missing', 'x.db-lock')),
      (error) => error instanceof Failure && /Create the folder first\.$/.test(error.message),
    );
  });
});
