import * as operations from '../../operations/workflow.ts';
import type { Command } from '../command.ts';
import { readPositionals, requireText, withValue } from '../options.ts';
import { changeTransaction } from '../transaction-text.ts';

/** `budgetd exclude`. */
export const exclude: Command = {
  usage: 'exclude TXN --reason R',
  details: `
  --reason R   why, for the audit log

The transaction stays excluded when it is pushed again. If it has allocations,
remove them first with \`budgetd allocate TXN --none\`.`,
  options: withValue('reason'),
  async run(call) {
    const [transactionId] = readPositionals(call, 'TXN');
    const reason = requireText(call, 'reason');
    return changeTransaction(call, (access, actor) =>
      operations.exclude(access, { transactionId, reason }, actor),
    );
  },
};
