import { ambiguousDocument } from '../../api/documents.ts';
import type { Actor } from '../../core/audit.ts';
import type { AmbiguousCode } from '../../core/claims.ts';
import { count } from '../../core/counts.ts';
import { formatId } from '../../core/ids.ts';
import type { Access } from '../../operations/access.ts';
import * as byCode from '../../operations/account-codes.ts';
import { allocate } from '../../operations/allocations.ts';
import { amountColumn, readTypedAmount, showSum } from '../amounts.ts';
import { type Call, type Command, type Io, UsageError } from '../command.ts';
import { findBudgetLineId, labelOf, listAllBudgetLines } from '../lookup.ts';
import { hasFlag, readPositionals } from '../options.ts';
import { createProgress, printLines, printNotes, printResult, printTable } from '../output.ts';
import { type ListColumn, tableOf } from '../table.ts';
import { changeTransaction } from '../transaction-text.ts';

const allocateCommand: Command = {
  name: 'allocate',
  summary: 'allocates transactions to budget lines',
  usage: 'TXN --line BLN [--amount A] … | TXN --none | --by-account-code',
  details: `
  --line BLN          allocate to this budget line, by id or by a code that only
                      one project uses. Repeat it for several lines. The new
                      allocations replace the old ones
  --amount A          the amount for the --line before it, with the sign of the
                      transaction. A line without an amount gets what is left
  --none              remove the allocations of the transaction
  --by-account-code   allocate every unallocated transaction in full to the one
                      budget line that claims its account code on its date. With
                      a project code, only projects that have it are looked at

Example: budgetd allocate txn_0000000001 --line RENT --amount 800 --line POWER`,
  repeatable: ['line', 'amount'],
  async run(call) {
    await (hasFlag(call, 'by-account-code') ? allocateAll(call) : allocateOne(call));
  },
};

async function allocateOne(call: Call): Promise<void> {
  const [transactionId] = readPositionals(call, 'TXN');
  const change = (access: Access, parts: readonly Part[], actor: Actor) => {
    const { currency } = access.organisation;
    const allocations = parts.map(({ line, amount }) => ({
      budgetLineId: findBudgetLineId(access, line),
      amountMinor: amount === undefined ? undefined : readTypedAmount('amount', amount, currency),
    }));
    return allocate(access, { transactionId, allocations }, actor);
  };
  await changeTransaction(call, change, readParts(call));
}

async function allocateAll(call: Call): Promise<void> {
  if (call.positionals.length > 0 || readParts(call, true).length > 0) {
    throw new UsageError('--by-account-code allocates every transaction. Use it alone.');
  }
  const { access, service } = await call.openOrganisation();
  const {
    lines,
    actsMs: _,
    ambiguousCodes,
    ...counts
  } = await allocateByAccountCode(call.io, access, service.actor());
  const { allocated, ambiguous, unmatched } = counts;
  printResult(call, { ...counts, ambiguousCodes: ambiguousDocument(ambiguousCodes) }, () => {
    const { io } = call;
    const { currency } = access.organisation;
    if (allocated > 0) printAllocated(io, access, lines);
    const total = [...lines.values()].reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    const amounts = allocated === 0 ? '' : `, ${showSum(total, currency)} in total`;
    printLines(io, `${count(allocated, 'transaction')} allocated by account code${amounts}.`);
    if (ambiguous > 0) {
      const left = `${count(ambiguous, 'transaction')} left`;
      printLines(io, `${left}: several budget lines claim the account code.`);
      printAmbiguous(io, access, ambiguousCodes);
    }
    if (unmatched > 0) {
      const left = `${count(unmatched, 'transaction')} left`;
      printLines(io, `${left}: no budget line claims their codes on that date.`);
    }
    if (ambiguous + unmatched > 0) {
      printNotes(io, 'To see them, run: budgetd transactions list --to-allocate');
    }
  });
}

/** What each budget line got, in the order of the projects. */
function printAllocated(io: Io, access: Access, shares: byCode.AccountCodeOutcome['lines']): void {
  const { currency } = access.organisation;
  const lines = listAllBudgetLines(access).flatMap(({ id, code, name }) => {
    const share = shares.get(id);
    return share === undefined ? [] : [{ code, name, ...share }];
  });
  const table = tableOf(lines, [
    { title: 'Code', min: 5, cell: ({ code }) => code ?? '' },
    { title: 'Line', min: 14, cell: ({ name }) => name },
    { title: 'Transactions', align: 'right', cell: ({ transactions }) => String(transactions) },
    amountColumn(currency.code, currency, ({ amountMinor }) => amountMinor),
  ]);
  printTable(io, table);
}

/** The codes that were left, each with the lines that claim it. */
function printAmbiguous(io: Io, access: Access, codes: readonly AmbiguousCode[]): void {
  const names = new Map(listAllBudgetLines(access).map((line) => [line.id, labelOf(line)]));
  const columns: readonly ListColumn<AmbiguousCode>[] = [
    { title: 'Account code', cell: ({ accountCode }) => accountCode },
    { title: 'Project code', rank: 1, cell: ({ projectCode }) => projectCode ?? '' },
    { title: 'Transactions', align: 'right', cell: ({ count: number }) => String(number) },
  ];
  const linesOf = ({ budgetLineIds }: AmbiguousCode) => {
    return budgetLineIds.map((id) => ({ banner: `  ${names.get(id) ?? formatId('bln', id)}` }));
  };
  printTable(io, tableOf(codes, columns, linesOf));
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

export const commands = [allocateCommand];

/** Allocates by account code, with a progress line. */
export async function allocateByAccountCode(
  io: Io,
  access: Access,
  actor: Actor,
): Promise<byCode.AccountCodeOutcome> {
  const progress = createProgress(io);
  const outcome = await byCode.allocateByAccountCode(access, actor, ({ allocated }) => {
    progress.show(`${count(allocated, 'transaction')} allocated`);
  });
  progress.end();
  return outcome;
}
