import { type Command, EXIT, readPositionals, requireText } from '../command.ts';
import { printTransaction } from '../transaction-text.ts';

/** `budgetd exclude`. */
export const exclude: Command = {
  usage: 'exclude TXN --reason R',
  summary: 'takes a transaction out of the budgets, until restored',
  details: `
  --reason R   why, for the audit log

Pushed again it stays excluded. One that has allocations cannot be excluded:
\`budgetd allocate TXN --none\` removes them first.`,
  options: { reason: { type: 'string' } },
  async run(call) {
    const [id] = readPositionals(call, 'TXN');
    const reason = requireText(call, 'reason');
    const { service, organisation } = await call.openOrganisation();
    printTransaction(call, service.transactions.exclude(organisation.id, id, reason));
    return EXIT.done;
  },
};
