import { type Command, EXIT, readPositionals, requireText } from '../command.ts';
import { printTransaction } from '../transaction-text.ts';

/** `budgetd exclude`. */
export const exclude: Command = {
  usage: 'exclude TXN --reason R',
  summary: 'excludes a transaction from budgets until you restore it',
  details: `
  --reason R   why, for the audit log

The transaction stays excluded when it is pushed again. If it has allocations,
remove them first with \`budgetd allocate TXN --none\`.`,
  options: { reason: { type: 'string' } },
  async run(call) {
    const [id] = readPositionals(call, 'TXN');
    const reason = requireText(call, 'reason');
    const opened = await call.openOrganisation();
    const { service, organisation } = opened;
    printTransaction(call, opened, service.transactions.exclude(organisation.id, id, reason));
    return EXIT.done;
  },
};
