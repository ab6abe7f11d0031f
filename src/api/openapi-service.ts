/** The operations outside `/api/v1`, which need no key (contract 9), as the document shows them. */

import type { Example, Schema } from './openapi-document.ts';

interface ServiceOperation {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** What its 200 is. */
  readonly success: string;
  /** A schema, or the name of one in `contract.ts`. */
  readonly schema: Schema | 'Health';
  readonly example: Example;
}

const ok: Example = { summary: 'It does', value: { status: 'ok' } };

/** Each of them; the page at `/docs` is not one, as it is for people. */
export const SERVICE_OPERATIONS: readonly ServiceOperation[] = [
  {
    path: '/healthz',
    operationId: 'getHealth',
    summary: 'Does it live?',
    description: 'Answers while the process lives.',
    success: 'It lives.',
    schema: 'Health',
    example: ok,
  },
  {
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Can it serve?',
    description: 'Answers 503 while the database does not answer, or the service shuts down.',
    success: 'It can serve.',
    schema: 'Health',
    example: ok,
  },
  {
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'This document',
    description: 'OpenAPI 3.1, made from the schemas that the tests hold every answer against.',
    success: 'The document.',
    schema: {
      type: 'object',
      required: ['openapi', 'info', 'paths'],
      properties: {
        openapi: { type: 'string' },
        info: { type: 'object' },
        paths: { type: 'object' },
      },
    },
    example: {
      summary: 'Its beginning',
      value: { openapi: '3.1.0', info: { title: 'budgetd', version: '1.0.0' }, paths: {} },
    },
  },
];
