/**
 * The OpenAPI 3.1 document (contract 9), built from the routes, the parameters, the schemas of the
 * contract and recorded examples.
 */

import { readFileSync } from 'node:fs';
import { INTERFACE_VERSION } from '../../src/api/home.ts';
import { ENDPOINTS, type Endpoint } from '../../src/api/routes.ts';
import { RETRIES, RETRY_RULE } from '../../src/core/retries.ts';
import { CATALOGUE, type RefusalReach } from './catalogue.ts';
import type { Examples, NamedExamples } from './examples.ts';
import { HEADERS, headersOf, RefusalResponses } from './openapi-answers.ts';
import type {
  Catalogue,
  CatalogueLine,
  OpenApiDocument,
  Operation,
  Parameter,
  PathItem,
  Reference,
  RequestBody,
  Schema,
} from './openapi-document.ts';
import { OPERATION_WORDS, placeOf, TAGS, wordsOf } from './openapi-operations.ts';
import { SchemaComponents } from './openapi-schemas.ts';
import { SERVICE_OPERATIONS } from './openapi-service.ts';
import { sections } from './prose.ts';

/** The name of the security scheme: a key as a Bearer token. */
const SCHEME = 'ApiKey';

/** Builds the document. */
export function buildOpenApi(examples: Examples): OpenApiDocument {
  return new Builder(examples).build();
}

class Builder {
  readonly #examples: Examples;
  readonly #schemas = new SchemaComponents();
  readonly #refusals = new RefusalResponses(this.#schemas);
  readonly #parameters = new Map<string, Parameter>();

  constructor(examples: Examples) {
    this.#examples = examples;
  }

  build(): OpenApiDocument {
    const paths = this.#buildPaths();
    const introduction = readIntroduction();
    return {
      openapi: '3.1.0',
      info: {
        title: 'budgetd',
        version: INTERFACE_VERSION,
        summary: 'Project budgets against actual cash.',
        description: [introduction, ...listCatalogue(CATALOGUE)].join('\n\n'),
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'The server that sent this document.' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths,
      components: {
        schemas: this.#schemas.list(),
        parameters: Object.fromEntries(this.#parameters),
        headers: HEADERS,
        responses: this.#refusals.list(),
        examples: this.#examples.refusals,
        securitySchemes: {
          [SCHEME]: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'bdg_live_ and 48 hexadecimal characters',
            description: sections(introduction).get('Authentication') ?? '',
          },
        },
      },
      'x-catalogue': CATALOGUE,
    };
  }

  #buildPaths(): Record<string, PathItem> {
    const paths: Record<string, Record<string, Operation>> = {};
    for (const endpoint of ENDPOINTS) {
      const item = paths[endpoint.path] ?? {};
      item[endpoint.method.toLowerCase()] = this.#buildOperation(endpoint);
      paths[endpoint.path] = item;
    }
    for (const { path, success, schema, example, isTagged, ...words } of SERVICE_OPERATIONS) {
      const body = typeof schema === 'string' ? this.#schemas.refer(schema) : schema;
      const content = this.#buildContent(body, { example });
      const headers = headersOf(200, false, isTagged);
      const kept = { description: 'The document has not changed since that `ETag`.', headers };
      const responses = {
        200: { description: success, headers, content },
        ...(isTagged ? { 304: kept } : {}),
        ...this.#refusals.refer(new Set(['any'])),
      };
      paths[path] = { get: { ...words, tags: ['Service'], security: [], responses } };
    }
    return paths;
  }

  #buildOperation(endpoint: Endpoint): Operation {
    const { operationId, summary, scope, response } = endpoint;
    const { tag, description, success } = OPERATION_WORDS[operationId];
    const examples = this.#examples.answers[operationId];
    const content = this.#buildContent(this.#schemas.refer(response), examples);
    const answer = { description: success, headers: headersOf(200, true), content };
    const parameters = this.#buildParameters(endpoint);
    return {
      operationId,
      tags: [tag],
      summary,
      description: `${description}\n\nScope: \`${scope}\`.`,
      security: [{ [SCHEME]: [scope] }],
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(endpoint.method === 'POST' ? { requestBody: this.#buildBody() } : {}),
      responses: { 200: answer, ...this.#refusals.refer(reachesOf(endpoint)) },
    };
  }

  #buildBody(): RequestBody {
    return {
      required: true,
      description: 'The rows, as JSON in UTF-8, not compressed.',
      content: this.#buildContent(this.#schemas.refer('PushRequest'), this.#examples.bodies),
    };
  }

  #buildContent(schema: Schema, examples: NamedExamples) {
    return { 'application/json': { schema, examples } };
  }

  #buildParameters({ path, parameters }: Endpoint): Reference[] {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      const parameter = {
        ...describe(name, `{${name}}`),
        in: 'path' as const,
        required: true,
        schema: this.#schemas.refer('ProjectId'),
      };
      return this.#referParameter(parameter, `${name}InPath`);
    });
    const inQuery = Object.entries(parameters).map(([name, { schema }]) => {
      const place = placeOf(name, schema);
      const { default: value } = wordsOf(place);
      const converted = this.#schemas.convert(schema);
      const parameter = {
        ...describe(name, place),
        in: 'query' as const,
        ...(schema['type'] === 'array' ? ({ style: 'form', explode: true } as const) : {}),
        schema: value === undefined ? converted : { ...converted, default: value },
      };
      return this.#referParameter(parameter, place);
    });
    return [...inPath, ...inQuery];
  }

  #referParameter(parameter: Parameter, name: string): Reference {
    const known = this.#parameters.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(parameter)) {
      throw new Error(`The parameter ${name} is not the same everywhere.`);
    }
    this.#parameters.set(name, parameter);
    return { $ref: `#/components/parameters/${name}` };
  }
}

function describe(name: string, place = name): Pick<Parameter, 'name' | 'description' | 'example'> {
  const { description, example } = wordsOf(place);
  return { name, description, example };
}

function reachesOf({ method, path, parameters }: Endpoint): Set<RefusalReach> {
  const reaches = new Set<RefusalReach>(['any', 'key']);
  if (path.includes('{')) reaches.add('name');
  if ('cursor' in parameters) reaches.add('cursor');
  if (method === 'POST') reaches.add('body');
  return reaches;
}

/** What you need to know before the first request. */
function readIntroduction(): string {
  // Compiled, this file is in dist/build/reference.
  const file = new URL('../../../build/reference/introduction.md', import.meta.url);
  const retries = RETRIES.map(({ status, means, wait }) => {
    return `- ${status ?? 'No answer'}: ${means}. Wait ${wait}.`;
  });
  const list = `${retries.join('\n')}\n\n${RETRY_RULE}`;
  return readFileSync(file, 'utf8')
    .trimEnd()
    .replace('«retries»', () => list);
}

/** The codes as Markdown, for viewers that do not read the extension. */
function listCatalogue({ refusals, rowErrors, rowWarnings }: Catalogue): string[] {
  const rows = (lines: readonly CatalogueLine[]) =>
    lines.map(({ status, code, means, remedy }) => {
      return `| ${status === undefined ? '' : `${status} | `}\`${code}\` | ${means} | ${remedy} |`;
    });
  const issues = ['| code | means | what to do |', '|---|---|---|'];
  return [
    '## Codes',
    ['| status | code | means | what to do |', '|---|---|---|---|', ...rows(refusals)].join('\n'),
    'The errors of a rejected row:',
    [...issues, ...rows(rowErrors)].join('\n'),
    'The warnings of an accepted row:',
    [...issues, ...rows(rowWarnings)].join('\n'),
  ];
}
