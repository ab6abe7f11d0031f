import { type Command, EXIT, readPositionals } from '../command.ts';
import { printTransaction } from '../transaction-text.ts';

/** `budgetd restore`. */
export const restore: Command = {
  usage: 'restore TXN',
  summary: 'restores an excluded transaction',
  options: {},
  async run(call) {
    const [id] = readPositionals(call, 'TXN');
    const opened = await call.openOrganisation();
    const { service, organisation } = opened;
    printTransaction(call, opened, service.transactions.restore(organisation.id, id));
    return EXIT.done;
  },
};
