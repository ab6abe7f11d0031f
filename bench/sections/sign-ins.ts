/**
 * The console while strangers try passwords: whether newcomers with the right password get in, the
 * memory that the forms take, and what a page of a user who is signed in costs beside them. The
 * bench is a proxy to the service, so that each form can come from an address of its own.
 */

import { type ServerChild, startServer } from '../children.ts';
import { Connection, require200 } from '../connection.ts';
import type { Finding, Findings } from '../findings.ts';
import type { Lab } from '../lab.ts';
import { readThreadSeconds } from '../machine.ts';
import { medianOf, spreadOf } from '../statistics.ts';
import { addUser, signIn, USER } from './console.ts';

const MEGABYTE = 1024 * 1024;
/** More than can wait for their passwords to be checked, so that forms never stop arriving. */
const STRANGERS = 300;
const FLOOD_MS = 60_000;
/** Proxies give up after a minute, and browsers later. */
const PATIENCE_SECONDS = 60;
const PAGE = '/transactions';
const PAGES = 40;

interface Site {
  readonly server: ServerChild;
  readonly cookie: string;
  /** In each flood. */
  readonly forms: number;
}

/** The address of each form of a flood, by who sends them. */
const FLOODS: Readonly<Record<string, (at: number) => string>> = {
  'one address': () => '198.51.100.7',
  'many addresses': (at) => `10.${at >> 8}.${at & 255}.1`,
};

/** Newcomers first, then floods from one address, and from another one for each form. */
export async function measureSignIns(lab: Lab): Promise<Findings> {
  const seed = await lab.copy('sign-ins');
  await addUser(seed);
  const server = await startServer(seed.file, '--trusted-proxies', '127.0.0.1');
  try {
    lab.progress('newcomers');
    const findings = [await measureNewcomers(server)];
    // Later than those, whose sessions would end this one.
    const site = { server, cookie: await signIn(server.url), forms: lab.choose(2_000, 10_000) };
    for (const from of Object.keys(FLOODS)) {
      lab.progress(`sign-in forms from ${from}`);
      findings.push(...(await measureFlood(site, from)));
    }
    return { findings, details: [] };
  } finally {
    await server.stop();
    lab.remove(seed);
  }
}

/** Ten users with the right password, each from a new network, behind 100 who have a wrong one. */
async function measureNewcomers({ url }: ServerChild): Promise<Finding> {
  const wrong = { email: 'nobody@example.org', password: 'wrong' };
  const strangers = Array.from({ length: 100 }, (_, at) => enter(url, `172.16.${at}.1`, wrong));
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => enter(url, `192.0.${at}.1`, USER)),
  );
  await Promise.all(strangers);
  const late = answers.filter(
    ({ status, seconds }) => status !== 303 || seconds > PATIENCE_SECONDS,
  );
  const longest = Math.max(...answers.map(({ seconds }) => seconds));
  return {
    line: 'newcomers of ten who do not get in beside 100 others',
    value: late.length,
    unit: '',
    target: 1,
    note: `the last after ${longest.toFixed(0)} s`,
  };
}

async function measureFlood({ server, cookie, forms }: Site, from: string): Promise<Finding[]> {
  const addressOf = FLOODS[from] ?? String;
  const alone = await measurePages(server, cookie);
  const { residentBytes } = await server.usage();
  const startMs = performance.now();
  const elapsedMs = () => performance.now() - startMs;
  let sent = 0;
  const flood = Array.from({ length: STRANGERS }, async () => {
    while (sent < forms && elapsedMs() < FLOOD_MS) {
      sent += 1;
      const email = `${'x'.repeat(200)}${sent}@example.org`;
      const form = { email, password: 'wrong' };
      const { status } = await enter(server.url, addressOf(sent), form);
      if (![401, 429, 503].includes(status)) throw new Error(`a wrong password: ${status}`);
      // Some wait for a long time, so the others send twice as many.
      await pause((FLOOD_MS / 2) * (STRANGERS / forms));
    }
  });
  const beside = await measurePages(server, cookie, FLOOD_MS / 2 / PAGES);
  await Promise.all(flood);
  const { peakBytes } = await server.usage();
  const inMegabytes = (bytes: number) => Math.round(bytes / MEGABYTE);
  return [
    {
      line: `memory above idle, ${sent.toLocaleString('en-GB')} sign-in forms from ${from}`,
      value: inMegabytes(peakBytes - residentBytes),
      unit: 'MB',
      target: 100,
      note: `in ${Math.round(elapsedMs() / 1000)} s; idle ${inMegabytes(residentBytes)} MB`,
    },
    {
      line: `CPU of the event loop during a page beside forms from ${from}`,
      value: beside.cpuMs.median,
      unit: 'ms',
      target: 50,
      spread: beside.cpuMs,
      note: `alone ${alone.cpuMs.median.toFixed(1)}; ${beside.waitMs.toFixed(0)} ms in all`,
    },
  ];
}

/** What the event loop did until a page was there, and how long that took. */
async function measurePages(
  { url, process: { pid = 0 } }: ServerChild,
  cookie: string,
  everyMs = 0,
) {
  const connection = new Connection(url);
  const get = `GET ${PAGE} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`;
  const cpuMs: number[] = [];
  const waitMs: number[] = [];
  for (let count = 0; count < PAGES; count += 1) {
    const before = readThreadSeconds(pid);
    const { seconds } = require200(await connection.send(Buffer.from(get)), PAGE);
    cpuMs.push((readThreadSeconds(pid) - before) * 1000);
    waitMs.push(seconds * 1000);
    await pause(everyMs);
  }
  connection.close();
  return { cpuMs: spreadOf(cpuMs), waitMs: medianOf(waitMs) };
}

/** Sends a sign-in form from an address. */
async function enter(
  url: string,
  address: string,
  { email, password }: { readonly email: string; readonly password: string },
) {
  const body = new URLSearchParams({ email, password }).toString();
  const connection = new Connection(url);
  try {
    return await connection.send(
      Buffer.from(
        `POST /sign-in HTTP/1.1\r\nHost: ${new URL(url).host}\r\nOrigin: ${url}\r\n` +
          `X-Forwarded-For: ${address}\r\nContent-Length: ${body.length}\r\n` +
          `Content-Type: application/x-www-form-urlencoded\r\n\r\n${body}`,
      ),
    );
  } finally {
    connection.close();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
