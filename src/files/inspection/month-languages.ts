/** Finds the language of the month names in a column, if only a few languages have them. */

import {
  isDoubtfulMonth,
  languagesOfMonth,
  MONTH_LANGUAGES,
  type MonthLanguage,
} from '../../core/months.ts';
import type { Seen } from './found.ts';

/** The languages that the month names in one column can be in. */
export class MonthLanguages {
  readonly #languages = new Set<MonthLanguage>(MONTH_LANGUAGES);
  readonly #known = new Set<string>();
  /** The first cell that shows the language. */
  proof: Seen | undefined;
  /** The first cell whose month name means another month in another language. */
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

  /** The suffixes that a format needs: one is proven, several must be asked. */
  listSuffixes(): string[] {
    const languages = [...this.#languages];
    const isSaid = languages.length === 1 || (this.doubtful !== undefined && languages.length > 1);
    return isSaid ? languages.map((each) => `@${each}`) : [''];
  }
}
