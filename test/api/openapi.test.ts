import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import type {
  Example,
  MediaType,
  Operation,
  Parameter,
  Response,
  Schema,
} from '../../build/reference/openapi-document.ts';
import type { WireCode } from '../../src/api/contract.ts';
import { ENDPOINTS } from '../../src/api/routes.ts';
import { FAILURE_CODES } from '../../src/core/failures.ts';
import { ROW_ERROR_CODES, ROW_WARNING_CODES } from '../../src/core/push.ts';
import { STATUS } from '../../src/http/status.ts';
import { DOCUMENT, openExampleWorld } from './example-world.ts';
import { OpenApiChecker } from './openapi-check.ts';

const { components, 'x-catalogue': catalogue } = DOCUMENT;
const CHECKER = new OpenApiChecker(DOCUMENT);
const SENT_CODES = FAILURE_CODES.filter(
  (code): code is WireCode => !['invalid_input', 'conflict', 'not_allowed'].includes(code),
);

describe('9: GET /openapi.json', () => {
  it('is the document, without a key, for GET and HEAD', async (t) => {
    const { url } = await openExampleWorld(t);
    for (const _ of ['first', 'again']) {
      const response = await fetch(`${url}/openapi.json`);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.deepEqual(await response.json(), JSON.parse(JSON.stringify(DOCUMENT)));
    }
    const head = await fetch(`${url}/openapi.json`, { method: 'HEAD' });
    assert.equal(head.headers.get('content-length'), String(byteLength(DOCUMENT)));
    const other = await fetch(`${url}/openapi.json`, { method: 'POST' });
    assert.deepEqual([other.status, other.headers.get('allow')], [405, 'GET, HEAD']);
  });

  it('is OpenAPI 3.1 for the server that sent it, at any address', () => {
    assert.equal(DOCUMENT.openapi, '3.1.0');
    assert.deepEqual(
      DOCUMENT.servers.map(({ url }) => url),
      ['/'],
    );
  });

  it('passes an OpenAPI linter', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: JSON.stringify(DOCUMENT), config });
    assert.deepEqual(
      problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`),
      [],
    );
  });
});

describe('the OpenAPI document has every', () => {
  for (const endpoint of ENDPOINTS) {
    const { method, path, scope, operationId, parameters } = endpoint;
    it(`operation: ${method} ${path}`, () => {
      const operation = findOperation(method, path);
      assert.equal(operation.operationId, operationId);
      assert.deepEqual(operation.security, [{ ApiKey: [scope] }]);
      assert.equal(operation.requestBody !== undefined, method === 'POST');
      const taken = (operation.parameters ?? []).map((each) => resolve<Parameter>(each));
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.deepEqual(
        taken.map((each) => each.name),
        [...inPath, ...Object.keys(parameters)],
      );
    });

    for (const [name, { read }] of Object.entries(parameters)) {
      // Only an answer has a cursor: tools that send examples would send one that is refused.
      if (name === 'cursor') continue;
      it(`parameter: ${name} of ${operationId}, with an example that the service reads`, () => {
        const taken = findOperation(method, path).parameters?.map((each) =>
          resolve<Parameter>(each),
        );
        const found = taken?.find((each) => each.name === name && each.in === 'query');
        const { schema, example, style } = found ?? assert.fail(name);
        assert.notEqual(read([example].flat().join(',')), undefined);
        assert.deepEqual(CHECKER.findSchemaFaults(schema, example), []);
        assert.equal(style, Array.isArray(example) ? 'form' : undefined);
      });
    }
  }

  for (const code of SENT_CODES) {
    it(`code: ${code}, with an example, at its status and in the catalogue`, () => {
      const places = listMedia().filter(({ media }) => {
        return Object.values(media.examples).some((each) => '$ref' in each && named(each, code));
      });
      assert.notEqual(places.length, 0);
      for (const { status } of places) assert.equal(status, String(STATUS[code]));
      const example = components.examples[code]?.value as { code: string };
      assert.equal(example.code, code);
      const line = catalogue.refusals.find((each) => each.code === code);
      assert.equal(line?.status, STATUS[code]);
      assert.ok(line.means !== '' && line.remedy !== '');
      assert.ok(DOCUMENT.info.description.includes(`| ${STATUS[code]} | \`${code}\` |`));
    });
  }

  it('code, in the catalogue of docs/http.md and in the schemas', () => {
    const codesOf = (lines: readonly { code: string }[]) => lines.map(({ code }) => code);
    assert.deepEqual(codesOf(catalogue.refusals).sort(), [...SENT_CODES].sort());
    assert.deepEqual(codesOf(catalogue.rowErrors), [...ROW_ERROR_CODES]);
    assert.deepEqual(codesOf(catalogue.rowWarnings), [...ROW_WARNING_CODES]);
    const codes = (name: string) => propertiesOf(components.schemas[name])['code']?.['examples'];
    assert.deepEqual(codes('RowError'), [...ROW_ERROR_CODES]);
    assert.deepEqual(codes('RowWarning'), [...ROW_WARNING_CODES]);
    assert.deepEqual(codes('ErrorBody'), SENT_CODES);
  });

  it('header field of the contract, where it is sent', () => {
    const answers = listMedia();
    const names = (status: string) =>
      answers.filter((each) => each.status === status).map(({ headers }) => Object.keys(headers));
    const rate = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
    for (const { headers } of answers) {
      for (const name of ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options']) {
        assert.ok(name in headers);
      }
    }
    for (const each of names('401')) assert.ok(each.includes('WWW-Authenticate'));
    for (const each of names('405')) assert.ok(each.includes('Allow'));
    for (const each of names('429')) assert.ok([...rate, 'Retry-After'].every(isIn(each)));
    for (const each of names('503')) assert.ok(each.includes('Retry-After'));
    for (const each of names('401')) assert.ok(!rate.some(isIn(each)));
    for (const endpoint of ENDPOINTS) {
      const { responses } = findOperation(endpoint.method, endpoint.path);
      const accepted = resolve<Response>(responses['200'] ?? assert.fail());
      assert.ok(rate.every(isIn(Object.keys(accepted.headers))));
    }
    for (const { schema, example } of Object.values(components.headers)) {
      assert.deepEqual(CHECKER.findSchemaFaults(schema, example), []);
    }
  });

  it('answer, with an example that matches its schema', () => {
    const bodies = ENDPOINTS.flatMap(({ method, path }) => {
      const content = findOperation(method, path).requestBody?.content ?? {};
      return Object.values(content).map((media) => ({ path, status: 'body', media }));
    });
    for (const { path, status, media } of [...listMedia(), ...bodies]) {
      const examples = Object.entries(media.examples);
      assert.notEqual(examples.length, 0, `${path} ${status} has no example`);
      for (const [name, example] of examples) {
        const { value } = resolve<Example>(example);
        const faults = CHECKER.findSchemaFaults(media.schema, value);
        assert.deepEqual(faults, [], `${path} ${status} ${name}`);
      }
    }
  });

  it('schema once: repeated members or values are a component', () => {
    const places = new Map<string, string[]>();
    walk(DOCUMENT, '#', (value, place) => {
      const { properties, enum: values } = value;
      if (properties === undefined && !Array.isArray(values)) return;
      if (place.includes('/example')) return;
      const { description: _, default: __, ...form } = value;
      const key = JSON.stringify(form);
      places.set(key, [...(places.get(key) ?? []), place]);
    });
    const repeated = [...places.values()].filter((each) => each.length > 1);
    assert.deepEqual(repeated, []);
    assert.ok(places.size > 20);
  });

  it('pointer resolved, and every component used', () => {
    const pointers = new Set<string>();
    walk(DOCUMENT, '#', ({ $ref: pointer }) => {
      if (typeof pointer === 'string') pointers.add(pointer);
    });
    const { securitySchemes: _, ...rest } = components;
    const known = Object.entries(rest).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    );
    // The example of a 422 is in its answer. Discriminators point without a $ref.
    assert.deepEqual([...pointers].sort(), known.sort());
  });
});

describe('the checker of every answer in the tests', () => {
  const headers = new Map([
    ['content-type', 'application/json; charset=utf-8'],
    ['x-request-id', 'req_1'],
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
  ]);
  const answer = { method: 'GET', target: '/healthz?a=1', status: 200, headers };
  const good = { ...answer, body: '{"status":"ok"}' };

  it('accepts a correct answer', () => assert.deepEqual(CHECKER.findFaults(good), []));

  const wrong: [what: string, answer: typeof good][] = [
    ['a status', { ...good, status: 418 }],
    ['a member', { ...good, body: '{"status":"ok","rawData":1}' }],
    ['a value', { ...good, body: '{"status":"later"}' }],
    ['a body', { ...good, body: '' }],
    ['a missing field', { ...good, headers: new Map([...headers].slice(0, 3)) }],
    ['a content type', { ...good, headers: new Map([...headers, ['content-type', 'text/x']]) }],
    ['a field', { ...good, headers: new Map([...headers, ['cache-control', 'public']]) }],
    ['a path', { ...good, target: '/nowhere' }],
    ['a body of a HEAD', { ...good, method: 'HEAD' }],
  ];
  for (const [what, each] of wrong) {
    it(`catches ${what} that is not in the document`, () => {
      assert.notEqual(CHECKER.findFaults(each).length, 0);
    });
  }
});

function findOperation(method: string, path: string): Operation {
  const { get, post } = DOCUMENT.paths[path] ?? {};
  return (method === 'POST' ? post : get) ?? assert.fail(`${method} ${path}`);
}

/** The answers of every operation. */
function listMedia(): {
  path: string;
  status: string;
  headers: Response['headers'];
  media: MediaType;
}[] {
  return Object.entries(DOCUMENT.paths).flatMap(([path, { get, post }]) =>
    [get, post].flatMap((operation) =>
      Object.entries(operation?.responses ?? {}).flatMap(([status, each]) => {
        const { headers, content } = resolve<Response>(each);
        return Object.values(content ?? {}).map((media) => ({ path, status, headers, media }));
      }),
    ),
  );
}

describe('9: common mistakes are documented where they happen', () => {
  it('the sign of money, at every amount', () => {
    const amounts = Object.entries(components.schemas).flatMap(([name, schema]) =>
      Object.entries(propertiesOf(schema))
        .filter(([, each]) => String(each['$ref']).endsWith('/Amount'))
        .map(([member, each]) => [`${name}.${member}`, String(each['description'])] as const),
    );
    assert.ok(amounts.length >= 10, String(amounts.length));
    for (const [place, words] of amounts) {
      assert.match(words, /Money out is positive, money in is negative|minus/, place);
    }
    assert.match(String(components.schemas['Amount']?.['description']), /money in is negative/);
  });

  it('a date has a format, the reset is in seconds, and a provider can be any text', () => {
    assert.equal(components.schemas['CalendarDate']?.['format'], 'date');
    assert.match(components.headers['X-RateLimit-Reset']?.description ?? '', /from now\*\*/);
    const { description = '' } = components.headers['Retry-After'] ?? {};
    assert.match(description, /1 to 60\. Sent with every 429/);
    const { type, enum: values, examples } = components.schemas['Provider'] ?? {};
    assert.deepEqual([type, values, examples], ['string', undefined, ['api', 'csv', 'manual']]);
  });

  it('a list is an exploded form parameter, and its description mentions commas', () => {
    for (const name of ['status', 'id']) {
      const { style, explode, description } = components.parameters[name] ?? {};
      assert.deepEqual([style, explode], ['form', true]);
      assert.match(description ?? '', /separated by commas, repeated, or both/);
    }
  });
});

function resolve<Part extends object>(part: Part | { $ref: string }): Part {
  if (!('$ref' in part)) return part;
  const [kind = '', name = ''] = part.$ref.split('/').slice(2);
  const parts: Record<string, unknown> = Object(Object(components)[kind]);
  return (parts[name] ?? assert.fail(part.$ref)) as Part;
}

function named({ $ref: pointer }: { $ref: string }, name: string): boolean {
  return pointer.endsWith(`/${name}`);
}

function propertiesOf(schema: Schema | undefined): Record<string, Schema> {
  return (schema?.['properties'] ?? {}) as Record<string, Schema>;
}

function isIn(names: readonly string[]): (name: string) => boolean {
  return (name) => names.includes(name);
}

function byteLength(document: unknown): number {
  return Buffer.byteLength(JSON.stringify(document));
}

/** Every object of a document with its path. */
function walk(value: unknown, place: string, visit: (value: Schema, place: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Schema, place);
  for (const [name, each] of Object.entries(value)) walk(each, `${place}/${name}`, visit);
}
