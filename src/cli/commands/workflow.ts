import { REVIEW_RESOLUTIONS } from '../../core/allocations.ts';
import * as operations from '../../operations/workflow.ts';
import { type Command, UsageError } from '../command.ts';
import { flags, hasFlag, readPositionals, requireText, withValue } from '../options.ts';
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
    await changeTransaction(call, operations.exclude, { transactionId, reason });
  },
};

/** `budgetd restore`. */
export const restore: Command = {
  usage: 'restore TXN',
  options: {},
  async run(call) {
    const [transactionId] = readPositionals(call, 'TXN');
    await changeTransaction(call, operations.restore, { transactionId });
  },
};

/** `budgetd review`. */
export const review: Command = {
  usage: 'review TXN --keep|--rescale|--clear',
  details: `
  --keep      keep the allocations as they are, if they still fit
  --rescale   change them in proportion to the new amount
  --clear     remove them

\`budgetd allocate TXN --line …\` replaces them, which also settles the review.
To see what needs review: budgetd transactions list --status needs_review`,
  options: flags(...REVIEW_RESOLUTIONS),
  async run(call) {
    const [transactionId] = readPositionals(call, 'TXN');
    const [resolution, second] = REVIEW_RESOLUTIONS.filter((each) => hasFlag(call, each));
    if (resolution === undefined || second !== undefined) {
      throw new UsageError('Use one of --keep, --rescale and --clear.');
    }
    await changeTransaction(call, operations.resolveReview, { transactionId, resolution });
  },
};
