/**
 * A service in memory behind a real socket, with two organisations and keys with every scope, on
 * clocks that only the test moves. `ask` sends one request and checks its answer.
 */

import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Scope } from '../../src/core/plans.ts';
import type { LogEvent } from '../../src/http/refusals.ts';
import { createService, type Service, type ServiceOptions } from '../../src/service.ts';
import { CONTRACT_SCOPES } from './contract-table.ts';
import { Requests } from './requests.ts';

/** An organisation with a key that has all scopes. */
export interface Tenant {
  readonly id: string;
  readonly currency: string;
  readonly key: string;
}

/** When every test begins. */
export const START = Date.parse('2026-01-31T12:00:00.000Z');

/** A running service with helpers for tests. */
export class Api extends Requests {
  readonly service: Service;
  /** The organisation of requests by default. Its currency is GBP. */
  readonly pounds: Tenant;
  /** Another organisation, whose data must stay separate. */
  readonly euros: Tenant;
  /** The log of the service. */
  readonly events: LogEvent[];
  readonly clocks: Clocks;

  constructor(service: Service, rateLimit: number | false, events: LogEvent[], clocks: Clocks) {
    super(rateLimit);
    this.service = service;
    this.events = events;
    this.clocks = clocks;
    this.pounds = this.addTenant('GBP');
    this.euros = this.addTenant('EUR');
    this.key = this.pounds.key;
  }

  /** Creates another organisation. */
  addTenant(currency: string): Tenant {
    const name = `Organisation in ${currency}`;
    const { id } = this.service.organisations.create({ name, baseCurrency: currency });
    return { id, currency, key: this.addKey(id, CONTRACT_SCOPES).key };
  }

  /** Creates another key. */
  addKey(
    organisationId: string,
    scopes: readonly Scope[],
    expiresAt?: string,
  ): { id: string; key: string } {
    return this.service.keys.create(organisationId, { name: 'test', scopes, expiresAt });
  }

  /** The codes and errors that the service logged since the last call. */
  takeEvents(): LogEvent[] {
    return this.events.splice(0);
  }

  /** Closes everything. Fails if the service logged an error that no test has read. */
  async stop(): Promise<void> {
    this.disconnect();
    await this.service.close();
    assert.deepEqual(this.events, []);
  }
}

/** The two clocks of the service, in milliseconds. Each reading advances them by their steps. */
export interface Clocks {
  nowMs: number;
  /** Gives every later write a later time. */
  nowStepMs: number;
  tickMs: number;
  /** One second, so that only tests of the rate limit reach it. */
  tickStepMs: number;
}

/** Starts a service. It closes when the test file, or `scope`, ends. */
export async function startApi(
  options: Partial<ServiceOptions> = {},
  scope: { after: (stop: () => Promise<void>) => void } = { after },
): Promise<Api> {
  const clocks: Clocks = { nowMs: START, nowStepMs: 1, tickMs: 0.1, tickStepMs: 1000 };
  const events: LogEvent[] = [];
  const service = await createService({
    database: ':memory:',
    clock: () => {
      clocks.nowMs += clocks.nowStepMs;
      return new Date(clocks.nowMs);
    },
    monotonicMs: () => {
      clocks.tickMs += clocks.tickStepMs;
      return clocks.tickMs;
    },
    log: (event) => events.push(event),
    ...options,
  });
  const api = new Api(service, options.rateLimit ?? 120, events, clocks);
  api.port = (await service.listen({ port: 0 })).port;
  scope.after(() => api.stop());
  return api;
}

/** A valid row of a push, with the changes of a test. */
export function row(externalId: string, members: Readonly<Record<string, unknown>> = {}) {
  return { externalId, date: '2026-01-15', description: 'Rent', amount: 12.5, ...members };
}

/** A project of a project file, with the changes of a test. */
export function project(name: string, members: Readonly<Record<string, unknown>> = {}) {
  return { name, startDate: '2026-01-01', endDate: '2026-12-31', ...members };
}

/** The only element of a list. */
export function only<Item>(list: readonly Item[] | undefined): Item {
  const [item] = list ?? [];
  assert.ok(item !== undefined && list?.length === 1, `${list?.length} items instead of 1`);
  return item;
}
