/** Users with a second factor, for tests. */

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { codeAt } from '../../src/operations/one-time-codes.ts';
import { addUser, Browser, type Office, openOffice, PASSWORD } from './office.ts';

export const FACTOR_PAGE = '/account/second-factor';
export const CODE_PAGE = '/sign-in/code';
export const ADA = 'owner@example.org';
export const BOB = 'member@example.org';
export const STEP_MS = 30_000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What an authenticator has: its secret, and the clock of the service. */
export class Authenticator {
  readonly #clock: Office['clock'];
  secret = Buffer.alloc(0);

  constructor({ clock }: Office) {
    this.#clock = clock;
  }

  /** Takes the secret that a page shows. */
  scan(text: string): void {
    const [, shown = ''] = /id="secret">([A-Z2-7 ]+)</.exec(text) ?? [];
    const bits = [...shown.replaceAll(' ', '')].map((letter) => {
      return BASE32.indexOf(letter).toString(2).padStart(5, '0');
    });
    this.secret = Buffer.from(
      (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)),
    );
    assert.equal(this.secret.length, 20);
  }

  /** The code of a step that was not used before. */
  next(): string {
    this.#clock.nowMs += STEP_MS;
    return this.code();
  }

  code(): string {
    return codeAt(this.secret, Math.floor(this.#clock.nowMs / STEP_MS));
  }
}

/** Sets up a second factor, and returns the authenticator and the recovery codes. */
export async function setUp(office: Office, browser: Browser) {
  const authenticator = new Authenticator(office);
  authenticator.scan((await browser.get(FACTOR_PAGE)).text);
  const done = await browser.send(FACTOR_PAGE, { do: 'set-up', code: authenticator.next() });
  assert.equal(done.status, 303);
  const { text } = await browser.get(done.location ?? '');
  const codes = [...text.matchAll(/<code>([\w-]{9})<\/code>/g)].map(([, code = '']) => code);
  assert.equal(codes.length, 10);
  assert.match(text, />Copy<[\s\S]*>Download<[\s\S]*data-print[^>]*>Print</);
  return { authenticator, codes, place: done.location ?? '' };
}

export async function openHouse(test: TestContext, options: Parameters<typeof openOffice>[1] = {}) {
  const office = await openOffice(test, options);
  await addUser(office, 'owner', ADA);
  await addUser(office, 'member', BOB);
  const access = office.service.access(office.org);
  return { office, access, ada: await Browser.of(office, ADA) };
}

/** Types a password, and returns a browser that is asked for a code. */
export async function half(office: Office, email = ADA, to?: string): Promise<Browser> {
  const browser = new Browser(office);
  const fields = { email, password: PASSWORD, ...(to !== undefined && { to }) };
  const { status, location } = await browser.send('/sign-in', fields);
  assert.equal(status, 303);
  assert.equal(location?.split('?')[0], CODE_PAGE);
  assert.ok(!browser.cookies.has('budgetd'), 'a session before the code');
  return browser;
}
