/** The organisation of the examples for a test. */

import type { TestContext } from 'node:test';
import type { OpenApiDocument } from '../../build/reference/openapi-document.ts';
import { ExampleWorld } from '../../build/reference/world.ts';
import { readText } from '../repository.ts';

/** The OpenAPI document as built and served. */
export const DOCUMENT: OpenApiDocument = JSON.parse(readText('dist/src/docs/openapi.json'));

/** Starts a service with the organisation; it closes after the test. */
export async function openExampleWorld(t: TestContext): Promise<ExampleWorld> {
  const world = await ExampleWorld.open();
  t.after(() => world.close());
  return world;
}
