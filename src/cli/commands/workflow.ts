import { REVIEW_RESOLUTIONS } from '../../core/allocations.ts';
import * as operations from '../../operations/workflow.ts';
import { type Command, UsageError } from '../command.ts';
import { hasFlag, readPositionals, requireText } from '../options.ts';
import { changeTransaction } from '../transaction-text.ts';

const exclude: Command = {
  name: 'exclude',
  summary: 'excludes a transaction from budgets until you restore it',
  usage: 'TXN --reason R',
  details: `
  --reason R   why, for the audit log

The transaction stays excluded when it is pushed again. If it has allocations,
remove them first with \`budgetd allocate TXN --none\`.`,
  async run(call) {
    const [transactionId] = readPositionals(call, 'TXN');
    const reason = requireText(call, 'reason');
    await changeTransaction(call, operations.exclude, { transactionId, reason });
  },
};

const restore: Command = {
  name: 'restore',
  summary: 'restores an excluded transaction',
  usage: 'TXN',
  async run(call) {
    const [transactionId] = readPositionals(call, 'TXN');
    await changeTransaction(call, operations.restore, { transactionId });
  },
};

const review: Command = {
  name: 'review',
  summary: 'settles a transaction whose amount has changed',
  usage: 'TXN --keep|--rescale|--clear',
  details: `
  --keep      keep the allocations as they are, if they still fit
  --rescale   change them in proportion to the new amount
  --clear     remove them

\`budgetd allocate TXN --line …\` replaces them, which also settles the review.
To see what needs review: budgetd transactions list --status needs_review`,
  async run(call) {
    const [transactionId] = readPositionals(call, 'TXN');
    const [resolution, second] = REVIEW_RESOLUTIONS.filter((each) => hasFlag(call, each));
    if (resolution === undefined || second !== undefined) {
      throw new UsageError('Use one of --keep, --rescale and --clear.');
    }
    await changeTransaction(call, operations.resolveReview, { transactionId, resolution });
  },
};

export const commands = [exclude, restore, review];
