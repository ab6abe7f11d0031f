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
interface Asked {
  readonly fileId: string;
  readonly written: readonly WrittenAnswer[];
  readonly isAgain: boolean;
  /** The finding for which the page has a form. */
  readonly change?: Subject | undefined;
}

/** What the address of a page asks, with the addresses of pages that ask something else. */
export class Wish implements Asked {
  readonly fileId: string;
  readonly written: readonly WrittenAnswer[];
  readonly isAgain: boolean;
  readonly change: Subject | undefined;

  constructor({ fileId, written, isAgain, change }: Asked) {
    this.fileId = fileId;
    this.written = written;
    this.isAgain = isAgain;
    this.change = change;
  }

  /** Reads what the address asks. */
  static read({ params, query }: Pick<Request, 'params' | 'query'>): Wish {
    const change = query.find(([name]) => name === 'change')?.[1];
    return new Wish({
      fileId: params['id'] ?? '',
      written: query.flatMap(([name, value]) => (isAnswer(name) ? [{ name, value }] : [])),
      isAgain: query.some(([name]) => name === 'again'),
      change: isSubject(change) ? change : undefined,
    });
  }

  /** The address of the page with these answers, or others, or with a form about a finding. */
  address({ written = this.written, change }: Partial<Pick<Asked, 'written' | 'change'>> = {}) {
    const query = new URLSearchParams();
    for (const { name, value } of written) query.append(name, value);
    if (this.isAgain) query.set('again', 'yes');
    if (change !== undefined) query.set('change', change);
    return `/import/${this.fileId}${query.size > 0 ? `?${query}` : ''}`;
  }

  /** The answers so far, for a form to send again. */
  get hidden(): HtmlValue {
    return this.written.map(({ name, value }) => hiddenField(name, value));
  }

  /** The answers with new ones about a subject, in place of those that were given before. */
  replacing(subject: Subject, added: readonly WrittenAnswer[]): WrittenAnswer[] {
    const { replaced } = SUBJECTS[subject];
    const kept = this.written.filter(({ name, value }) => {
      const use = name === 'map' ? `map ${value.slice(0, value.indexOf('=')).trim()}` : name;
      return !replaced.includes(use);
    });
    return [...kept, ...added];
  }
}

/** Whether a text names something that can be found. */
export function isSubject(text: string | undefined): text is Subject {
  return text !== undefined && Object.hasOwn(SUBJECTS, text);
}
