/** An OpenAPI document without its texts: the part that a generated client depends on. */

import { createHash } from 'node:crypto';

const WORDS = new Set(['description', 'summary', 'example', 'examples', 'x-catalogue', 'info']);

/** The document without descriptions and examples. */
export function outlineOf(document: object): Record<string, unknown> {
  const info = { title: 'budgetd', version: '1' };
  return { ...(strip(document, false) as object), info };
}

/** A name for an outline. */
export function hashOf(outline: object): string {
  return createHash('sha256').update(JSON.stringify(outline)).digest('hex').slice(0, 16);
}

/** The members of `properties` are names, even those named like keywords. */
function strip(value: unknown, areNames: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => strip(each, false));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => areNames || !WORDS.has(name))
      .map(([name, each]) => [name, strip(each, name === 'properties' && !areNames)]),
  );
}
