/**
 * Finds the handler for a method and a path. Does not use sockets. Compares a path as it was sent,
 * never decoded or normalised (contract 2, step 1).
 */

import type { Route } from './message.ts';

/** The result for one method and path. */
export type Match = Found | MethodNotAllowed | NotFound;

/** A route matches; `params` has the segments at its `{name}` placeholders. */
export interface Found {
  readonly kind: 'found';
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** The path has routes for other methods: `allow` is their list for the Allow header. */
export interface MethodNotAllowed {
  readonly kind: 'method_not_allowed';
  readonly allow: string;
  /** The first route of the path. */
  readonly route: Route;
}

/** No route has this path. */
export interface NotFound {
  readonly kind: 'not_found';
  readonly route?: undefined;
}

/** A route table. */
export interface Router {
  match(method: string, path: string): Match;
  /** The answer to a method that no path accepts; undefined if no route has this path. */
  refusalAt(path: string): MethodNotAllowed | undefined;
}

/** No route has the path. */
export const NOT_FOUND: NotFound = { kind: 'not_found' };
/** A path without placeholders. */
export const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

/** All routes of one path. Constant results are built once. */
interface Entry {
  readonly path: string;
  /** The literal text of each segment; undefined for a placeholder. */
  readonly literals: readonly (string | undefined)[];
  readonly names: readonly string[];
  readonly found: Map<string, Found>;
  refusal: MethodNotAllowed;
}

/** Builds the table. Throws on a route that could never match or is a duplicate. */
export function createRouter(routes: readonly Route[]): Router {
  const literal = new Map<string, Entry>();
  const named: Entry[] = [];
  const byShape = new Map<string, Entry>();
  for (const route of routes) {
    // Paths that differ only in the names of their placeholders are the same.
    const shape = route.path.replace(/\{\w*\}/g, '{}');
    let entry = byShape.get(shape);
    if (entry === undefined) {
      entry = buildEntry(route);
      byShape.set(shape, entry);
      if (entry.names.length === 0) {
        literal.set(route.path, entry);
      } else {
        named.push(entry);
      }
    }
    addRoute(entry, route);
  }

  function find(path: string): { entry: Entry; values: readonly string[] } | undefined {
    const segments = path.split('/');
    for (const entry of named) {
      const values = valuesOf(entry, segments);
      if (values !== undefined) {
        return { entry, values };
      }
    }
    return undefined;
  }

  return {
    match(method, path) {
      const exact = literal.get(path);
      if (exact !== undefined) {
        return exact.found.get(method) ?? exact.refusal;
      }
      const hit = find(path);
      if (hit === undefined) {
        return NOT_FOUND;
      }
      const found = hit.entry.found.get(method);
      if (found === undefined) {
        return hit.entry.refusal;
      }
      return { ...found, params: paramsOf(hit.entry.names, hit.values) };
    },
    refusalAt(path) {
      return (literal.get(path) ?? find(path)?.entry)?.refusal;
    },
  };
}

function buildEntry(route: Route): Entry {
  const { path } = route;
  const [root, ...segments] = path.split('/');
  const literals: (string | undefined)[] = [root];
  const names: string[] = [];
  let sound = root === '' && segments.length > 0;
  for (const segment of segments) {
    const name = /^\{([a-z]\w*)\}$/i.exec(segment)?.[1];
    literals.push(name === undefined ? segment : undefined);
    if (name === undefined) {
      sound &&= path === '/' || (isPlain(segment) && !/[{}]/.test(segment));
    } else {
      sound &&= !names.includes(name);
      names.push(name);
    }
  }
  if (!sound) {
    throw new Error(`No request can match the path of this route: ${path}`);
  }
  return {
    path,
    literals,
    names,
    found: new Map(),
    refusal: { kind: 'method_not_allowed', allow: '', route },
  };
}

function addRoute(entry: Entry, route: Route): void {
  if (entry.found.has(route.method) || entry.path !== route.path) {
    throw new Error(`Duplicate route: ${route.method} ${route.path}, ${entry.path}`);
  }
  const methods = route.method === 'GET' ? ['GET', 'HEAD'] : [route.method];
  for (const method of methods) {
    entry.found.set(method, { kind: 'found', route, params: NO_PARAMS });
  }
  const allow = ['GET', 'HEAD', 'POST'].filter((method) => entry.found.has(method)).join(', ');
  entry.refusal = { ...entry.refusal, allow };
}

function valuesOf(entry: Entry, segments: readonly string[]): readonly string[] | undefined {
  if (segments.length !== entry.literals.length) {
    return undefined;
  }
  const values: string[] = [];
  for (const [at, segment] of segments.entries()) {
    const literal = entry.literals[at];
    if (literal === undefined) {
      if (!isPlain(segment)) {
        return undefined;
      }
      values.push(segment);
    } else if (literal !== segment) {
      return undefined;
    }
  }
  return values;
}

/** This service needs no other paths, and a proxy could decode or resolve those differently. */
function isPlain(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && !/[%\\;#?]/.test(segment);
}

function paramsOf(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    params[name] = values[at] ?? '';
  }
  return params;
}
