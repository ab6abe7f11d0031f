/** The mapping that the findings make: what `push` reads the file with. */

import type { DateFormat } from '../rows/date-formats.ts';
import type { Encoding } from '../rows/encodings.ts';
import { type FieldRule, type Mapping, ruleOf } from '../rows/mapping.ts';
import type { ColumnFacts } from './column-facts.ts';
import type { CurrencyGuard } from './currencies.ts';
import type { Facts } from './facts.ts';
import type { Finding } from './found.ts';
import type { Identity } from './identities.ts';
import type { Separators } from './separators.ts';
import type { Signed } from './sign-context.ts';
import { findStatus } from './statuses.ts';

type Columns = readonly ColumnFacts[];

/** Everything that a mapping needs. */
export interface Parts {
  readonly encoding: Finding<Encoding>;
  readonly facts: Facts;
  readonly date: Finding<ColumnFacts>;
  readonly dateFormat: Finding<DateFormat>;
  readonly decimal: Finding<Separators>;
  readonly sign: Finding<Signed>;
  readonly cellCurrency: Finding<string | undefined>;
  readonly currency: Finding<CurrencyGuard>;
  readonly description: Finding<Columns>;
  readonly contact: Finding<Columns>;
  readonly accountCode: Finding<Columns>;
  readonly externalId: Finding<Identity>;
}

/** The mapping without rules for lines that are not rows; its fields are in a readable order. */
export function makeMapping(parts: Parts): Mapping {
  const { facts, currency, externalId, description, contact, accountCode } = parts;
  const { layout } = facts;
  const isHeaderless = layout.headerLine.value === 0;
  const shape = { columns: layout.names.length, skipLines: layout.firstRowLine - 1 };
  const guard = currency.value;
  const { title: date } = parts.date.value;
  const amount = makeAmount(parts);
  const texts = [description, contact, accountCode].flatMap(({ value }) => titlesOf(value));
  // Every column of a row: rows that are equal in all of them are equal.
  const made = [...new Set([date, ...amount.columns, ...texts])];
  const optional = (field: 'contact' | 'accountCode') => {
    const columns = titlesOf(parts[field].value);
    return columns.length === 0 ? {} : { [field]: ruleOf(field, columns) };
  };
  return {
    encoding: parts.encoding.value === 'utf-8' ? undefined : parts.encoding.value,
    delimiter: layout.delimiter.value,
    ...parts.decimal.value,
    headerless: isHeaderless ? shape : undefined,
    currency: guard === undefined ? undefined : { column: guard.column.title, is: guard.is },
    status: findStatus(facts),
    fields: {
      externalId:
        externalId.value === null
          ? { ...ruleOf('externalId', made), isMade: true }
          : ruleOf('externalId', [externalId.value.title]),
      date: { ...ruleOf('date', [date]), format: parts.dateFormat.value },
      description: ruleOf('description', titlesOf(description.value)),
      ...optional('contact'),
      amount,
      ...optional('accountCode'),
    },
  };
}

function titlesOf(columns: Columns): string[] {
  return columns.map(({ title }) => title);
}

function makeAmount({ sign, cellCurrency }: Parts): FieldRule {
  const { columns, shape } = sign.value;
  const negative = (['trailing minus', 'brackets'] as const).filter((form) =>
    columns.some(({ numbers }) => numbers.forms.has(form)),
  );
  const currency = cellCurrency.value;
  const own = { shape, negative, ...(currency === undefined ? {} : { currency }) };
  return { ...ruleOf('amount', titlesOf(columns)), amount: own };
}
