import { count, readTypedAmount } from '../amounts.ts';
import { type Call, type Command, EXIT, hasFlag, readPositionals, UsageError } from '../command.ts';
import { findBudgetLineId } from '../lookup.ts';
import { createProgress, printLines, printNotes, printResult } from '../output.ts';
import { printTransaction } from '../transaction-text.ts';

/** `budgetd allocate`. */
export const allocate: Command = {
  usage:
    'allocate --by-account-code | allocate TXN --line BLN [--amount A] … | allocate TXN --none',
  summary: 'gives transactions to budget lines',
  details: `
  --by-account-code   each unallocated transaction, whole, to the one line that
                      claims its account code in a project of its date
  --line BLN          a budget line for this transaction, by id or by a code
                      that only one project has; once for each line. They
                      replace all allocations that it had
  --amount A          how much goes to the line before it, with the same sign as
                      the transaction; a line without takes what is left
  --none              removes the transaction's allocations

Example: budgetd allocate txn_0000000001 --line RENT --amount 800 --line POWER`,
  options: {
    'by-account-code': { type: 'boolean' },
    line: { type: 'string', multiple: true },
    amount: { type: 'string', multiple: true },
    none: { type: 'boolean' },
  },
  async run(call) {
    if (hasFlag(call, 'by-account-code')) return allocateAll(call);
    const [id] = readPositionals(call, 'TXN');
    const wishes = readWishes(call);
    const { service, organisation } = await call.openOrganisation();
    const allocations = wishes.map(({ line, amount }) => ({
      budgetLineId: findBudgetLineId(service, organisation, line),
      amount:
        amount === undefined
          ? undefined
          : readTypedAmount('amount', amount, organisation.baseCurrency),
    }));
    printTransaction(call, service.transactions.allocate(organisation.id, id, allocations));
    return EXIT.done;
  },
};

async function allocateAll(call: Call): Promise<number> {
  if (call.positionals.length > 0 || readWishes(call, true).length > 0) {
    throw new UsageError('--by-account-code takes every transaction: nothing goes with it.');
  }
  const { service, organisation } = await call.openOrganisation();
  const progress = createProgress(call.io);
  const outcome = service.transactions.allocateByAccountCode(organisation.id, ({ allocated }) => {
    progress.show(`${count(allocated, 'transaction')} allocated`);
  });
  progress.end();
  printResult(call, outcome, () => {
    const { allocated, ambiguous, unmatched } = outcome;
    printLines(call.io, `${count(allocated, 'transaction')} allocated by account code.`);
    if (ambiguous > 0) {
      const claimed = `${count(ambiguous, 'transaction')} left: several budget lines claim`;
      printLines(call.io, `${claimed} the account code.`);
    }
    if (unmatched > 0) {
      const claimed = `${count(unmatched, 'transaction')} left: no budget line claims`;
      printLines(call.io, `${claimed} the account code on that date.`);
    }
    if (ambiguous + unmatched > 0) {
      printNotes(call.io, 'To see them: budgetd transactions list --status unallocated');
    }
  });
  return EXIT.done;
}

interface Wish {
  readonly line: string;
  amount: string | undefined;
}

/** Each `--amount` belongs to the `--line` before it (contract 8). */
function readWishes(call: Call, mayBeNone = hasFlag(call, 'none')): Wish[] {
  const wishes: Wish[] = [];
  for (const { name, value = '' } of call.written) {
    if (name === 'line') wishes.push({ line: value, amount: undefined });
    if (name !== 'amount') continue;
    const wish = wishes.at(-1);
    if (wish === undefined || wish.amount !== undefined) {
      throw new UsageError(`--amount ${value} has no --line before it.`);
    }
    wish.amount = value;
  }
  if (wishes.filter(({ amount }) => amount === undefined).length > 1) {
    throw new UsageError('Only one --line can go without --amount: it takes what is left.');
  }
  if (mayBeNone && wishes.length > 0) throw new UsageError('--line does not go with that.');
  if (!mayBeNone && wishes.length === 0) throw new UsageError('--line is missing.');
  return wishes;
}
