/**
 * What someone said about a file, as the address of a page has it: the answers by the names of the
 * options of `csv inspect`, which finding is being changed, and whether to inspect the file again.
 */

import { isAnswer, type Subject, type WrittenAnswer } from '../../files/index.ts';
import type { HtmlValue } from '../../http/html.ts';
import type { Request } from '../../http/message.ts';
import { hiddenField } from '../components/forms.ts';
import { SUBJECTS } from './subjects.ts';

/** What is asked of a page about a file. */
export interface Wish {
  readonly fileId: string;
  readonly written: readonly WrittenAnswer[];
  readonly isAgain: boolean;
  /** The finding for which the page has a form. */
  readonly change: Subject | undefined;
}

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

/** The address of the page about a file, with other answers, or with a form about a finding. */
export function fileAddress(
  { fileId, written: given, isAgain }: Wish,
  { written = given, change }: Partial<Pick<Wish, 'written' | 'change'>> = {},
): string {
  const query = new URLSearchParams();
  for (const { name, value } of written) query.append(name, value);
  if (isAgain) query.set('again', 'yes');
  if (change !== undefined) query.set('change', change);
  return `/import/${fileId}${query.size > 0 ? `?${query}` : ''}`;
}

/** The answers so far, for a form to send again. */
export function hiddenAnswers({ written }: Wish): HtmlValue {
  return written.map(({ name, value }) => hiddenField(name, value));
}

/** The answers with new ones about a subject, in place of those that were given before. */
export function replaceAnswers(
  written: readonly WrittenAnswer[],
  subject: Subject,
  added: readonly WrittenAnswer[],
): WrittenAnswer[] {
  const { replaced } = SUBJECTS[subject];
  const kept = written.filter(({ name, value }) => {
    const use = name === 'map' ? `map ${value.slice(0, value.indexOf('=')).trim()}` : name;
    return !replaced.includes(use);
  });
  return [...kept, ...added];
}
