/**
 * A Monday morning: payments of a bank to allocate, by keys alone: 200 to 24 payees, or 500 to 60
 * in a file of 100,000 transactions. Who presses the keys knows to which budget line each payee
 * goes, and sees the page.
 */

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { formatId } from '../../src/core/ids.ts';
import { allocations, listAllocations } from '../../src/operations/allocations.ts';
import { changeMany, inSteps } from '../../src/operations/changes.ts';
import { listAll } from '../../src/operations/pages.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { countTransactions, listTransactions } from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { IS_HEAVY, IS_SLOW, repetitions } from '../repetitions.ts';
import { skip } from './chromium.ts';
import { push } from './desk.ts';
import { addUser, openOffice } from './office.ts';
import { openChromium } from './shared-chromium.ts';

/** The lines of the budget, each with what its payees are called. */
const LINES: Readonly<Record<string, string>> = {
  Rent: 'RIVERSIDE ESTATES,SCOUT HUT LETTINGS',
  'Heat and light': 'BRITISH GAS,EON NEXT,CASTLE WATER',
  Insurance: 'ZURICH INSURANCE,ECCLESIASTICAL',
  Cleaning: 'BRIGHT HYGIENE,MOP AND CO',
  Repairs: 'TOOLSTATION,J PATEL PLUMBING,SCREWFIX',
  Stationery: 'STAPLES UK,RYMAN,VIKING OFFICE',
  Postage: 'POST OFFICE COUNTER,ROYAL MAIL',
  'Telephone and internet': 'BT GROUP,VOIPFONE,EE LIMITED',
  Software: 'MICROSOFT IRELAND,ADOBE,DROPBOX',
  'Bank charges': 'COMMISSION,SUMUP FEES,STRIPE',
  Audit: 'HILL AND PRICE ACCOUNTANTS',
  Salaries: 'PAYROLL BACS,HMRC PAYE',
  Pensions: 'NEST PENSION,SMART PENSION',
  Training: 'RED CROSS TRAINING,NCVO',
  Travel: 'TRAINLINE,STAGECOACH,NATIONAL EXPRESS',
  Minibus: 'SHELL GARAGE,KWIK FIT,DVLA',
  Food: 'TESCO STORES,ALDI,FARESHARE,GREGGS',
  Equipment: 'ARGOS,DECATHLON,CURRYS',
  'Art materials': 'HOBBYCRAFT,BAKER ROSS',
  Publicity: 'VISTAPRINT,FACEBOOK ADS',
  Events: 'CITY FARM,ODEON,CLIMBING WORKS',
  Volunteers: 'A JONES EXPENSES,M KHAN EXPENSES,L OBRIEN EXPENSES',
  'Legal fees': 'BATES WELLS,COMPANIES HOUSE',
  Subscriptions: 'YOUTH FOCUS,LOCALITY',
};
const PAYEES = Object.entries(LINES).flatMap(([line, names]) =>
  names
    .split(',')
    .slice(0, repetitions(1, 1, 9))
    .map((name) => ({ name, line })),
);
const [WAITING, KNOWN] = repetitions([200, 4_800], [200, 4_800], [500, 99_500]);
/** Keys for a payee after the first one. */
const MOST_KEYS = 4;
/** A key, and thinking of a line, of someone who types like most people: Card, Moran and Newell. */
const [KEY_S, THOUGHT_S] = [0.28, 1.35];

/** What a bank writes of a payment: with a card, a day or a reference, as each payee is paid. */
function textOf(name: string, at: number): string {
  const day = 1 + ((at * 5) % 28);
  const texts = [
    `CARD PAYMENT TO ${name} ${3000 + (at % 7000)} ON ${day} ${at % 3 === 0 ? 'FEB' : 'MAR'}`,
    `DIRECT DEBIT ${name}, REF ${at}X/${day}`,
    `Faster payment ${name} 2026-${day} fp${at}`,
  ];
  return texts[name.length % texts.length] ?? '';
}

/** A file of which 500 transactions wait, and whose others went to a line before. */
async function openBooks(test: TestContext) {
  const office = await openOffice(test);
  const { service, org } = office;
  const access = service.access(org);
  const days = { startDate: '2025-01-01', endDate: '2026-12-31' };
  const budgetLines = Object.keys(LINES).map((name) => ({ name }));
  importProjects(access, { name: 'Youth work', ...days, budgetLines }, service.actor());
  const row = (at: number, date: string) => {
    // Some payees have many payments, others a few.
    const payee = PAYEES[Math.floor(PAYEES.length * ((at * 0.618) % 1) ** 2)] ?? PAYEES[0];
    const description = textOf(payee?.name ?? '', at);
    return { externalId: `${date}-${at}`, date, description, amount: 1 + (at % 9000) / 100 };
  };
  const two = (number: number) => String(number).padStart(2, '0');
  const dateOf = (at: number) => `${2025 + (at % 2)}-${two(1 + (at % 11))}-${two(1 + (at % 28))}`;
  for (let from = 0; from < KNOWN; from += 100) {
    push(
      office,
      Array.from({ length: 100 }, (_, at) => row(from + at, dateOf(from + at))),
    );
  }
  const line = formatId('bln', 1);
  const all = listAll((page) => finish(listTransactions(access, page)));
  const requests = all.map(({ id }) => ({
    transactionId: formatId('txn', id),
    allocations: [{ budgetLineId: line }],
  }));
  const steps = inSteps(requests, (step) => allocations(access, step));
  await changeMany(access, steps, service.actor());
  push(
    office,
    Array.from({ length: WAITING }, (_, at) => {
      return row(KNOWN + at, `2026-12-${two(1 + (at % 28))}`);
    }),
  );
  await addUser(office, 'owner');
  return { ...office, access };
}

/** What the focused row says, the lines that are offered, and whether the same is offered. */
interface Seen {
  readonly row: string;
  readonly offered: readonly string[];
  readonly marked: string | undefined;
  readonly hasOffer: boolean;
}

const SEE = `({
  row: document.activeElement.closest('tr')?.innerText ?? '',
  offered: [...document.activeElement.parentElement.querySelectorAll('.choices li')]
    .map((option) => option.textContent.trim()),
  marked: document.activeElement.parentElement.querySelector('[aria-selected=true]')
    ?.textContent.trim(),
  hasOffer: [...document.querySelectorAll('[data-same]')].some((each) => each.checkVisibility()),
})`;

/** Someone at the keyboard, whose keys and waits are counted. */
class Hands {
  keys = 0;
  waitsMs: number[] = [];
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  see(): Promise<Seen> {
    return this.#page.evaluate(SEE);
  }

  async press(key: string): Promise<void> {
    this.keys += 1;
    await this.#page.keyboard.press(key);
  }

  /** Presses a key that leads to a page, and waits until that can be worked with. */
  async pressAndWait(key: string): Promise<void> {
    const from = performance.now();
    const shown = this.#page.waitForEvent('load');
    await this.press(key);
    await shown;
    this.waitsMs.push(performance.now() - from);
  }
}

/** Types letters of a line until it is marked: its first, then one that others do not have. */
async function choose(hands: Hands, line: string): Promise<void> {
  const others = Object.keys(LINES).slice(0, Object.keys(LINES).indexOf(line));
  const rivals = others.filter((each) => each.slice(0, 2) === line.slice(0, 2));
  const second = [...line.slice(1)].find((letter) => {
    return rivals.every((each) => !each.slice(1).includes(letter));
  });
  const letters = [line.charAt(0), rivals.length === 0 ? line.charAt(1) : (second ?? '')];
  for (const letter of letters) {
    if ((await hands.see()).marked === line) return;
    await hands.press(letter.toLowerCase());
  }
  for (let at = 0; (await hands.see()).marked !== line; at += 1) {
    assert.ok(at < 9, `${line}: ${JSON.stringify(await hands.see())}`);
    await hands.press('ArrowDown');
  }
}

describe('payments on a Monday morning', { skip: skip || !(IS_SLOW || IS_HEAVY) }, () => {
  it('takes at most 4 keys for each payee', async (test) => {
    const { url, access } = await openBooks(test);
    const browser = await openChromium();
    const faults: string[] = [];
    const page = await browser.signIn(url, { viewport: { width: 1280, height: 800 } }, faults);
    await page.goto(`${url}/transactions?tab=open`);
    const hands = new Hands(page);
    await hands.press('a');
    const counts = new Map<string, number>();
    for (;;) {
      const { row } = await hands.see();
      if (row === '') break;
      const payee = PAYEES.find(({ name }) => row.toUpperCase().includes(name));
      assert.ok(payee !== undefined, row);
      const before = hands.keys;
      await choose(hands, payee.line);
      await hands.pressAndWait('Enter');
      if ((await hands.see()).hasOffer) await hands.pressAndWait('=');
      counts.set(payee.name, (counts.get(payee.name) ?? 0) + hands.keys - before);
    }
    assert.equal(finish(countTransactions(access)).byStatus.unallocated.count, 0);
    assert.deepEqual(faults, []);
    const waitedS = hands.waitsMs.reduce((sum, each) => sum + each, 0) / 1000;
    const personS = hands.keys * KEY_S + counts.size * THOUGHT_S;
    const figures = {
      payees: counts.size,
      keys: hands.keys,
      mostKeys: Math.max(...counts.values()),
      longestWaitMs: Math.round(Math.max(...hands.waitsMs)),
      waitedS: Math.round(waitedS),
      minutes: Math.round((personS + waitedS) / 6) / 10,
    };
    test.diagnostic(JSON.stringify(figures));
    assert.ok(figures.mostKeys <= MOST_KEYS, JSON.stringify(figures));
    const wrong = wrongOf(access);
    assert.deepEqual(wrong, []);
    await page.context().close();
  });
});

/** Payments of December that are not on the line of their payee. */
function wrongOf(access: Parameters<typeof listAllocations>[0]): readonly string[] {
  const project = formatId('prj', 1);
  const filter = { from: '2026-12-01', to: '2026-12-31' };
  const shares = listAll((page) => listAllocations(access, project, { ...filter, ...page }));
  const all = listAll((page) => finish(listTransactions(access, { ...filter, ...page })));
  const texts = new Map(all.map(({ id, description }) => [id, description.toUpperCase()]));
  assert.equal(shares.length, WAITING);
  const names = Object.keys(LINES);
  return shares.flatMap(({ transactionId, budgetLineId }) => {
    const text = texts.get(transactionId) ?? '';
    const payee = PAYEES.find(({ name }) => text.includes(name));
    return names[budgetLineId - 1] === payee?.line ? [] : [`${text}: ${budgetLineId}`];
  });
}
