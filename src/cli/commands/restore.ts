import { type Command, EXIT, readPositionals } from '../command.ts';
import { printTransaction } from '../transaction-text.ts';

/** `budgetd restore`. */
export const restore: Command = {
  usage: 'restore TXN',
  summary: 'takes an excluded transaction back',
  options: {},
  async run(call) {
    const [id] = readPositionals(call, 'TXN');
    const { service, organisation } = await call.openOrganisation();
    printTransaction(call, service.transactions.restore(organisation.id, id));
    return EXIT.done;
  },
};
