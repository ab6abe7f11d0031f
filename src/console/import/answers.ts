/**
 * What someone said about a file, as the address of a page has it: the answers by the names of the
 * options of `csv inspect`, which finding is being changed, and whether to inspect the file again.
 */

import type { Subject } from '../../files/index.ts';
import {
  isAnswer,
  MappingError,
  readAnswers,
  type WrittenAnswer,
  WrittenAnswerError,
} from '../../files/index.ts';
import type { Request } from '../../http/message.ts';
import type { Faults } from '../components/forms.ts';

/** What is asked of a page about a file. */
export interface Wish {
  readonly fileId: string;
  readonly written: readonly WrittenAnswer[];
  readonly isAgain: boolean;
  /** The finding for which the page has a form. */
  readonly change: Subject | undefined;
}

/** What each finding is called on a page. */
export const SUBJECTS: Readonly<Record<Subject, string>> = {
  encoding: 'Encoding',
  delimiter: 'Delimiter',
  header: 'Header',
  date: 'Date',
  dateFormat: 'Date format',
  amount: 'Amount',
  decimal: 'Decimal separator',
  moneyOut: 'Money out',
  doubleEntry: 'Both sides of entries',
  currency: 'Currency',
  description: 'Description',
  contact: 'Contact',
  accountCode: 'Account code',
  reference: 'Reference',
  bankAccount: 'Bank account',
  projectCode: 'Project code',
  externalId: 'External id',
  notRow: 'Lines that are not rows',
  rejected: 'Rejected rows',
};

/** The names of answers that a new answer about the subject replaces; `map` with its use. */
const REPLACED: Readonly<Record<Subject, readonly string[]>> = {
  encoding: ['encoding'],
  delimiter: ['delimiter'],
  header: ['header'],
  date: ['map date', 'date-format'],
  dateFormat: ['date-format'],
  amount: ['map amount', 'map out', 'map in', 'map indicator', 'money-out'],
  decimal: ['decimal'],
  moneyOut: ['money-out', 'map indicator'],
  doubleEntry: ['row'],
  currency: ['currency', 'map currency'],
  description: ['map description'],
  contact: ['map contact'],
  accountCode: ['map accountCode'],
  reference: ['map reference'],
  bankAccount: ['map bankAccount'],
  projectCode: ['map projectCode'],
  externalId: ['map externalId'],
  notRow: [],
  rejected: [],
};

/** Reads what the address asks. */
export function readWish({ params, query }: Pick<Request, 'params' | 'query'>): Wish {
  const change = query.find(([name]) => name === 'change')?.[1];
  return {
    fileId: params['id'] ?? '',
    written: query.flatMap(([name, value]) => (isAnswer(name) ? [{ name, value }] : [])),
    isAgain: query.some(([name]) => name === 'again'),
    change: isSubject(change) ? change : undefined,
  };
}

/** Whether a text names something that can be found. */
export function isSubject(text: string | undefined): text is Subject {
  return text !== undefined && Object.hasOwn(SUBJECTS, text);
}

/** The address of the page about a file. */
export function fileAddress({ fileId, written, isAgain, change }: Wish): string {
  const query = new URLSearchParams();
  for (const { name, value } of written) query.append(name, value);
  if (isAgain) query.set('again', 'yes');
  if (change !== undefined) query.set('change', change);
  return `/import/${fileId}${query.size > 0 ? `?${query}` : ''}`;
}

/** The answers with new ones about a subject, in place of those that were given before. */
export function replaceAnswers(
  written: readonly WrittenAnswer[],
  subject: Subject,
  added: readonly WrittenAnswer[],
): WrittenAnswer[] {
  const replaced = REPLACED[subject];
  const kept = written.filter(({ name, value }) => {
    const use = name === 'map' ? `map ${value.slice(0, value.indexOf('=')).trim()}` : name;
    return !replaced.includes(use);
  });
  return [...kept, ...added];
}

/** What is wrong with answers as they were typed into the form about a subject. */
export function faultsOfAnswers(subject: Subject, added: readonly WrittenAnswer[]): Faults {
  if (added.length === 0) return { [FIRST_FIELD]: 'Say what it is.' };
  try {
    readAnswers(added);
    return {};
  } catch (error) {
    if (error instanceof WrittenAnswerError) {
      return { [FIRST_FIELD]: `${SUBJECTS[subject]}${error.message}` };
    }
    if (error instanceof MappingError) return { [FIRST_FIELD]: error.message };
    throw error;
  }
}

/** The name and id of the first field of the form about a subject. */
export const FIRST_FIELD = 'value';
