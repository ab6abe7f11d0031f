import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EXAMPLE_REQUEST_ID, recordExamples } from '../../build/reference/examples.ts';
import { buildOpenApi } from '../../build/reference/openapi.ts';
import { DOCUMENT } from './example-world.ts';

const { paths, components } = DOCUMENT;

describe('the examples are the answers of a service', () => {
  it('that are the same at every build', async () => {
    const built = buildOpenApi(await recordExamples());
    assert.deepEqual(JSON.parse(JSON.stringify(built)), DOCUMENT);
  });

  it('about the identifiers that the parameters have as examples', () => {
    const text = JSON.stringify([paths, components.examples]);
    for (const [name, { example }] of Object.entries(components.parameters)) {
      const isRecorded = /id$|^idInPath|^contact|^accountCode/i.test(name);
      for (const each of isRecorded ? [example].flat() : []) {
        assert.ok(text.includes(`"${each}"`), `${name}: ${each}`);
      }
    }
  });

  it('with one request id', () => {
    const ids = JSON.stringify(DOCUMENT).match(/req_\w+/g) ?? [];
    assert.deepEqual([...new Set(ids)], [EXAMPLE_REQUEST_ID]);
  });
});
