import { REVIEW_RESOLUTIONS } from '../../core/allocations.ts';
import { type Command, EXIT, hasFlag, readPositionals, UsageError } from '../command.ts';
import { printTransaction } from '../transaction-text.ts';

/** `budgetd review`. */
export const review: Command = {
  usage: 'review TXN --keep|--rescale|--clear',
  summary: 'settles a transaction whose amount changed once allocated',
  details: `
  --keep      leave its allocations as they are, where they still fit
  --rescale   bring them pro rata to the new amount
  --clear     remove them

\`budgetd allocate TXN --line …\` replaces them, which settles it too. To see what
waits: budgetd transactions list --status needs_review`,
  options: {
    keep: { type: 'boolean' },
    rescale: { type: 'boolean' },
    clear: { type: 'boolean' },
  },
  async run(call) {
    const [id] = readPositionals(call, 'TXN');
    const [resolution, second] = REVIEW_RESOLUTIONS.filter((each) => hasFlag(call, each));
    if (resolution === undefined || second !== undefined) {
      throw new UsageError('Say one of --keep, --rescale and --clear.');
    }
    const { service, organisation } = await call.openOrganisation();
    printTransaction(call, service.transactions.review(organisation.id, id, resolution));
    return EXIT.done;
  },
};
