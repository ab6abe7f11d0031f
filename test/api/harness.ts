/**
 * A service in memory behind a real socket, with two organisations and keys of every scope, on
 * clocks that only a test moves. `ask` sends one request and holds its answer against the contract.
 */

import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Scope } from '../../src/core/plans.ts';
import type { LogEvent } from '../../src/http/server.ts';
import { createService, type Service, type ServiceOptions } from '../../src/service.ts';
import { CONTRACT_SCOPES } from './contract-table.ts';
import { Requests } from './requests.ts';

/** An organisation with a key of all scopes. */
export interface Tenant {
  readonly id: string;
  readonly currency: string;
  readonly key: string;
}

/** When every test begins. */
export const START = Date.parse('2026-01-31T12:00:00.000Z');

/** A running service and what tests do with it. */
export class Api extends Requests {
  readonly service: Service;
  /** The organisation that requests are for unless they say otherwise; its currency is GBP. */
  readonly pounds: Tenant;
  /** Another one, whose data nobody else may see. */
  readonly euros: Tenant;
  /** What the service would log. */
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

  /** Another organisation. */
  addTenant(currency: string): Tenant {
    const name = `Organisation in ${currency}`;
    const { id } = this.service.organisations.create({ name, baseCurrency: currency });
    return { id, currency, key: this.addKey(id, CONTRACT_SCOPES).key };
  }

  /** Another key. */
  addKey(
    organisationId: string,
    scopes: readonly Scope[],
    expiresAt?: string,
  ): { id: string; key: string } {
    return this.service.keys.create(organisationId, { name: 'test', scopes, expiresAt });
  }

  /** The codes and errors that the service has logged since the last time. */
  takeEvents(): LogEvent[] {
    return this.events.splice(0);
  }

  /** Closes everything; fails where the service met an error that no test has taken note of. */
  async stop(): Promise<void> {
    this.disconnect();
    await this.service.close();
    assert.deepEqual(this.events, []);
  }
}

/** The service's two clocks, in milliseconds; each reading moves them on by their steps. */
export interface Clocks {
  nowMs: number;
  /** So that whatever is done later has a later time. */
  nowStepMs: number;
  tickMs: number;
  /** A second, so that a test file never meets the rate limit that it is not about. */
  tickStepMs: number;
}

/** Starts a service; it is closed when the test file, or `scope`, is done. */
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

/** A valid row of a push, with what a test wants to be otherwise. */
export function row(externalId: string, members: Readonly<Record<string, unknown>> = {}) {
  return { externalId, date: '2026-01-15', description: 'Rent', amount: 12.5, ...members };
}

/** A project file's project, with what a test wants to be otherwise. */
export function project(name: string, members: Readonly<Record<string, unknown>> = {}) {
  return { name, startDate: '2026-01-01', endDate: '2026-12-31', ...members };
}

/** The only element of a list. */
export function only<Item>(list: readonly Item[] | undefined): Item {
  const [item] = list ?? [];
  assert.ok(item !== undefined && list?.length === 1, `${list?.length} items instead of 1`);
  return item;
}
