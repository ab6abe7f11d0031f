/** An office in which an admin imports files. */

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { ServiceOptions } from '../../src/index.ts';
import { listTransactions } from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { openDesk } from './desk.ts';
import type { Browser, Shown } from './office.ts';

export async function openImport(test: TestContext, options: Partial<ServiceOptions> = {}) {
  const desk = await openDesk(test, 'admin', options);
  const { browser, access } = desk;
  const send = (name: string, text: string | Uint8Array) => browser.upload(name, text);
  /** Chooses a file, and shows its page. */
  const choose = async (name: string, text: string | Uint8Array) => {
    const { status, location } = await send(name, text);
    assert.equal(status, 303);
    return { path: location ?? '', page: await browser.get(location ?? '') };
  };
  const imported = () =>
    finish(listTransactions(access, { limit: 100 })).items.filter(
      ({ provider }) => provider === 'csv',
    );
  return { ...desk, send, choose, imported };
}

/** Follows a redirect. */
export async function follow(browser: Browser, { status, location }: Shown): Promise<Shown> {
  assert.equal(status, 303);
  return browser.get(location ?? '');
}
