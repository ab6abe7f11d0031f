import { count } from '../../core/counts.ts';
import { addAmounts, readTypedAmount, showAmount } from '../amounts.ts';
import { type Call, type Command, EXIT, hasFlag, readPositionals, UsageError } from '../command.ts';
import type { Opened } from '../documents.ts';
import { findBudgetLineId, listBudgetLines, type NamedLine } from '../lookup.ts';
import { createProgress, printLines, printNotes, printResult, printTable } from '../output.ts';
import { printTransaction } from '../transaction-text.ts';

/** `budgetd allocate`. */
export const allocate: Command = {
  usage:
    'allocate TXN --line BLN [--amount A] … | allocate TXN --none | allocate --by-account-code',
  summary: 'allocates transactions to budget lines',
  details: `
  --line BLN          allocate to this budget line, by id or by a code that only
                      one project uses. Repeat it for several lines. The new
                      allocations replace the old ones
  --amount A          the amount for the --line before it, with the sign of the
                      transaction. A line without an amount gets what is left
  --none              remove the allocations of the transaction
  --by-account-code   allocate every unallocated transaction in full to the one
                      budget line that claims its account code on its date

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
    const parts = readParts(call);
    const opened = await call.openOrganisation();
    const { service, organisation } = opened;
    const lines = parts.length === 0 ? [] : listBudgetLines(service, organisation);
    const allocations = parts.map(({ line, amount }) => ({
      budgetLineId: findBudgetLineId(lines, line),
      amount:
        amount === undefined
          ? undefined
          : readTypedAmount('amount', amount, organisation.baseCurrency),
    }));
    const document = service.transactions.allocate(organisation.id, id, allocations);
    printTransaction(call, opened, document);
    return EXIT.done;
  },
};

async function allocateAll(call: Call): Promise<number> {
  if (call.positionals.length > 0 || readParts(call, true).length > 0) {
    throw new UsageError('--by-account-code allocates every transaction. Use it alone.');
  }
  const opened = await call.openOrganisation();
  const { service, organisation } = opened;
  const progress = createProgress(call.io);
  const show = ({ allocated }: { allocated: number }) => {
    progress.show(`${count(allocated, 'transaction')} allocated`);
  };
  const outcome = await service.transactions.allocateByAccountCode(organisation.id, show);
  progress.end();
  const { lines, ...counts } = outcome;
  printResult(call, counts, () => {
    const { allocated, ambiguous, unmatched } = counts;
    if (allocated > 0) printAllocated(call, opened, lines);
    const total = addAmounts(
      lines.map(({ amount }) => amount),
      organisation.baseCurrency,
    );
    const sum = `${showAmount(total, organisation.baseCurrency)} ${organisation.baseCurrency}`;
    const amounts = allocated === 0 ? '' : `, ${sum} in total`;
    printLines(call.io, `${count(allocated, 'transaction')} allocated by account code${amounts}.`);
    if (ambiguous > 0) {
      const left = `${count(ambiguous, 'transaction')} left`;
      printLines(call.io, `${left}: several budget lines claim the account code.`);
    }
    if (unmatched > 0) {
      const left = `${count(unmatched, 'transaction')} left`;
      printLines(call.io, `${left}: no budget line claims the account code on that date.`);
    }
    if (ambiguous + unmatched > 0) {
      printNotes(call.io, 'To see them, run: budgetd transactions list --status unallocated');
    }
  });
  return EXIT.done;
}

type LineShares = Awaited<
  ReturnType<Opened['service']['transactions']['allocateByAccountCode']>
>['lines'];

/** What each budget line got, in the order of the projects. */
function printAllocated({ io }: Call, { service, organisation }: Opened, shares: LineShares): void {
  const shareOf = new Map(shares.map((share) => [share.budgetLineId, share]));
  const entriesOf = ({ id, code, name }: NamedLine): string[][] => {
    const share = shareOf.get(id);
    if (share === undefined) return [];
    const amount = showAmount(share.amount, organisation.baseCurrency);
    return [[code ?? '', name, String(share.transactions), amount]];
  };
  printTable(io, {
    columns: [
      { title: 'Code', min: 5 },
      { title: 'Line', min: 14 },
      { title: 'Transactions', align: 'right' },
      { title: organisation.baseCurrency, align: 'right' },
    ],
    entries: listBudgetLines(service, organisation).flatMap(entriesOf),
  });
}

/** One `--line`, with its `--amount`. */
interface Part {
  readonly line: string;
  amount: string | undefined;
}

/** Each `--amount` belongs to the `--line` before it (contract 8). */
function readParts(call: Call, mayBeNone = hasFlag(call, 'none')): Part[] {
  const parts: Part[] = [];
  for (const { name, value = '' } of call.written) {
    if (name === 'line') parts.push({ line: value, amount: undefined });
    if (name !== 'amount') continue;
    const part = parts.at(-1);
    if (part === undefined || part.amount !== undefined) {
      throw new UsageError(`--amount ${value} has no --line before it. Put --line BLN first.`);
    }
    part.amount = value;
  }
  if (parts.filter(({ amount }) => amount === undefined).length > 1) {
    throw new UsageError('Only one --line can lack --amount: it gets what is left.');
  }
  if (mayBeNone && parts.length > 0) throw new UsageError('Use --none without --line.');
  if (!mayBeNone && parts.length === 0) {
    throw new UsageError('--line is missing. Use --line BLN, or --none to remove the allocations.');
  }
  return parts;
}
