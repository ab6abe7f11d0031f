/**
 * The push as a good developer would write it on Fastify in a day: `peer.js FILE`. It stores in a
 * lean file, in one transaction for each batch, and answers with a result for each row. It has no
 * rate limit, plans, audit log or warnings. Prints its address.
 */

import { createHash } from 'node:crypto';
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { BODY_BYTES, PUSH_ROWS } from '../../src/core/limits.ts';
import { openLean } from '../lean.ts';
import { answerQuestions } from './answering.ts';

/** A row that fits the schema. */
interface PeerRow {
  readonly externalId: string;
  readonly date: string;
  readonly description: string;
  readonly contact?: string | null;
  readonly accountCode?: string | null;
  readonly amount: number;
}

/** A stored transaction. */
interface Stored {
  readonly id: number;
  readonly date: string;
  readonly description: string;
  readonly contact: string | null;
  readonly accountCode: string | null;
  readonly amountMinor: number;
  readonly allocatedMinor: number;
  readonly status: string;
  readonly updatedAt: number;
  readonly rawData: string;
}

/** The result of one row. */
interface Result {
  readonly index: number;
  readonly externalId: string | null;
  readonly status: 'created' | 'updated' | 'rejected';
  readonly id?: string;
  readonly needsReview?: boolean;
  readonly changed?: readonly string[];
  readonly errors?: readonly { field: string; message: string }[];
}

declare module 'fastify' {
  interface FastifyRequest {
    organisationId: number;
  }
}

const ENVELOPE = {
  type: 'object',
  required: ['rows'],
  properties: { rows: { type: 'array', minItems: 1, maxItems: PUSH_ROWS } },
};

const ROW = {
  type: 'object',
  required: ['externalId', 'date', 'description', 'amount'],
  properties: {
    externalId: { type: 'string', minLength: 1, maxLength: 255 },
    date: { type: 'string', format: 'date' },
    description: { type: 'string', minLength: 1, maxLength: 1000 },
    contact: { type: 'string', maxLength: 255, nullable: true },
    accountCode: { type: 'string', maxLength: 64, nullable: true },
    amount: { type: 'number', minimum: -9_999_999_999.99, maximum: 9_999_999_999.99 },
  },
};

const texts = { type: 'array', items: { type: 'string' } };
const ANSWER = {
  type: 'object',
  properties: {
    data: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          index: { type: 'integer' },
          externalId: { type: 'string', nullable: true },
          status: { type: 'string' },
          id: { type: 'string' },
          needsReview: { type: 'boolean' },
          changed: texts,
          errors: {
            type: 'array',
            items: {
              type: 'object',
              properties: { field: { type: 'string' }, message: { type: 'string' } },
            },
          },
        },
      },
    },
    meta: {
      type: 'object',
      properties: Object.fromEntries(
        ['received', 'created', 'updated', 'unchanged', 'rejected'].map((name) => [
          name,
          { type: 'integer' },
        ]),
      ),
    },
  },
};

const [, , file = ''] = process.argv;
const db = openLean(file);
const selectKey = db
  .prepare<[Uint8Array], number>('select organisation_id from api_keys where hash = ?')
  .pluck();
const selectKnown = db.prepare<[number, string], Stored>(
  `select id, date, description, contact, account_code as accountCode,
          amount_minor as amountMinor, allocated_minor as allocatedMinor, status,
          updated_at as updatedAt, raw_data as rawData
     from transactions where organisation_id = ? and provider = 'api' and external_id = ?`,
);
const insert = db.prepare(
  `insert into transactions
     (organisation_id, provider, external_id, date, description, contact, account_code,
      amount_minor, status, allocated_minor, created_at, updated_at, raw_data)
   values (?, 'api', ?, ?, ?, ?, ?, ?, 'unallocated', 0, ?, ?, ?)`,
);
const update = db.prepare(
  `update transactions
      set date = ?, description = ?, contact = ?, account_code = ?, amount_minor = ?, status = ?,
          review_previous_minor = ?, review_changed_at = ?, updated_at = ?,
          raw_data = ?
    where id = ?`,
);

/** Amounts in minor units; undefined if there are more than two decimal places. */
function toMinor(amount: number): number | undefined {
  const minor = Math.round(amount * 100);
  return Math.abs(amount * 100 - minor) < 1e-6 ? minor : undefined;
}

function storeRow(organisationId: number, row: PeerRow, amountMinor: number, index: number) {
  const { externalId, date, description, contact = null, accountCode = null } = row;
  const nowMs = Date.now();
  const rawData = JSON.stringify(row);
  const known = selectKnown.get(organisationId, externalId);
  if (known === undefined) {
    const values = [externalId, date, description, contact, accountCode, amountMinor];
    const { lastInsertRowid } = insert.run(organisationId, ...values, nowMs, nowMs, rawData);
    return resultOf(index, externalId, Number(lastInsertRowid), { status: 'created' });
  }
  const changed: string[] = [];
  if (known.date !== date) changed.push('date');
  if (known.description !== description) changed.push('description');
  if (known.contact !== contact) changed.push('contact');
  if (known.accountCode !== accountCode) changed.push('accountCode');
  if (known.amountMinor !== amountMinor) changed.push('amount');
  const isReview = changed.includes('amount') && known.allocatedMinor !== 0;
  const status = isReview ? 'needs_review' : known.status;
  if (changed.length > 0 || known.rawData !== rawData) {
    const review = isReview ? [known.amountMinor, nowMs] : [null, null];
    const values = [date, description, contact, accountCode, amountMinor, status];
    const updated = changed.length > 0 ? nowMs : known.updatedAt;
    update.run(...values, ...review, updated, rawData, known.id);
  }
  const needsReview = status === 'needs_review';
  return resultOf(index, externalId, known.id, { status: 'updated', needsReview, changed });
}

function resultOf(
  index: number,
  externalId: string,
  id: number,
  rest: Pick<Result, 'status' | 'needsReview' | 'changed'>,
): Result {
  return { index, externalId, id: `txn_${id}`, needsReview: false, changed: [], ...rest };
}

function push(request: FastifyRequest<{ Body: { rows: unknown[] } }>, reply: FastifyReply) {
  const isRow = request.compileValidationSchema(ROW);
  const { rows } = request.body;
  const storeAll = db.transaction(() =>
    rows.map((value, index): Result => {
      const problem = isRow(value)
        ? undefined
        : isRow.errors?.map(({ instancePath, message = '' }) => ({ field: instancePath, message }));
      const row = value as PeerRow;
      const minor = problem === undefined ? toMinor(row.amount) : undefined;
      if (minor !== undefined) return storeRow(request.organisationId, row, minor, index);
      const errors = problem ?? [{ field: 'amount', message: 'has too many decimal places' }];
      return { index, externalId: row?.externalId ?? null, status: 'rejected', errors };
    }),
  );
  const data = storeAll.immediate();
  const count = (status: Result['status']) =>
    data.filter((result) => result.status === status).length;
  const meta = {
    received: data.length,
    created: count('created'),
    updated: count('updated'),
    unchanged: data.filter(({ status, changed }) => status === 'updated' && changed?.length === 0)
      .length,
    rejected: count('rejected'),
  };
  return reply.code(meta.rejected === data.length ? 422 : 200).send({ data, meta });
}

const app = fastify({
  bodyLimit: BODY_BYTES,
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
});
app.decorateRequest('organisationId', 0);
app.addHook('onRequest', async (request, reply) => {
  const [, key = ''] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const organisationId = selectKey.get(createHash('sha256').update(key).digest());
  if (organisationId === undefined) {
    return reply.code(401).send({ code: 'invalid_api_key', message: 'The key is unknown.' });
  }
  request.organisationId = organisationId;
});
app.post<{ Body: { rows: unknown[] } }>(
  '/api/v1/transactions',
  { schema: { body: ENVELOPE, response: { '2xx': ANSWER, 422: ANSWER } } },
  push,
);
const url = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${JSON.stringify({ url })}\n`);
answerQuestions({});
process.once('SIGTERM', () => {
  void app.close().then(() => db.close());
});
