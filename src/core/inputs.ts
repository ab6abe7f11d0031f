/**
 * What comes in from outside, one schema for each document: the source of its type, of its check
 * and, if it is part of the interface, of its description in the OpenAPI document. `npm run build`
 * compiles every schema of this file into `checks.js`; only that is loaded (decision 0001).
 */

import { type Static, Type } from 'typebox';
import {
  ACCOUNT_CODE_CHARACTERS,
  CONTACT_CHARACTERS,
  DESCRIPTION_CHARACTERS,
  EXTERNAL_ID_CHARACTERS,
  PUSH_ROWS,
} from './limits.ts';

const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const date = Type.String({ format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const notBlank = { minLength: 1, pattern: '\\S' };

/** A row of a push as documented (Spec 2.5). `core/push.ts` reads it. */
export const PushRow = Type.Object({
  externalId: Type.String({ ...notBlank, maxLength: EXTERNAL_ID_CHARACTERS }),
  date,
  description: Type.String({ ...notBlank, maxLength: DESCRIPTION_CHARACTERS }),
  contact: Type.Optional(nullable(Type.String({ maxLength: CONTACT_CHARACTERS }))),
  amount: Type.Number(),
  accountCode: Type.Optional(nullable(Type.String({ maxLength: ACCOUNT_CODE_CHARACTERS }))),
});
export type PushRow = Static<typeof PushRow>;

const severalRows = { minItems: 1, maxItems: PUSH_ROWS };

/** The body of a push (Spec 4.6). */
export const PushRequest = Type.Object({ rows: Type.Array(PushRow, severalRows) });
export type PushRequest = Static<typeof PushRequest>;

/** The same before its rows are read: a wrong row is rejected, but the others count. */
export const PushEnvelope = Type.Object({ rows: Type.Array(Type.Unknown(), severalRows) });
