import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Example, Response, Schema } from '../../build/reference/openapi-document.ts';
import { PushRow } from '../../src/core/inputs.ts';
import { ROW_FIELDS } from '../../src/core/row-members.ts';
import { DOCUMENT } from './example-world.ts';
import { laterAnswer } from './later.ts';
import { closed, OpenApiChecker } from './openapi-check.ts';

const { components, paths } = DOCUMENT;
const REQUESTS = ['PushRequest', 'PushRow'];
const ANSWERS = Object.entries(components.schemas).filter(([name]) => !REQUESTS.includes(name));

/** Every schema within these, with its path. */
function* walk(value: unknown, place: string): Generator<[place: string, schema: Schema]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, value as Schema];
  for (const [name, each] of Object.entries(value)) yield* walk(each, `${place}/${name}`);
}

/** The members with one of these names, of every answer. */
function membersNamed(...names: string[]): [place: string, schema: Schema][] {
  return ANSWERS.flatMap(([name, { properties }]) =>
    Object.entries((properties ?? {}) as Record<string, Schema>)
      .filter(([member]) => names.includes(member))
      .map(([member, { $ref, ...schema }]): [string, Schema] => {
        const target = String($ref).split('/').at(-1) ?? '';
        return [`${name}.${member}`, components.schemas[target] ?? schema];
      }),
  );
}

describe('the OpenAPI document is as open as the promise of version 1', () => {
  it('no object of an answer is closed to members that come later', () => {
    const schemas = [...walk(components.schemas, '#'), ...walk(components.responses, '#')];
    assert.ok(schemas.length > 300);
    for (const [place, schema] of schemas) {
      assert.notEqual(schema['additionalProperties'], false, place);
      assert.ok(!('unevaluatedProperties' in schema), place);
    }
  });

  it('code, changed and provider are texts whose description has the known values', () => {
    const open = membersNamed('code', 'provider').filter(([, { examples }]) => examples);
    const changed = membersNamed('changed').map(([place, { items }]): [string, Schema] => {
      return [place, items as Schema];
    });
    const ofLines = ['AllocatedLine.code', 'ReportRow.code'];
    const codes = membersNamed('code').map(([place]) => place);
    assert.deepEqual(
      [...open, ...changed].map(([place]) => place).sort(),
      [
        'AcceptedRow.changed',
        'AllocatedTransaction.provider',
        'Transaction.provider',
        ...codes.filter((place) => !ofLines.includes(place)),
      ].sort(),
    );
    for (const [place, { type, description, examples, ...rest }] of [...open, ...changed]) {
      assert.equal(type, 'string', place);
      assert.deepEqual(rest, {}, place);
      for (const each of examples as string[]) {
        assert.ok(String(description).includes(`\`${each}\``), `${place}: ${each}`);
      }
    }
  });

  it('status is one of a closed list, and each constant is a list of one value', () => {
    for (const [place, schema] of membersNamed('status')) {
      assert.ok(Array.isArray(schema['enum']), place);
    }
    let constants = 0;
    for (const [place, { const: only, enum: values }] of walk(components.schemas, '#')) {
      if (only === undefined) continue;
      constants += 1;
      assert.deepEqual(values, [only], place);
    }
    assert.ok(constants >= 3);
  });

  it('a cursor has no example and no default, since only an answer can have one', () => {
    const { schema, ...parameter } = components.parameters['cursor'] ?? assert.fail();
    for (const name of ['example', 'examples', 'default']) {
      assert.ok(!(name in parameter) && !(name in schema), name);
    }
  });

  it('a row lists the members that can be sent, and none that cannot', () => {
    const properties = Object(components.schemas['PushRow']?.['properties']);
    assert.deepEqual(Object.keys(properties).sort(), [...ROW_FIELDS, 'currency'].sort());
    assert.deepEqual(Object.keys(properties), Object.keys(PushRow.properties));
    for (const [name, { type }] of Object.entries<Schema>(properties)) {
      assert.notEqual(type, 'null', name);
    }
  });
});

describe('an answer of a later version 1', () => {
  const published = new OpenApiChecker(DOCUMENT, true);
  const strict = new OpenApiChecker(DOCUMENT);
  const answers = Object.entries(paths).flatMap(([path, { get, post }]) =>
    [get, post].flatMap((operation) =>
      Object.entries(operation?.responses ?? {}).flatMap(([status, each]) => {
        const name = '$ref' in each ? (each.$ref.split('/').at(-1) ?? '') : '';
        const { content } = components.responses[name] ?? (each as Response);
        return Object.values(content ?? {}).flatMap(({ schema, examples }) =>
          Object.entries(examples).map(([key, example]) => {
            const { value } = '$ref' in example ? (components.examples[key] ?? {}) : example;
            return { place: `${path} ${status} ${key}`, schema, value: value as Example['value'] };
          }),
        );
      }),
    ),
  );

  it('matches the document of this one, and fails the tests of this one', () => {
    assert.ok(answers.length > 50);
    for (const { place, schema, value } of answers) {
      assert.deepEqual(strict.findSchemaFaults(schema, value), [], place);
      assert.deepEqual(published.findSchemaFaults(schema, laterAnswer(value)), [], place);
      if (place.startsWith('/openapi.json 200')) continue;
      assert.notDeepEqual(strict.findSchemaFaults(schema, laterAnswer(value)), [], place);
    }
  });

  it('fails them for one more member, a code, a provider or a name in changed alone', () => {
    const check = (name: string, value: object) => {
      return strict.findSchemaFaults({ $ref: `#/components/schemas/${name}` }, value).length > 0;
    };
    const warning = { field: 'x', code: 'unknown_field', message: 'y' };
    assert.equal(check('RowWarning', warning), false);
    assert.equal(check('RowWarning', { ...warning, code: 'later_word' }), true);
    assert.equal(check('RowWarning', { ...warning, later: 1 }), true);
    const { Provider, AcceptedRow } = closed(components.schemas);
    assert.deepEqual(Provider?.['enum'], ['api', 'csv', 'manual']);
    const { changed } = Object(AcceptedRow?.['properties']);
    assert.ok(changed.items.enum.includes('amount'));
  });
});
