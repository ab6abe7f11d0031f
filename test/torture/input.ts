/**
 * Wrong requests: pushes, queries, forms and bytes, each with something changed. Each is answered
 * by what the contract or a page has for it, never by a failure of the service, which then still
 * answers and whose records are as they must be.
 */

import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { ENDPOINTS } from '../../src/api/routes.ts';
import { formatId } from '../../src/core/ids.ts';
import type { LogEvent } from '../../src/http/refusals.ts';
import { furnish } from '../console/furnish.ts';
import { openOffice } from '../console/office.ts';
import { enterAs, walkPages } from '../console/walk-pages.ts';
import { mutateBytes, mutateFields, mutateJson, oddText } from './input/mutations.ts';
import type { Trial } from './trial.ts';

/** A service is asked so often before a new one: what some requests store makes pages longer. */
const EACH = 20_000;
/** How many requests are on their way at once. */
const AT_ONCE = 8;
/** What is answered to requests that are wrong, and to those that are right all the same. */
const CODES = new Set([200, 303, 400, 401, 403, 404, 405, 409, 413, 414, 415, 417, 422, 429, 431]);
CODES.add(505);

/** What is sent. */
interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

export async function input(trial: Trial): Promise<void> {
  const all = trial.times(1_500, 60_000, 1_000_000);
  for (let done = 0; done < all; done += EACH) await tryOne(trial, Math.min(EACH, all - done));
}

async function tryOne(trial: Trial, count: number): Promise<void> {
  const events: LogEvent[] = [];
  const office = await openOffice(trial, { rateLimit: false, log: (event) => events.push(event) });
  const { service, url } = office;
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const makers = await prepare(trial, office);
  let left = count;
  const send = async () => {
    while (left > 0) {
      left -= 1;
      const [kind, make] = trial.random.pick(makers);
      trial.count(kind);
      const sent = make();
      const answer = await (Buffer.isBuffer(sent) ? sendBytes(url, sent) : ask(url, agent, sent));
      const fault = answer && faultOf(sent, answer);
      if (fault !== undefined) trial.problem(`${fault}: ${describe(sent)}`);
      for (const event of events.splice(0)) {
        trial.problem(`the service logged ${JSON.stringify(event).slice(0, 1500)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  const { status } = await fetch(`${url}/readyz`);
  trial.hold(status === 200, `the service is not ready: ${status}`);
  for (const { name, ok } of service.check()) trial.hold(ok, `does not hold: ${name}`);
  agent.destroy();
  await service.close();
}

type Maker = readonly [kind: string, make: () => Sent | Buffer];

/** What requests are made of: an organisation with something in every field. */
async function prepare(trial: Trial, office: Awaited<ReturnType<typeof openOffice>>) {
  const { random } = trial;
  const { service } = office;
  const { access, ownerEmail } = furnish(service, (most) => 'Input'.slice(0, most), 'input');
  const org = formatId('org', access.organisation.id);
  const scopes = [...new Set(ENDPOINTS.map(({ scope }) => scope))];
  const { key } = service.keys.create(org, { name: 'Input', scopes });
  const browser = enterAs(office, access, ownerEmail);
  const walk = await walkPages(browser, ['/transactions?open=txn_0000000001']);
  // Someone who signs out, or changes the password, could send no further form.
  const isEnding = (route: string) => /sign-out|account|second-factor/.test(route);
  const forms = [...walk.forms].filter(([route]) => !isEnding(route)).flatMap(([, each]) => each);
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const bearer = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const push = (): Sent => {
    const rows = [1, 2].map(() => ({
      ...{ externalId: `I-${random.whole(1, 50)}`, date: '2026-01-15', description: 'Rent' },
      ...{ amount: 12.5, contact: 'Ann', accountCode: '7500', reference: 'R', void: false },
    }));
    const body = mutateJson(JSON.stringify({ rows }), random);
    const own = random.once(20) ? Buffer.from(body, 'utf16le') : body;
    return { method: 'POST', target: '/api/v1/transactions', headers: bearer, body: own };
  };
  const query = (): Sent => {
    const { path, parameters } = random.pick(ENDPOINTS.filter(({ method }) => method === 'GET'));
    const id = () => (random.once(3) ? encodeURIComponent(wellFormed(oddText(random))) : ID);
    const names = Object.keys(parameters).filter(() => random.once(3));
    const pairs = names.map((name) => `${name}=${encodeURIComponent(wellFormed(oddText(random)))}`);
    const target = `${path.replaceAll(/\{\w+\}/g, id)}?${pairs.join('&')}`;
    return { method: 'GET', target: target.slice(0, 60_000), headers: bearer, body: '' };
  };
  const form = (): Sent => {
    const { method, action, fields } = random.pick(forms);
    const pairs = mutateFields(fields, random).map(([...pair]) => pair);
    const body = String(new URLSearchParams(pairs));
    const headers = { cookie, 'sec-fetch-site': 'same-origin', accept: 'text/html' };
    if (method === 'GET') return { method, target: `${action}?${body}`, headers, body: '' };
    const type = 'application/x-www-form-urlencoded';
    return { method, target: action, headers: { ...headers, 'content-type': type }, body };
  };
  const bytes = (): Buffer => {
    const { method, target, headers, body } = random.pick([push, query, form])();
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const length = Buffer.byteLength(body);
    const head = `${method} ${target.slice(0, 500)} HTTP/1.1\r\nHost: a\r\n${lines.join('')}`;
    const framed = `${head}Connection: close\r\nContent-Length: ${length}\r\n\r\n`;
    return mutateBytes(Buffer.concat([Buffer.from(framed), Buffer.from(body)]), random);
  };
  const makers: Maker[] = [
    ['wrong pushes', push],
    ['wrong queries', query],
    ['wrong forms', form],
    ['wrong bytes', bytes],
  ];
  return makers;
}

const ID = formatId('prj', 1);

/** Without the halves of characters that no address can have. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function ask(url: string, agent: Agent, sent: Sent): Promise<Answer> {
  const { method, target, body } = sent;
  const headers = { ...sent.headers, 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const asked = request(url + target, { method, agent, headers }, (answer) => {
      void readAll(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }));
    });
    // A service that refuses a long body may close before all of it has been sent.
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (/ECONNRESET|EPIPE/.test(error.code ?? '')) resolve({ status: 413, text: '' });
      else reject(error);
    });
    asked.end(body);
  });
}

async function readAll(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Sends bytes and ends the sending. Undefined: the service closed without an answer. */
function sendBytes(url: string, bytes: Buffer): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      // "100 Continue" is asked for by a header, and comes before the answer.
      const [, status] = /^HTTP\/1\.1 ((?!100)\d{3}) /m.exec(text) ?? [];
      resolve(text === '' ? undefined : { status: Number(status), text: '' });
    });
    socket.end(bytes);
  });
}

/** What is wrong with an answer. */
function faultOf(sent: Sent | Buffer, { status, text }: Answer): string | undefined {
  if (!CODES.has(status)) return `answered ${status}`;
  if (Buffer.isBuffer(sent) || !sent.target.startsWith('/api/') || text === '') return undefined;
  try {
    const document = JSON.parse(text);
    const isRefusal = typeof document.code === 'string' && typeof document.message === 'string';
    const isResult = status === 422 && Array.isArray(document.data);
    return status < 400 || isRefusal || isResult ? undefined : `answered ${text.slice(0, 200)}`;
  } catch {
    return `answered what is not JSON: ${text.slice(0, 200)}`;
  }
}

function describe(sent: Sent | Buffer): string {
  if (Buffer.isBuffer(sent)) return JSON.stringify(sent.toString('latin1').slice(0, 1_000));
  const { method, target, body } = sent;
  return `${method} ${target.slice(0, 500)} ${JSON.stringify(body.toString().slice(0, 1_000))}`;
}
