import { REVIEW_RESOLUTIONS } from '../../core/allocations.ts';
import { type Command, EXIT, hasFlag, readPositionals, UsageError } from '../command.ts';
import { printTransaction } from '../transaction-text.ts';

/** `budgetd review`. */
export const review: Command = {
  usage: 'review TXN --keep|--rescale|--clear',
  summary: 'settles a transaction whose amount changed after allocation',
  details: `
  --keep      keep the allocations as they are, if they still fit
  --rescale   change them in proportion to the new amount
  --clear     remove them

\`budgetd allocate TXN --line …\` replaces them, which also settles the review.
To see what needs review: budgetd transactions list --status needs_review`,
  options: {
    keep: { type: 'boolean' },
    rescale: { type: 'boolean' },
    clear: { type: 'boolean' },
  },
  async run(call) {
    const [id] = readPositionals(call, 'TXN');
    const [resolution, second] = REVIEW_RESOLUTIONS.filter((each) => hasFlag(call, each));
    if (resolution === undefined || second !== undefined) {
      throw new UsageError('Use one of --keep, --rescale and --clear.');
    }
    const opened = await call.openOrganisation();
    const { service, organisation } = opened;
    printTransaction(call, opened, service.transactions.review(organisation.id, id, resolution));
    return EXIT.done;
  },
};
