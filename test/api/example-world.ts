/**
 * The organisation of the examples, built in a running service, to compare the examples of the
 * OpenAPI document with real answers.
 */

import type { TestContext } from 'node:test';
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

/** A service with the projects of the examples, on a clock that the test controls. */
export class ExampleWorld {
  readonly service: Service;
  readonly clock: { now: string };
  readonly organisationId: string;
  readonly key: string;
  url = '';

  private constructor(service: Service, clock: { now: string }) {
    this.service = service;
    this.clock = clock;
    const draft = { name: 'Harbour Trust', baseCurrency: 'GBP' };
    this.organisationId = service.organisations.create(draft).id;
    this.key = this.addKey(SCOPES);
    clock.now = '2025-12-15T10:00:00.000Z';
    service.projects.import(this.organisationId, PROJECTS);
  }

  /** Starts the service; it closes after the test. A test can set the clock of the rate limit. */
  static async open(t: TestContext, monotonicMs = () => 0): Promise<ExampleWorld> {
    const clock = { now: '2025-12-15T09:00:00.000Z' };
    const options = { database: ':memory:', clock: () => new Date(clock.now), monotonicMs };
    const world = new ExampleWorld(await createService(options), clock);
    world.url = (await world.service.listen({ port: 0 })).url;
    t.after(() => world.service.close());
    return world;
  }

  addKey(scopes: readonly Scope[], expiresAt?: string): string {
    const draft = { name: 'example', scopes, expiresAt };
    return this.service.keys.create(this.organisationId, draft).key;
  }

  /** Sends a request like a client. With a body it is a push. */
  async ask(target: string, rows?: readonly unknown[]): Promise<unknown> {
    const headers = { Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json' };
    const response =
      rows === undefined
        ? await fetch(this.url + target, { headers })
        : await fetch(this.url + target, {
            method: 'POST',
            headers,
            body: JSON.stringify({ rows }),
          });
    return response.json();
  }

  /** Allocates INV-1 to the first budget line, as in the examples. */
  allocate(): void {
    const line = { budgetLineId: 'bln_0000000001' };
    this.service.transactions.allocate(this.organisationId, 'txn_0000000001', [line]);
  }
}
