/** The operations outside `/api/v1`, which need no key (contract 9). */

import type { Example, Schema } from './openapi-document.ts';

interface ServiceOperation {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Describes its 200. */
  readonly success: string;
  /** A schema, or the name of one in `contract.ts`. */
  readonly schema: Schema | 'Health';
  readonly example: Example;
  /** Whether it has an `ETag` and can answer 304. */
  readonly isTagged: boolean;
}

const ok: Example = { summary: 'Healthy', value: { status: 'ok' } };

/** All of them except `/docs`, which is an HTML page. */
export const SERVICE_OPERATIONS: readonly ServiceOperation[] = [
  {
    path: '/healthz',
    operationId: 'getHealth',
    summary: 'Check liveness',
    description: 'Answers 200 as long as the process runs.',
    success: 'The process is running.',
    schema: 'Health',
    example: ok,
    isTagged: false,
  },
  {
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Check readiness',
    description: 'Answers 503 while the database does not respond or the service is shutting down.',
    success: 'The service accepts requests.',
    schema: 'Health',
    example: ok,
    isTagged: false,
  },
  {
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'Get this document',
    description:
      'OpenAPI 3.1, built from the schemas that the tests check every answer against. Send its ' +
      '`ETag` back in `If-None-Match`: while it is unchanged, the answer is an empty 304.',
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
      summary: 'The beginning',
      value: { openapi: '3.1.0', info: { title: 'budgetd', version: '1.0.0' }, paths: {} },
    },
    isTagged: true,
  },
];
