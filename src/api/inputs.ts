/**
 * The query parameters of each endpoint, once their texts are read: numbers, `true` and `false`,
 * lists. `npm run build` compiles them into `checks.js` (decision 0001).
 */

import { Type } from 'typebox';
import { GRANULARITIES, MONTH_PATTERN } from '../core/calendar.ts';
import { LIST_ITEMS, PAGE_ITEMS, PAGE_ITEMS_DEFAULT } from '../core/limits.ts';
import { ROW_MEMBERS } from '../core/row-members.ts';
import { oneOf } from '../core/schemas.ts';
import {
  isProvider,
  PROVIDERS,
  type Provider,
  STATUSES,
  TRANSACTION_ORDERS,
} from '../core/transactions.ts';

const query = <Parameters extends Type.TProperties>(parameters: Parameters) =>
  Type.Partial(Type.Object(parameters));
const several = <Schema extends Type.TSchema>(schema: Schema) =>
  Type.Array(schema, { minItems: 1, maxItems: LIST_ITEMS });

const text = Type.String({ minLength: 1 });
const textOf = (maxLength: number) => Type.String({ minLength: 1, maxLength });
/** An unknown one matches nothing, so any text will do. */
const identifier = Type.String({ minLength: 1, format: 'identifier' });
const date = Type.String({ format: 'date' });
const month = Type.String({ pattern: MONTH_PATTERN });
/** Its value is in milliseconds. */
const instant = Type.Unsafe<number>(Type.String({ format: 'date-time' }));
/** An open list: other providers will come, so the interface does not list them. */
const provider = Type.Refine(Type.String({ examples: [...PROVIDERS] }), isProvider);
const page = {
  limit: Type.Integer({ minimum: 1, maximum: PAGE_ITEMS, default: PAGE_ITEMS_DEFAULT }),
  cursor: text,
};

/** `GET /api/v1/projects`. */
export const ProjectQuery = query({ parentProjectId: identifier, updatedSince: instant, ...page });

/** `GET /api/v1/projects/{id}/report`. */
export const ReportQuery = query({ granularity: oneOf(GRANULARITIES), from: month, to: month });

/** `GET /api/v1/projects/{id}/allocations`. */
export const AllocationQuery = query({
  from: date,
  to: date,
  budgetLineId: identifier,
  transactionId: identifier,
  ...page,
});

/** `GET /api/v1/transactions` (contract 4). */
export const TransactionQuery = query({
  id: several(identifier),
  from: date,
  to: date,
  status: several(oneOf(STATUSES)),
  provider: Type.Unsafe<Provider>(provider),
  externalId: text,
  accountCode: text,
  contact: text,
  reference: textOf(ROW_MEMBERS.reference.most),
  bankAccount: textOf(ROW_MEMBERS.bankAccount.most),
  projectCode: textOf(ROW_MEMBERS.projectCode.most),
  externalIdPrefix: textOf(ROW_MEMBERS.externalId.most),
  recoded: Type.Boolean(),
  projectId: identifier,
  updatedSince: instant,
  q: text,
  order: oneOf(TRANSACTION_ORDERS),
  ...page,
});

/** `POST /api/v1/transactions`. */
export const PushQuery = query({ dryRun: Type.Boolean() });
