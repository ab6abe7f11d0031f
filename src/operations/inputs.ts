/**
 * A project of a project file (contract 8), and a list of rules (contract 15), once its texts are
 * trimmed and null or blank members are taken out. `npm run build` compiles it into `checks.js`
 * (decision 0001). What a schema cannot express is in `project-file.ts` and `rules.ts`.
 */

import { type Static, Type } from 'typebox';
import { DATE_PATTERN, MONTH_PATTERN } from '../core/calendar.ts';
import { CHARACTERS, PROJECTS, RULE_LIMITS } from '../core/limits.ts';
import { LINE_KINDS, type LineKind } from '../core/projects.ts';
import { ROW_MEMBERS } from '../core/row-members.ts';
import { DIRECTIONS } from '../core/rules.ts';
import { CONTROL, CONTROL_IN_PROSE, textPattern } from '../core/text.ts';
import { PROVIDERS, type Provider } from '../core/transactions.ts';

const object = <Members extends Type.TProperties>(members: Members) =>
  Type.Object(members, { additionalProperties: false });
const text = (maxLength: number, control: string) =>
  Type.String({ minLength: 1, maxLength, pattern: `^${textPattern(control)}` });

const name = text(CHARACTERS.name, CONTROL);
const optionalName = Type.Optional(name);
const date = Type.String({ format: 'date', pattern: DATE_PATTERN });
const amount = Type.Number();
const amountByMonth = Type.Unsafe<Readonly<Record<string, number>>>(
  Type.Object({}, { patternProperties: { [MONTH_PATTERN]: amount }, additionalProperties: false }),
);

const project = <Mode extends Type.TSchema, Budget extends Type.TSchema>(
  budgetMode: Mode,
  budget: Budget,
) =>
  object({
    name,
    description: Type.Optional(text(CHARACTERS.note, CONTROL_IN_PROSE)),
    startDate: date,
    endDate: date,
    // It must be the organisation's: a rule.
    currency: Type.Optional(Type.Unknown()),
    budgetMode,
    parentProject: optionalName,
    funder: Type.Optional(object({ name, reference: optionalName })),
    // The same one twice is refused: a rule.
    codes: Type.Optional(
      Type.Array(text(ROW_MEMBERS.projectCode.most, CONTROL), { maxItems: PROJECTS.codes }),
    ),
    // Null stays, and its form is a rule.
    tolerancePercent: Type.Optional(Type.Unknown()),
    archived: Type.Optional(Type.Boolean()),
    budgetLines: Type.Optional(
      Type.Array(
        object({
          code: optionalName,
          name,
          category: optionalName,
          kind: Type.Optional(Type.Unsafe<LineKind>({ enum: [...LINE_KINDS] })),
          accountCodes: Type.Optional(Type.Array(text(ROW_MEMBERS.accountCode.most, CONTROL))),
          budget: Type.Optional(budget),
        }),
      ),
    ),
  });

/** A project with an amount for each line and month. */
export const MonthlyProject = project(Type.Optional(Type.Literal('monthly')), amountByMonth);
export type MonthlyProject = Static<typeof MonthlyProject>;

/** A project with one amount for each line. */
export const TotalProject = project(Type.Literal('total'), amount);
export type TotalProject = Static<typeof TotalProject>;

const oneOf = <Text extends string>(texts: readonly Text[]) =>
  Type.Optional(Type.Unsafe<Text>({ enum: [...texts] }));
/** Of each, one member has to be there: a rule. */
const texts = (length: number, other: 'contains' | 'startsWith', control = CONTROL) => {
  const some = Type.Optional(text(length, control));
  return Type.Optional(object({ is: some, [other]: some }));
};
/** What is printed, and ignored when it is read. */
const printed = Type.Optional(Type.Unknown());

const rule = object({
  name: text(CHARACTERS.ruleName, CONTROL),
  on: Type.Optional(Type.Boolean()),
  from: Type.Optional(date),
  until: Type.Optional(date),
  conditions: object({
    contact: texts(ROW_MEMBERS.contact.most, 'contains'),
    description: texts(ROW_MEMBERS.description.most, 'contains', CONTROL_IN_PROSE),
    accountCode: texts(ROW_MEMBERS.accountCode.most, 'startsWith'),
    projectCode: Type.Optional(object({ is: text(ROW_MEMBERS.projectCode.most, CONTROL) })),
    amount: Type.Optional(object({ from: Type.Optional(amount), to: Type.Optional(amount) })),
    direction: oneOf(DIRECTIONS),
    provider: oneOf<Provider>(PROVIDERS),
  }),
  shares: Type.Array(
    object({
      project: optionalName,
      line: optionalName,
      budgetLineId: printed,
      percent: Type.Optional(amount),
      rest: Type.Optional(Type.Boolean()),
    }),
    { maxItems: RULE_LIMITS.shares },
  ),
  position: printed,
  allocated: printed,
});

/** The rules of an organisation. */
export const RuleFile = object({
  automatic: Type.Optional(Type.Boolean()),
  byAccountCode: Type.Optional(Type.Boolean()),
  rules: Type.Array(rule, { maxItems: RULE_LIMITS.rules }),
});
export type RuleFile = Static<typeof RuleFile>;
