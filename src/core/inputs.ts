/**
 * What comes in from outside, one schema for each document: the source of its type, of its check
 * and, if it is part of the interface, of its description in the OpenAPI document. `npm run build`
 * compiles every schema of this file into `checks.js`; only that is loaded (decision 0001).
 */

import { type Static, type TSchema, Type } from 'typebox';
import { DATE_PATTERN } from './calendar.ts';
import { PUSH_ROWS } from './limits.ts';
import { ROW_MEMBERS, type RowField } from './row-members.ts';
import { member, nullable, SIGN } from './schemas.ts';
import { CONTROL, CONTROL_IN_PROSE, textPattern } from './text.ts';

const text = (maxLength: number, pattern: string, description?: string) => {
  const words = description === undefined ? {} : { description };
  return Type.String({ maxLength, pattern, ...words });
};

// The looking ahead keeps these linear: two repetitions that can share characters would not be.
const LINE = `^${textPattern(CONTROL)}`;
const NOT_BLANK = `^(?!\\s*$)${textPattern(CONTROL)}`;
const PROSE = `^(?!\\s*$)${textPattern(CONTROL_IN_PROSE)}`;

/** A text that a row can leave out. */
const optionalText = (maxLength: number, what: string) =>
  Type.Optional(
    member(nullable(text(maxLength, LINE)), `${what} White space around it is trimmed.`),
  );

/** A real date (contract 1). */
export const CalendarDate = Type.String({
  format: 'date',
  pattern: DATE_PATTERN,
  description:
    'A calendar date, `YYYY-MM-DD`, years 1900 to 2199. It has no time zone: keep it as text.',
});

/** How many decimal places an amount may have depends on the currency. */
export const Amount = Type.Number({
  description:
    "An amount in major units of the organisation's base currency (12.5 is twelve pounds fifty). " +
    '**Money out is positive, money in is negative.** Always a whole number of minor units.',
});

const members = {
  externalId: text(
    ROW_MEMBERS.externalId.most,
    NOT_BLANK,
    'Identifies the row in your system, byte for byte: pushing it again updates the ' +
      'transaction. Not blank, no control characters.',
  ),
  date: member(
    CalendarDate,
    'The date the money moved. Must be a real date: `2026-02-29` is rejected.',
  ),
  description: text(
    ROW_MEMBERS.description.most,
    PROSE,
    'What it was for. White space around it is trimmed; tab and newline are the only control ' +
      'characters allowed.',
  ),
  contact: optionalText(ROW_MEMBERS.contact.most, 'Who paid or was paid.'),
  amount: member(
    Amount,
    `**${SIGN}** Most bank files use the opposite sign. Never rounded. Push 0 to void it.`,
  ),
  accountCode: optionalText(ROW_MEMBERS.accountCode.most, 'The code of the ledger account.'),
  reference: optionalText(
    ROW_MEMBERS.reference.most,
    'The voucher, invoice or bank reference by which a person finds the payment. The rows of ' +
      'one payment share it.',
  ),
  bankAccount: optionalText(ROW_MEMBERS.bankAccount.most, 'The account on which the cash moved.'),
  projectCode: optionalText(
    ROW_MEMBERS.projectCode.most,
    'What your finance system calls the project, fund, cost centre or analytic account.',
  ),
} satisfies Record<RowField, TSchema>;

/** A row of a push once `readRow` has trimmed its texts (Spec 2.5). */
export const PushRow = Type.Object(
  {
    ...members,
    currency: Type.Optional(
      member(
        nullable(Type.String()),
        "The organisation's base currency, in any case, with white space around it, or blank. " +
          'Any other is rejected. Kept as raw data only.',
      ),
    ),
  },
  {
    description:
      'A cash movement to push. Each push replaces the whole transaction: an update without an ' +
      'optional member clears that member. An unknown member is kept as raw data, with the ' +
      'warning `unknown_field`. This schema says all that is checked, except: white space around ' +
      '`description` and the optional texts is trimmed first, an `amount` must fit the ' +
      'decimal places of the currency and be at most 999,999,999,999 minor units, `currency` ' +
      "must be the organisation's own, a member of a journal line (`debit`, `credit`, " +
      '`journalId`, `journalNumber`, `journalLines`, `lines`) must be null or absent, and a ' +
      'payment marked by `deleted`, `isDeleted`, `void`, `voided` or `isVoid` must have the ' +
      'amount 0.',
  },
);
export type PushRow = Static<typeof PushRow>;

const severalRows = { minItems: 1, maxItems: PUSH_ROWS };

/** The body of a push (Spec 4.6). */
export const PushRequest = Type.Object(
  {
    rows: Type.Array(PushRow, {
      ...severalRows,
      description: 'The rows, processed in this order.',
    }),
  },
  { description: 'The body of a push. Members other than `rows` are ignored.' },
);

/** A push before its rows are read: a wrong row is rejected, but the others count. */
export const PushEnvelope = Type.Object({ rows: Type.Array(Type.Unknown(), severalRows) });
