/** Which language the names of months in a column are of, where they are names of few languages. */

import {
  isDoubtfulMonth,
  languagesOfMonth,
  MONTH_LANGUAGES,
  type MonthLanguage,
} from '../push/months.ts';
import type { Seen } from './number-column.ts';

/** The names that one column has. */
export class MonthNames {
  readonly #languages = new Set<MonthLanguage>(MONTH_LANGUAGES);
  readonly #known = new Set<string>();
  /** The first cell that tells languages apart. */
  proof: Seen | undefined;
  /** The first cell whose month is another one in another language. */
  doubtful: Seen | undefined;

  /** A cell with the name of a month. */
  add(text: string, line: number): void {
    for (const [word] of text.matchAll(/\p{L}+/gu)) {
      if (this.#known.has(word)) continue;
      const languages = languagesOfMonth(word);
      if (languages === undefined) continue;
      this.#known.add(word);
      if (isDoubtfulMonth(word)) this.doubtful ??= { line, text };
      else this.proof ??= { line, text };
      for (const each of this.#languages)
        if (!languages.includes(each)) this.#languages.delete(each);
    }
  }

  /** What a format has to say behind it: one is proven, several have to be asked. */
  listSuffixes(): string[] {
    const languages = [...this.#languages];
    const isSaid = languages.length === 1 || (this.doubtful !== undefined && languages.length > 1);
    return isSaid ? languages.map((each) => `@${each}`) : [''];
  }
}
