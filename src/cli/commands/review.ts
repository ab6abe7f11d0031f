import { REVIEW_RESOLUTIONS } from '../../core/allocations.ts';
import { resolveReview } from '../../operations/workflow.ts';
import { type Command, UsageError } from '../command.ts';
import { flags, hasFlag, readPositionals } from '../options.ts';
import { changeTransaction } from '../transaction-text.ts';

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
    return changeTransaction(call, (access, actor) =>
      resolveReview(access, { transactionId, resolution }, actor),
    );
  },
};
