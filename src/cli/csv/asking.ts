/** Asks open questions on a terminal. An empty line leaves a question open. */

import { createInterface } from 'node:readline';
import type { Question } from '../../files/index.ts';
import { isAnswer, type WrittenAnswer, writeAnswer } from '../../files/index.ts';
import type { Io } from '../command.ts';
import { printNotes } from '../output.ts';
import { isTerminal } from '../paint.ts';
import { formatQuestion } from './page.ts';

/** Whether a user can be asked: input and errors are on a terminal. */
export function canAsk({ stdin, stderr }: Io): boolean {
  return 'isTTY' in stdin && stdin.isTTY === true && isTerminal(stderr);
}

/** Reads answers line by line, over several rounds of questions. */
export class Asker {
  readonly #io: Io;
  readonly #reader: ReturnType<typeof createInterface>;
  readonly #lines: AsyncIterator<string>;

  constructor(io: Io) {
    this.#io = io;
    this.#reader = createInterface({ input: io.stdin, terminal: false });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /** Asks each question once and returns the answers as options. */
  async ask(questions: readonly Question[]): Promise<WrittenAnswer[]> {
    const answers: WrittenAnswer[] = [];
    for (const [at, question] of questions.entries()) {
      printNotes(this.#io, '', ...formatQuestion(question, at + 1));
      const answer = await this.#askOne(question);
      if (answer === 'end') break;
      if (answer !== undefined) answers.push(...answer);
    }
    return answers;
  }

  close(): void {
    this.#reader.close();
  }

  async #askOne(question: Question): Promise<WrittenAnswer[] | 'end' | undefined> {
    const { choices } = question;
    const last = choices.length;
    const numbers = last === 0 ? '' : `${last === 1 ? '1' : `1 to ${last}`}, or `;
    for (;;) {
      this.#io.stderr.write(`    ${numbers}an option as above; Enter to skip: `);
      const next = await this.#lines.next();
      if (next.done === true) return 'end';
      const text = next.value.trim();
      if (text === '') return undefined;
      const answer = readLine(text, question);
      if (answer !== undefined) return answer;
      printNotes(this.#io, '    That is not one of the answers.');
    }
  }
}

/** Reads the number of a choice, or options with their values. */
function readLine(text: string, { choices }: Question): WrittenAnswer[] | undefined {
  const choice = choices[Number(text) - 1];
  if (choice !== undefined) return choice.answers.map(writeAnswer);
  const answers: WrittenAnswer[] = [];
  for (const part of text.split(/\s+(?=--[a-z])/)) {
    const [, name, value] = /^--([a-z-]+)[ =](.+)$/.exec(part) ?? [];
    if (name === undefined || value === undefined || !isAnswer(name)) return undefined;
    answers.push({ name, value: unquote(value.trim()) });
  }
  return answers;
}

/** `"a b"` or `map="a b"` without the quotation marks that a shell would remove. */
function unquote(text: string): string {
  return text.replace(/^([^"=]*=)?"(.*)"$/, '$1$2').replace(/\\(["\\$`])/g, '$1');
}
