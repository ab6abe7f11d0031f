/**
 * What comes in from outside, one schema for each document: the source of its type, of its check
 * and, if it is part of the interface, of its description in the OpenAPI document. `npm run build`
 * compiles every schema of this file into `checks.js`; only that is loaded (decision 0001).
 */

import { type Static, Type } from 'typebox';
import { DATE_PATTERN } from './calendar.ts';
import {
  ACCOUNT_CODE_CHARACTERS,
  CONTACT_CHARACTERS,
  DESCRIPTION_CHARACTERS,
  EXTERNAL_ID_CHARACTERS,
  PUSH_ROWS,
} from './limits.ts';
import { CONTROL, CONTROL_IN_PROSE, isWellFormed } from './text.ts';
import { JOURNAL_MARKS } from './transactions.ts';

/** A text of one form. That it is well formed cannot be said in JSON Schema. */
const text = (maxLength: number, pattern: string) =>
  Type.Refine(Type.String({ maxLength, pattern }), isWellFormed);
const optional = <Schema extends Type.TSchema>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

const LINE = `^[^${CONTROL}]*$`;
const NOT_BLANK = `^[^${CONTROL}]*[^\\s${CONTROL}][^${CONTROL}]*$`;
const PROSE = `^[^${CONTROL_IN_PROSE}]*[^\\s${CONTROL_IN_PROSE}][^${CONTROL_IN_PROSE}]*$`;

/** A real date (contract 1). */
export const CalendarDate = Type.String({ format: 'date', pattern: DATE_PATTERN });

/** An amount in major units: how many decimal places it may have depends on the currency. */
export const Amount = Type.Number();

type JournalMark = (typeof JOURNAL_MARKS)[number];
const absent = Type.Optional(Type.Null());
const marks = Object.fromEntries(JOURNAL_MARKS.map((mark) => [mark, absent]));

/** A row of a push once `readRow` has trimmed its texts (Spec 2.5). */
export const PushRow = Type.Object({
  externalId: text(EXTERNAL_ID_CHARACTERS, NOT_BLANK),
  date: CalendarDate,
  description: text(DESCRIPTION_CHARACTERS, PROSE),
  contact: optional(text(CONTACT_CHARACTERS, LINE)),
  amount: Amount,
  accountCode: optional(text(ACCOUNT_CODE_CHARACTERS, LINE)),
  ...(marks as Record<JournalMark, typeof absent>),
});
export type PushRow = Static<typeof PushRow>;

const severalRows = { minItems: 1, maxItems: PUSH_ROWS };

/** The body of a push (Spec 4.6). */
export const PushRequest = Type.Object({ rows: Type.Array(PushRow, severalRows) });
export type PushRequest = Static<typeof PushRequest>;

/** The same before its rows are read: a wrong row is rejected, but the others count. */
export const PushEnvelope = Type.Object({ rows: Type.Array(Type.Unknown(), severalRows) });
