/**
 * `npm run shots -- [FOLDER]`: pictures of the console's pages, of a phone and a desktop, light and
 * dark, with the payments of `budgetd demo`.
 */

import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { createClient } from '../../src/client/index.ts';
import { launch, skip } from './chromium.ts';

const ROOT = new URL('../../../', import.meta.url);
const PAYMENTS = fileURLToPath(new URL('data/oxford-2015-16/2015-q2.csv', ROOT));
const OPEN_FILE = `Posted,Reference,Details,Value
01/02/2016,R1,Rent,1200.00
03/04/2016,R2,Refund,-20.50
`;
/** Allocated transactions whose amount changes, to be reviewed. */
const REVIEWS = 6;

const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } };
const SCHEMES = ['light', 'dark'] as const;

/** The demo, its addresses and its key. */
async function startDemo() {
  const program = fileURLToPath(new URL('bin/budgetd', ROOT));
  const demo = spawn(process.execPath, [program, 'demo', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  for await (const chunk of demo.stdout) {
    text += String(chunk);
    const [, url = '', link] = /(http:\/\/[\d.:]+)(\/sign-in\?\S+|\/set-up\?\S+)/.exec(text) ?? [];
    const [key] = /bdg_\w+/.exec(text) ?? [];
    if (link === undefined || key === undefined) continue;
    demo.stdout.resume();
    return { demo, url, link: url + link, key };
  }
  throw new Error(`the demo ended:\n${text}`);
}

async function makeReviews(url: string, key: string): Promise<void> {
  const client = createClient({ url, key });
  const { data } = await client.transactions.list({ status: ['allocated'], limit: REVIEWS });
  const rows = data.flatMap(({ externalId, amount, ...row }, at) => {
    if (externalId === null) return [];
    const { date, description, contact, accountCode } = row;
    const changed = Math.round(amount * (90 + 5 * at)) / 100;
    return [{ externalId, date, description, contact, accountCode, amount: changed }];
  });
  await client.push(rows);
}

type Visit = (page: Page, url: string) => Promise<unknown>;

const go =
  (path: string): Visit =>
  (page, url) =>
    page.goto(url + path);

/** Goes to a page and follows its first link like this. */
const follow =
  (path: string, link: string): Visit =>
  async (page, url) => {
    await page.goto(url + path);
    const target = await page.locator(link).first().getAttribute('href');
    await page.goto(new URL(target ?? '', page.url()).href);
  };

const upload =
  (file: string | { name: string; mimeType: string; buffer: Buffer }): Visit =>
  async (page, url) => {
    await page.goto(`${url}/import`);
    await page.setInputFiles('[name=file]', file);
    await page.click('main button.primary');
  };

const PICTURES: Readonly<Record<string, Visit>> = {
  home: go('/'),
  transactions: go('/transactions'),
  transaction: follow('/transactions', 'tbody .row-link'),
  'allocate-by-code': go('/transactions/by-code'),
  review: go('/review'),
  projects: go('/projects'),
  report: follow('/projects', 'tbody a[href^="/projects/"]'),
  'report-quarterly': async (page, url) => {
    await PICTURES['report']?.(page, url);
    await page.goto(`${page.url()}?by=quarters`);
  },
  'project-edit': async (page, url) => {
    await PICTURES['report']?.(page, url);
    await page.goto(`${page.url()}/edit`);
  },
  'import-choose': go('/import'),
  import: upload({ name: 'bank.csv', mimeType: 'text/csv', buffer: Buffer.from(OPEN_FILE) }),
  'import-ready': upload(PAYMENTS),
  keys: go('/settings/keys'),
  'key-new': go('/settings/keys/new'),
  users: go('/settings/users'),
  organisation: go('/settings/organisation'),
  backups: go('/settings/backups'),
  account: go('/account'),
  activity: go('/activity'),
  error: go('/nothing'),
};

async function takeShots(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const [{ demo, url, link, key }, browser] = await Promise.all([startDemo(), launch()]);
  try {
    await makeReviews(url, key);
    const faults: string[] = [];
    const first = await browser.open({}, faults);
    await first.goto(link);
    await first.click('main button').catch(() => {});
    const storageState = await first.context().storageState();
    for (const [size, viewport] of Object.entries(SIZES)) {
      for (const colorScheme of SCHEMES) {
        const options: BrowserContextOptions = { viewport, colorScheme, locale: 'en-GB' };
        const stranger = await browser.open(options, faults);
        await stranger.goto(`${url}/sign-in`);
        const page = await browser.open({ ...options, storageState }, faults);
        const save = (of: Page, name: string) =>
          of.screenshot({
            path: join(folder, `${name}-${size}-${colorScheme}.png`),
            fullPage: true,
          });
        await save(stranger, 'sign-in');
        for (const [name, visit] of Object.entries(PICTURES)) {
          await visit(page, url);
          await save(page, name);
          process.stderr.write(`${name}-${size}-${colorScheme}\n`);
        }
      }
    }
    // One of the pages is an error.
    const others = faults.filter((fault) => !fault.includes('/nothing:'));
    for (const fault of others) process.stderr.write(`${fault}\n`);
  } finally {
    await browser.close();
    demo.kill('SIGINT');
  }
}

if (skip !== false) throw new Error(`${skip}: apt-get install chromium, or set CHROMIUM.`);
await takeShots(process.argv[2] ?? 'dist/shots');
