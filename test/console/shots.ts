/**
 * `npm run shots -- [FOLDER]`: pictures of the console's pages, of a phone and a desktop, light and
 * dark, with the payments of `budgetd demo`. `npm run shots -- --readme` takes those of the README.
 */

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { createService } from '../../src/index.ts';
import { createSetUpLink } from '../../src/operations/links.ts';
import { type Chromium, chooseLine, launch, skip } from './chromium.ts';
import { PASSWORD } from './office.ts';
import { PICTURES_FOLDER, SHAPE_FILE, shapeOfReport } from './pictures.ts';

const ROOT = new URL('../../../', import.meta.url);
const PAYMENTS = fileURLToPath(new URL('data/oxford-2015-16/2015-q2.csv', ROOT));
const OPEN_FILE = `Posted,Reference,Details,Value
01/02/2016,R1,Rent,1200.00
03/04/2016,R2,Refund,-20.50
`;

const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } };
const SCHEMES = ['light', 'dark'] as const;

/** The demo and its addresses. */
async function startDemo() {
  const program = fileURLToPath(new URL('bin/budgetd', ROOT));
  const demo = spawn(process.execPath, [program, 'demo', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  // Not destroyed afterwards: the demo ends with its reader.
  for await (const chunk of demo.stdout.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    const [, url = '', link] = /(http:\/\/[\d.:]+)(\/sign-in\?\S+|\/set-up\?\S+)/.exec(text) ?? [];
    if (link === undefined) continue;
    demo.stdout.resume();
    return { demo, url, link: url + link };
  }
  throw new Error(`the demo ended:\n${text}`);
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
  transaction: follow('/transactions', 'tbody .what a'),
  'allocate-by-code': go('/rules/run?only=code'),
  review: go('/review'),
  'allocate-many': async (page, url) => {
    await page.goto(`${url}/transactions?tab=allocated`);
    for (const box of (await page.locator('tbody input').all()).slice(0, 3)) await box.check();
    const line = page.locator('[name=line]');
    await chooseLine(line, (await line.locator('option').nth(1).textContent()) ?? '');
    await page.click('.bulk button');
  },
  claim: go('/transactions/by-code/claim?code=D9999'),
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
  'budget-line': async (page, url) => {
    await PICTURES['project-edit']?.(page, url);
    await page.click('tbody .link');
  },
  paste: async (page, url) => {
    await PICTURES['report']?.(page, url);
    await page.goto(`${page.url()}/paste`);
  },
  statements: async (page, url) => {
    await PICTURES['report']?.(page, url);
    await page.goto(`${page.url()}/statements`);
  },
  'statement-draft': async (page, url) => {
    await PICTURES['statements']?.(page, url);
    await page.goto(`${page.url()}/new`);
  },
  'statement-fault': async (page, url) => {
    await PICTURES['statement-draft']?.(page, url);
    await page.click('details.confirm summary');
    await page.click('[value=issue]');
    await page.waitForSelector('.problem');
  },
  'statement-issued': async (page, url) => {
    await PICTURES['statements']?.(page, url);
    const issued = page.locator('tbody a[href$="/1"]');
    // Issued for the first picture.
    if ((await issued.count()) === 0) {
      await PICTURES['statement-draft']?.(page, url);
      await page.click('details.confirm summary');
      const without = page.locator('[name=without]');
      if ((await without.count()) > 0) await without.check();
      await page.click('[value=issue]');
    } else await issued.click();
    await page.waitForSelector('.hash');
  },
  'statement-print': async (page, url) => {
    await PICTURES['statement-issued']?.(page, url);
    await page.goto(`${page.url()}/print`);
  },
  'statement-changed': async (page, url) => {
    await PICTURES['statement-issued']?.(page, url);
    await page.goto(`${page.url()}/changed`);
  },
  rules: go('/rules'),
  'rule-edit': go('/rules/new?contact=Ann'),
  'rule-run': go('/rules/run'),
  'import-choose': go('/import'),
  import: upload({ name: 'bank.csv', mimeType: 'text/csv', buffer: Buffer.from(OPEN_FILE) }),
  'import-ready': upload(PAYMENTS),
  keys: go('/settings/keys'),
  'key-new': go('/settings/keys/new'),
  users: go('/settings/users'),
  'user-new': go('/settings/users/new'),
  organisation: go('/settings/organisation'),
  backups: go('/settings/backups'),
  account: go('/account'),
  activity: go('/activity'),
  help: go('/help'),
  error: go('/nothing'),
  'sign-in': async (page, url) => {
    await page.context().clearCookies();
    await page.goto(`${url}/sign-in`);
  },
};

/** What only a new service shows, in this order. */
const BEGINNING: Readonly<Record<string, Visit>> = {
  'set-up': async (page) => {
    await page.fill('[name=name]', 'Riverside Trust');
    await page.fill('[name=email]', 'owner@example.org');
    await page.fill('[name=password]', 'password');
    await page.click('main button');
    await page.waitForSelector('.problem');
  },
  'first-run': async (page) => {
    await page.selectOption('[name=currency]', 'GBP');
    await page.fill('[name=password]', PASSWORD);
    await page.click('main button');
    await page.waitForSelector('header');
  },
  'key-made': async (page, url) => {
    await page.goto(`${url}/settings/keys/new`);
    await page.fill('[name=name]', 'ERP');
    for (const box of await page.locator('input[type=checkbox]').all()) await box.check();
    await page.click('main form button.primary');
    await page.waitForSelector('#secret');
  },
};

async function takeBeginning(
  browser: Chromium,
  options: BrowserContextOptions,
  save: (page: Page, name: string) => Promise<unknown>,
): Promise<void> {
  const service = await createService({ database: ':memory:' });
  const { url } = await service.listen({ port: 0 });
  try {
    const page = await browser.open(options, []);
    await page.goto(`${url}/set-up?token=${createSetUpLink(service.source, service.actor())}`);
    for (const [name, visit] of Object.entries(BEGINNING)) {
      await visit(page, url);
      await save(page, name);
    }
  } finally {
    await service.close();
  }
}

type State = NonNullable<BrowserContextOptions['storageState']>;

/** Works with a demo whose user has signed in. */
async function withDemo(
  work: (browser: Chromium, url: string, storageState: State) => Promise<void>,
): Promise<void> {
  const [{ demo, url, link }, browser] = await Promise.all([startDemo(), launch()]);
  try {
    const first = await browser.open({}, []);
    await first.goto(link);
    await first.click('main button').catch(() => {});
    await work(browser, url, await first.context().storageState());
  } finally {
    await browser.close();
    demo.kill('SIGINT');
  }
}

/** The pictures of the README, and what the page is like of which they are. */
async function takeForReadme(): Promise<void> {
  mkdirSync(PICTURES_FOLDER, { recursive: true });
  await withDemo(async (browser, url, storageState) => {
    for (const colorScheme of SCHEMES) {
      const viewport = { width: 1100, height: 650 };
      const page = await browser.open({ viewport, colorScheme, locale: 'en-GB', storageState }, []);
      await PICTURES['report']?.(page, url);
      await page.screenshot({ path: `${PICTURES_FOLDER}/report-${colorScheme}.png` });
    }
  });
  const ends: (() => unknown)[] = [];
  writeFileSync(SHAPE_FILE, `${await shapeOfReport({ after: (work) => ends.push(work) })}\n`);
  for (const end of ends.reverse()) await end();
}

async function takeShots(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await withDemo(async (browser, url, storageState) => {
    const faults: string[] = [];
    for (const [size, viewport] of Object.entries(SIZES)) {
      for (const colorScheme of SCHEMES) {
        const options: BrowserContextOptions = { viewport, colorScheme, locale: 'en-GB' };
        const page = await browser.open({ ...options, storageState }, faults);
        const save = async (of: Page, name: string) => {
          const path = join(folder, `${name}-${size}-${colorScheme}.png`);
          await of.screenshot({ path, fullPage: true });
          process.stderr.write(`${path}\n`);
        };
        await takeBeginning(browser, options, save);
        for (const [name, visit] of Object.entries(PICTURES)) {
          await visit(page, url);
          await save(page, name);
        }
      }
    }
    // One of the pages is an error.
    const others = faults.filter((fault) => !fault.includes('/nothing:'));
    for (const fault of others) process.stderr.write(`${fault}\n`);
  });
}

if (skip !== false) throw new Error(`${skip}: apt-get install chromium, or set CHROMIUM.`);
const [, , folder = 'dist/shots'] = process.argv;
await (folder === '--readme' ? takeForReadme() : takeShots(folder));
