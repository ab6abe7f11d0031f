/**
 * The small organisation of the examples, in a running service: in memory, on a clock of its own,
 * so everything it answers is the same every time. The tests run the samples against it.
 */

import { connect } from 'node:net';
import { SCOPES, type Scope } from '../../src/core/plans.ts';
import { createService, type Service } from '../../src/service.ts';

const PROJECTS = [
  {
    name: 'Youth work 2026',
    description: 'Two evenings a week in the boathouse',
    startDate: '2026-01-01',
    endDate: '2026-03-31',
    parentProject: 'Harbour Trust 2026',
    funder: { name: 'The Lottery', reference: 'YW-26' },
    budgetLines: [
      {
        code: 'RENT',
        name: 'Rent',
        category: 'Premises',
        accountCodes: ['7100'],
        budget: { '2026-01': 1200, '2026-02': 1200, '2026-03': 1200 },
      },
      {
        code: 'PAY',
        name: 'Sessional pay',
        category: 'Staff',
        accountCodes: ['7000'],
        budget: { '2026-01': 840.5, '2026-02': 840.5, '2026-03': 840.5 },
      },
    ],
  },
  {
    name: 'Harbour Trust 2026',
    startDate: '2026-01-01',
    endDate: '2026-12-31',
    budgetMode: 'total',
  },
];

/** What a request has besides its first line. */
interface Sent {
  readonly fields?: readonly string[];
  readonly body?: string;
  /** The API key; '' for none. */
  readonly key?: string;
}

/** A service with the projects of the examples. */
export class ExampleWorld {
  readonly service: Service;
  readonly organisationId: string;
  /** An API key with every scope. */
  readonly key: string;
  readonly url: string;
  readonly #clock: { now: string; tickMs: number };

  private constructor(service: Service, url: string, clock: { now: string; tickMs: number }) {
    this.service = service;
    this.url = url;
    this.#clock = clock;
    const draft = { name: 'Harbour Trust', baseCurrency: 'GBP' };
    this.organisationId = service.organisations.create(draft).id;
    this.key = this.addKey(SCOPES);
    this.setClock('2025-12-15T10:00:00.000Z');
    service.projects.import(this.organisationId, PROJECTS);
  }

  /** Starts the service. */
  static async open(): Promise<ExampleWorld> {
    const clock = { now: '2025-12-15T09:00:00.000Z', tickMs: 0 };
    const service = await createService({
      database: ':memory:',
      clock: () => new Date(clock.now),
      monotonicMs: () => clock.tickMs,
    });
    const { url } = await service.listen({ port: 0 });
    return new ExampleWorld(service, url, clock);
  }

  close(): Promise<void> {
    return this.service.close();
  }

  /** Sets the clock to a moment, and the clock of the rate limit to seconds since the start. */
  setClock(now: string, seconds = 0): void {
    Object.assign(this.#clock, { now, tickMs: seconds * 1000 });
  }

  addKey(scopes: readonly Scope[], expiresAt?: string): string {
    const draft = { name: 'example', scopes, expiresAt };
    return this.service.keys.create(this.organisationId, draft).key;
  }

  /** The answer to a request with a key. With rows it is a push. */
  ask(target: string, rows?: readonly unknown[]): Promise<unknown> {
    if (rows === undefined) return this.send(`GET ${target}`);
    const fields = ['Content-Type: application/json'];
    return this.send(`POST ${target}`, { fields, body: JSON.stringify({ rows }) });
  }

  /** The answer to a request that may be malformed. A body with `\xff` is sent as Latin-1. */
  send(line: string, { fields = [], body = '', key = this.key }: Sent = {}): Promise<unknown> {
    const bytes = Buffer.from(body, body.includes('\xff') ? 'latin1' : 'utf8');
    const head = [line.includes(' HTTP/') ? line : `${line} HTTP/1.1`, 'Host: test', ...fields];
    if (key !== '') head.push(`Authorization: Bearer ${key}`);
    if (bytes.length > 0) head.push(`Content-Length: ${bytes.length}`);
    return exchange(this.url, Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]));
  }
}

/** Sends exactly these bytes on a new connection. Resolves with the document of the answer. */
export function exchange(url: string, request: Uint8Array): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(request));
    let received = '';
    socket.setEncoding('latin1').on('error', reject);
    socket.on('data', (part) => {
      received += part;
      const [head = '', body = ''] = received.split('\r\n\r\n', 2);
      const length = /^content-length: (\d+)/im.exec(head)?.[1];
      if (length === undefined || body.length < Number(length)) return;
      socket.destroy();
      resolve(JSON.parse(Buffer.from(body, 'latin1').toString('utf8')));
    });
  });
}
