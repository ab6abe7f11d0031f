/**
 * Finds the handler for a method and a path. Does not use sockets. Compares a path as it was sent,
 * never decoded or normalised (contract 2, step 1).
 */

import { Failure } from '../core/failures.ts';
import type { Route } from './message.ts';

/** A route matches; `params` has the segments at its `{name}` placeholders. */
interface Found {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly refuse?: undefined;
}

/** No route has the path, or only for other methods: then `route` is the first of them. */
interface Refused {
  readonly route?: Route;
  readonly params?: undefined;
  readonly refuse: () => Failure;
}

/** 404, for an unknown path, with what to do instead. */
export function notFound(advice = ''): Failure {
  return new Failure('not_found', `There is nothing at this path.${advice}`);
}

/** No route has the path. */
const NOWHERE: Refused = { refuse: () => notFound() };
/** A path without placeholders. */
const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

/** All routes of one path. Constant results are built once. */
interface Entry {
  readonly path: string;
  /** Matches a path, with a group for each placeholder. */
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly found: Map<string, Found>;
  /** The answer to other methods, with those that it accepts. */
  refused: Refused;
}

/** A route table. */
export class Router {
  readonly #literal = new Map<string, Entry>();
  readonly #named: Entry[] = [];

  /** Throws on a route that could never match or is a duplicate. */
  constructor(routes: readonly Route[]) {
    const byShape = new Map<string, Entry>();
    for (const route of routes) {
      // Paths that differ only in the names of their placeholders are the same.
      const shape = route.path.replace(/\{\w*\}/g, '{}');
      let entry = byShape.get(shape);
      if (entry === undefined) {
        entry = buildEntry(route);
        byShape.set(shape, entry);
        if (entry.names.length === 0) this.#literal.set(route.path, entry);
        else this.#named.push(entry);
      }
      addRoute(entry, route);
    }
  }

  /** What there is for a method and a path. */
  match(method: string, path: string): Found | Refused {
    const exact = this.#literal.get(path);
    if (exact !== undefined) return exact.found.get(method) ?? exact.refused;
    const hit = this.#find(path);
    if (hit === undefined) return NOWHERE;
    const found = hit.entry.found.get(method);
    if (found === undefined) return hit.entry.refused;
    return { route: found.route, params: paramsOf(hit.entry.names, hit.found) };
  }

  /** The answer to a method that no path accepts. */
  refusedAt(path: string): Refused {
    return (this.#literal.get(path) ?? this.#find(path)?.entry)?.refused ?? NOWHERE;
  }

  #find(path: string): { entry: Entry; found: readonly string[] } | undefined {
    for (const entry of this.#named) {
      const found = entry.pattern.exec(path);
      if (found !== null) return { entry, found };
    }
    return undefined;
  }
}

function buildEntry(route: Route): Entry {
  const { path } = route;
  const [root, ...segments] = path.split('/');
  const names: string[] = [];
  let pattern = '';
  let sound = root === '' && segments.length > 0;
  for (const segment of segments) {
    const name = /^\{([a-z]\w*)\}$/i.exec(segment)?.[1];
    pattern += `/${name === undefined ? segment.replace(/\W/g, '\\$&') : PLACEHOLDER}`;
    if (name === undefined) {
      sound &&= path === '/' || (ONLY_PLAIN.test(segment) && !/[{}]/.test(segment));
    } else {
      sound &&= !names.includes(name);
      names.push(name);
    }
  }
  if (!sound) throw new Error(`No request can match the path of this route: ${path}`);
  return {
    path,
    pattern: new RegExp(`^${pattern}$`),
    names,
    found: new Map(),
    refused: { ...NOWHERE, route },
  };
}

function addRoute(entry: Entry, route: Route): void {
  if (entry.found.has(route.method) || entry.path !== route.path) {
    throw new Error(`Duplicate route: ${route.method} ${route.path}, ${entry.path}`);
  }
  const methods = route.method === 'GET' ? ['GET', 'HEAD'] : [route.method];
  for (const method of methods) {
    entry.found.set(method, { route, params: NO_PARAMS });
  }
  const allow = ['GET', 'HEAD', 'POST'].filter((method) => entry.found.has(method)).join(', ');
  const headers = { Allow: allow };
  const message = `This path only accepts ${allow}.`;
  // Made when it is thrown: a stack for each route would take 1 ms of each start.
  const refuse = () => new Failure('method_not_allowed', message, { headers });
  entry.refused = { ...entry.refused, refuse };
}

/** This service needs no other segments, and a proxy could decode or resolve those differently. */
const PLAIN = '(?!\\.{1,2}(?:/|$))[^/%\\\\;#?]+';
const PLACEHOLDER = `(${PLAIN})`;
const ONLY_PLAIN = new RegExp(`^${PLAIN}$`);

/** The values of the placeholders, which follow the whole path in what a pattern has found. */
function paramsOf(names: readonly string[], found: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    params[name] = found[at + 1] ?? '';
  }
  return params;
}
