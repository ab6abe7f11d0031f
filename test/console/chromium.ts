/** Chromium, where it is installed: as Debian's package, or at the path in CHROMIUM. */

import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { testedBefore } from '../repetitions.ts';
import { PASSWORD } from './office.ts';

const PLACES = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const executablePath = PLACES.find((path) => path !== '' && existsSync(path));

/** Why tests with a browser are skipped; false where it is installed, unless they ran before. */
export const skip = executablePath === undefined ? 'Chromium is not installed' : testedBefore;

/** For whatever a page has to do: a busy machine is slow. */
const PATIENCE_MS = 300_000;

/** Starts it. */
export async function launch(): Promise<Chromium> {
  const args = ['--no-sandbox', '--disable-background-networking', '--disable-quic'];
  const timeout = PATIENCE_MS;
  return new Chromium(
    await chromium.launch({ executablePath: executablePath ?? '', args, timeout }),
  );
}

/** A browser that notes what goes wrong in its pages. */
export class Chromium {
  readonly #browser: Browser;

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  /** A page of its own. Errors, and requests to other hosts, are put into `faults`. */
  async open(options: BrowserContextOptions, faults: string[]): Promise<Page> {
    const context = await this.#browser.newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
    page.on('request', (request) => {
      if (!/^(?:data:|http:\/\/127\.0\.0\.1:)/.test(request.url())) faults.push(request.url());
    });
    return page;
  }

  /** A page whose user has signed in. */
  async signIn(
    url: string,
    options: BrowserContextOptions,
    faults: string[],
    email = 'owner@example.org',
  ): Promise<Page> {
    const page = await this.open(options, faults);
    await page.goto(`${url}/sign-in`);
    await page.fill('[name=email]', email);
    await page.fill('[name=password]', PASSWORD);
    await page.click('button');
    // Else the next page could be asked for first, and then never loads.
    await page.waitForURL((at) => at.pathname !== '/sign-in');
    return page;
  }
}

/** Chooses a budget line: from the list, or in the field that the script puts in its place. */
export async function chooseLine(select: Locator, label: string): Promise<void> {
  await select.waitFor({ state: 'attached' });
  // Then the script has done that.
  await select.page().waitForLoadState('load');
  if (await select.isVisible()) {
    const isList = await select.evaluate(({ tagName }) => tagName === 'SELECT');
    await (isList ? select.selectOption({ label }) : select.fill(label));
    return;
  }
  const field = select.locator('xpath=preceding-sibling::*[1]').getByRole('combobox');
  await field.fill(label);
  await field.press('Enter');
}
