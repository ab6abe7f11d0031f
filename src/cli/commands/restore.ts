import * as operations from '../../operations/workflow.ts';
import type { Command } from '../command.ts';
import { readPositionals } from '../options.ts';
import { changeTransaction } from '../transaction-text.ts';

/** `budgetd restore`. */
export const restore: Command = {
  usage: 'restore TXN',
  options: {},
  async run(call) {
    const [id] = readPositionals(call, 'TXN');
    return changeTransaction(call, (access, actor) =>
      operations.restore(access, { transactionId: id }, actor),
    );
  },
};
