/**
 * The members of a pushed row (Spec 2.5, contract 6): the one list from which the reading of a row,
 * its errors, its statements, its hash, its entries in the log and its raw data come.
 */

/** What a member is, and where it is stored. */
interface RowMember {
  /** What people read. */
  readonly title: string;
  readonly kind: 'line' | 'prose' | 'date' | 'amount';
  /** The most Unicode code points of a text, after trimming. */
  readonly most?: number;
  /** Absent, null and nothing but white space are the same. */
  readonly isOptional?: true;
  /** Its column in the table of transactions. */
  readonly column: string;
  /** Its letter in raw data. */
  readonly letter: string;
  /**
   * What a change of its column costs: an entry of an index, or a trigger. One that changes seldom
   * is written with these, so that most changes name fewer columns.
   */
  readonly moves?: 'seldom' | 'index' | 'trigger';
}

/** A text of one line that a row can leave out. */
function code<const Column extends string>(
  title: string,
  most: number,
  column: Column,
  stored: Pick<RowMember, 'letter' | 'moves'>,
) {
  return { title, kind: 'line', isOptional: true, most, column, ...stored } as const;
}

/** In the order of a transaction's members (contract 4). New ones are optional, and come last. */
export const ROW_MEMBERS = {
  externalId: { title: 'External id', kind: 'line', most: 255, column: 'external_id', letter: 'i' },
  date: { title: 'Date', kind: 'date', column: 'date', letter: 'd', moves: 'trigger' },
  description: {
    title: 'Description',
    kind: 'prose',
    most: 1000,
    column: 'description',
    letter: 't',
  },
  contact: code('Contact', 255, 'contact', { letter: 'c', moves: 'index' }),
  amount: { title: 'Amount', kind: 'amount', column: 'amount_minor', letter: 'm' },
  accountCode: code('Account code', 64, 'account_code', { letter: 'a', moves: 'index' }),
  reference: code('Reference', 255, 'reference', { letter: 'r', moves: 'seldom' }),
  bankAccount: code('Bank account', 64, 'bank_account', { letter: 'b', moves: 'seldom' }),
  projectCode: code('Project code', 64, 'project_code', { letter: 'p', moves: 'index' }),
} as const satisfies Record<string, RowMember>;

type Members = typeof ROW_MEMBERS;
export type RowField = keyof Members;
type NameOf<Field extends RowField> = Field extends 'amount' ? 'amountMinor' : Field;
type ValueOf<Member extends RowMember> = Member['kind'] extends 'amount'
  ? number
  : Member extends { readonly isOptional: true }
    ? string | null
    : string;

/** A row without errors; the amount in minor units. */
export type ValidRow = {
  readonly [Field in RowField as NameOf<Field>]: ValueOf<Members[Field]>;
};

/**
 * Members that most rows lack. They are read and written apart, so that those take no longer. Of
 * the columns of a file, only their names show that they have one.
 */
export const RARE = ['reference', 'bankAccount', 'projectCode'] as const;
export type RareField = (typeof RARE)[number];

/** The texts of a row, in the order in which they choose their columns in a file. */
export const TEXT_FIELDS = ['description', 'contact', 'accountCode', ...RARE] as const;

/** A value for each rare member. */
export function forEachRare<Value>(make: (field: RareField) => Value) {
  const made = RARE.map((field) => [field, make(field)]);
  return Object.fromEntries(made) as Readonly<Record<RareField, Value>>;
}

/** Whether two rows with one externalId are the same. Written out: a loop takes a sixth longer. */
export function isSameRow(one: ValidRow, other: ValidRow): boolean {
  return (
    one.date === other.date &&
    one.description === other.description &&
    one.contact === other.contact &&
    one.amountMinor === other.amountMinor &&
    one.accountCode === other.accountCode &&
    one.reference === other.reference &&
    one.bankAccount === other.bankAccount &&
    one.projectCode === other.projectCode
  );
}

/** The members in which two rows with one externalId differ; written out as well. */
export function changedFields(
  one: Omit<ValidRow, 'externalId'>,
  other: Omit<ValidRow, 'externalId'>,
): ChangeableField[] {
  const changed: ChangeableField[] = [];
  if (one.date !== other.date) changed.push('date');
  if (one.description !== other.description) changed.push('description');
  if (one.contact !== other.contact) changed.push('contact');
  if (one.amountMinor !== other.amountMinor) changed.push('amount');
  if (one.accountCode !== other.accountCode) changed.push('accountCode');
  if (one.reference !== other.reference) changed.push('reference');
  if (one.bankAccount !== other.bankAccount) changed.push('bankAccount');
  if (one.projectCode !== other.projectCode) changed.push('projectCode');
  return changed;
}

/** A value for each of some members, in their order. */
type TextsOf<Names extends readonly unknown[]> = { readonly [At in keyof Names]: string | null };

/** The values of a row in the order of its members, without the rare ones if it has none. */
export function valuesOf(row: ValidRow): (string | number | null)[] {
  const { externalId, date, description, contact, amountMinor, accountCode } = row;
  const common = [externalId, date, description, contact, amountMinor, accountCode];
  const rare: TextsOf<typeof RARE> = [row.reference, row.bankAccount, row.projectCode];
  return rare.every((each) => each === null) ? common : [...common, ...rare];
}

export interface StoredMember {
  readonly field: RowField;
  /** Its name in a {@link ValidRow}. */
  readonly name: keyof ValidRow;
  readonly column: RowColumn;
  readonly moves: RowMember['moves'];
}

interface ChangeableMember extends StoredMember {
  readonly field: ChangeableField;
  readonly name: Exclude<keyof ValidRow, 'externalId'>;
}

export type RowColumn = Members[RowField]['column'];

const FIELDS = Object.keys(ROW_MEMBERS) as RowField[];

export const STORED_MEMBERS: readonly StoredMember[] = FIELDS.map((field) => {
  const { column, moves }: RowMember & { column: RowColumn } = ROW_MEMBERS[field];
  return { field, name: rowName(field), column, moves };
});

/** The name of a member in a {@link ValidRow}. */
export function rowName(field: RowField): keyof ValidRow {
  return field === 'amount' ? 'amountMinor' : field;
}

/** Members that a push can change: all but the one that identifies the row. */
const CHANGEABLE_MEMBERS = STORED_MEMBERS.filter(isChangeable);

function isChangeable(member: StoredMember): member is ChangeableMember {
  return member.field !== 'externalId';
}

/** The members in the order of their errors: the amount is the last. */
export const ROW_FIELDS: readonly RowField[] = [
  ...FIELDS.filter((field) => field !== 'amount'),
  'amount',
];

/** The members that `changed` can name in a result (contract 6). */
export type ChangeableField = Exclude<RowField, 'externalId'>;
export const CHANGEABLE_FIELDS = CHANGEABLE_MEMBERS.map(({ field }) => field);

/** The members that a row can leave out. */
export const OPTIONAL_FIELDS = FIELDS.filter((field) => isOptional(field));

/** The most characters of a text; undefined for a date and an amount. */
export function mostOf(field: RowField): number | undefined {
  const { most }: RowMember = ROW_MEMBERS[field];
  return most;
}

/** Whether a row can leave a member out. */
export function isOptional(field: RowField): boolean {
  const { isOptional: optional }: RowMember = ROW_MEMBERS[field];
  return optional === true;
}
