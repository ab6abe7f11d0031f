/**
 * Chromium, where it is installed: as one of Debian's packages, or at the path in CHROMIUM. Its
 * headless shell does the same for four fifths of the CPU.
 */

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

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser'];
const PLACES = [process.env['CHROMIUM'] ?? '', ...NAMES.map((name) => `/usr/bin/${name}`)];
const executablePath = PLACES.find((path) => path !== '' && existsSync(path));

/** Why tests with a browser are skipped; false where it is installed, unless they ran before. */
export const skip = executablePath === undefined ? 'Chromium is not installed' : testedBefore;

/** For whatever a page has to do: a busy machine is slow. */
const PATIENCE_MS = 300_000;

/**
 * What costs much and shows nothing: pages of its address bar in each window, a process in reserve,
 * and compiling scripts for speed that run for a second. This list takes the place of Playwright's,
 * so it begins with what that has.
 */
const WITHOUT = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'AimEnabled'],
  ...['OptimizationHints', 'NetworkTimeServiceQuerying', 'PreconnectToSearch'],
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'],
];
/** The size of a window of which nothing is said. */
const WINDOW = { width: 1280, height: 720 };

const ARGS = [
  ...['--no-sandbox', '--disable-background-networking', '--disable-quic', '--in-process-gpu'],
  `--disable-features=${WITHOUT.join(',')}`,
  '--js-flags=--no-opt,--no-maglev,--always-sparkplug',
];

/** Starts it. */
export async function launch(): Promise<Chromium> {
  const options = { executablePath: executablePath ?? '', args: ARGS, timeout: PATIENCE_MS };
  return new Chromium(await chromium.launch(options));
}

/** A browser that notes what goes wrong in its pages. */
export class Chromium {
  readonly #browser: Browser;
  /** The options of each page, apart from the size of its window. */
  readonly #kinds = new WeakMap<Page, string>();
  /** Pages that were left. */
  readonly #left: Page[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  /** A page of its own. Errors, and requests to other hosts, are put into `faults`. */
  async open(options: BrowserContextOptions, faults: string[]): Promise<Page> {
    const { viewport, ...others } = options;
    const kind = JSON.stringify(others);
    const at = this.#left.findIndex((each) => this.#kinds.get(each) === kind);
    const [left] = at < 0 ? [] : this.#left.splice(at, 1);
    const page = left ?? (await this.#make(options));
    this.#kinds.set(page, kind);
    if (left !== undefined) await left.setViewportSize(viewport ?? WINDOW);
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
    page.on('request', (request) => {
      if (!/^(?:data:|http:\/\/127\.0\.0\.1:)/.test(request.url())) faults.push(request.url());
    });
    return page;
  }

  async #make(options: BrowserContextOptions): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: WINDOW, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    return context.newPage();
  }

  /** A page whose user has signed in. */
  async signIn(
    url: string,
    options: BrowserContextOptions,
    faults: string[],
    email = 'owner@example.org',
  ): Promise<Page> {
    const page = await this.open(options, faults);
    const form = { email, password: PASSWORD };
    const headers = { 'sec-fetch-site': 'same-origin' };
    const answer = await page.request.post(`${url}/sign-in`, { form, headers, maxRedirects: 0 });
    if (answer.status() !== 303) throw new Error(`not signed in: ${answer.status()}`);
    return page;
  }

  /**
   * Leaves a page to another test with the same options, because a window costs more than a page.
   * That test's service is another origin. A page that was given a clock or scripts is closed.
   */
  async leave(page: Page): Promise<void> {
    page.removeAllListeners();
    // As the page goes itself, it keeps its process.
    await Promise.all([page.waitForURL('about:blank'), page.evaluate(`location = 'about:blank'`)]);
    await page.context().clearCookies();
    this.#left.push(page);
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
