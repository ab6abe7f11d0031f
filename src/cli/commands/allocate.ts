import { runDocument } from '../../api/documents.ts';
import type { Actor } from '../../core/audit.ts';
import { isCalendarDate } from '../../core/calendar.ts';
import type { AmbiguousCode } from '../../core/claims.ts';
import { count } from '../../core/counts.ts';
import type { Currency } from '../../core/currencies.ts';
import { formatId } from '../../core/ids.ts';
import { AMOUNT_MINOR } from '../../core/limits.ts';
import { formatAmount, readAmountText } from '../../core/money.ts';
import { nameLine } from '../../core/projects.ts';
import { allocate } from '../../operations/allocations.ts';
import {
  type RuleOutcome,
  type RunOptions,
  type RunOutcome,
  runRules,
} from '../../operations/rule-runs.ts';
import type { Access } from '../../store/access.ts';
import { amountColumn, moneyText } from '../amounts.ts';
import { type Call, type Command, type Io, UsageError } from '../command.ts';
import { findBudgetLineId, listAllBudgetLines } from '../lookup.ts';
import { hasFlag, optionText, readPositionals } from '../options.ts';
import { createProgress, printLines, printNotes, printResult, printTable } from '../output.ts';
import type { ListColumn } from '../table.ts';
import { changeTransaction, projectColumns } from '../transaction-text.ts';

const allocateCommand: Command = {
  name: 'allocate',
  summary: 'allocates transactions to budget lines',
  usage:
    'TXN --line BLN [--amount A] … | TXN --none | --by-account-code | ' +
    '--by-rules [--until DATE] [--dry-run]',
  details: `
  --line BLN          allocate to this budget line, by id or by a code that only
                      one project uses. Repeat it for up to 100 lines. The new
                      allocations replace the old ones
  --amount A          the amount for the --line before it, with the sign of the
                      transaction. A line without an amount gets what is left
  --none              remove the allocations of the transaction
  --by-account-code   allocate every unallocated transaction in full to the one
                      budget line that claims its account code on its date. With
                      a project code, only projects that have it are looked at
  --by-rules          run the rules over every unallocated transaction: the
                      first that fits takes it. \`budgetd rules list\` lists them
  --until DATE        with --by-rules: only transactions up to this day
  --dry-run           with --by-rules: show what the rules would do, change
                      nothing

Example: budgetd allocate txn_0000000001 --line RENT --amount 800 --line POWER`,
  repeatable: ['line', 'amount'],
  async run(call) {
    const ways = ['by-account-code', 'by-rules'].filter((name) => hasFlag(call, name));
    if (ways.length > 1) throw new UsageError('Use --by-account-code or --by-rules, not both.');
    const [way] = ways;
    if (way !== 'by-rules' && (hasFlag(call, 'dry-run') || call.values['until'] !== undefined)) {
      throw new UsageError('Use --until and --dry-run with --by-rules.');
    }
    await (way === undefined ? allocateOne(call) : allocateAll(call, way === 'by-rules'));
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

/** Minor units of an option in major units. Refuses with a UsageError. */
function readTypedAmount(option: string, text: string, { code, places }: Currency): number {
  const minor = readAmountText(text, places);
  if (typeof minor === 'number') return minor;
  const example = formatAmount(12_345 * 10 ** places, places);
  const problem = {
    amount_precision: `has more than the ${places} decimal places of ${code}. Round it`,
    amount_out_of_range: `is too large. The largest is ${formatAmount(AMOUNT_MINOR, places)}`,
    no_number: `is not a plain number. Write it like ${example}`,
  }[minor ?? 'no_number'];
  throw new UsageError(`--${option} "${text}" ${problem}.`);
}

async function allocateAll(call: Call, byRules: boolean): Promise<void> {
  const { io } = call;
  const way = byRules ? '--by-rules' : '--by-account-code';
  if (call.positionals.length > 0 || readParts(call, true).length > 0) {
    throw new UsageError(`${way} allocates every transaction. Use it alone.`);
  }
  const until = optionText(call, 'until');
  if (until !== undefined && !isCalendarDate(until)) {
    throw new UsageError(`--until must be a date such as 2026-09-30, not "${until}".`);
  }
  const isDry = hasFlag(call, 'dry-run');
  const { access, actor } = await call.openOrganisation();
  const { currency } = access.organisation;
  const options = { onlyByAccountCode: !byRules, until, isDry };
  const outcome = await runWithProgress(io, access, actor(), options);
  const { dryRun, rules, ...counts } = runDocument(outcome, isDry, currency);
  printResult(call, byRules ? { ...counts, dryRun, rules } : counts, () => {
    const { allocated, ambiguous, unmatched, ambiguousCodes } = outcome;
    if (allocated > 0) printAllocated(io, access, outcome.rules, byRules);
    const total = outcome.rules.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    const amounts = allocated === 0 ? '' : `, ${moneyText(total, currency)} in total`;
    const by = byRules ? 'rules' : 'account code';
    const done = `${isDry ? 'would be allocated' : 'allocated'} by ${by}`;
    printLines(io, `${count(allocated, 'transaction')} ${done}${amounts}.`);
    if (ambiguous > 0) {
      const left = `${count(ambiguous, 'transaction')} left`;
      printLines(io, `${left}: several budget lines claim the account code.`);
      printAmbiguous(io, access, ambiguousCodes);
    }
    if (unmatched > 0) {
      const left = `${count(unmatched, 'transaction')} left`;
      const [them, codes] = unmatched === 1 ? ['it', 'its codes'] : ['them', 'their codes'];
      const why = byRules ? `no rule takes ${them}` : `no budget line claims ${codes} on that date`;
      printLines(io, `${left}: ${why}.`);
    }
    // After a dry run that would list what it would have allocated, too.
    if (ambiguous + unmatched > 0 && !isDry) {
      const upTo = until === undefined ? '' : ` --to ${until}`;
      printNotes(io, `To see them, run: budgetd transactions list --to-allocate${upTo}`);
    }
  });
}

/** What each budget line got: by rule, then in the order of the projects. */
function printAllocated(io: Io, access: Access, rules: readonly RuleOutcome[], byRules: boolean) {
  const { currency } = access.organisation;
  const all = listAllBudgetLines(access);
  const lines = rules.flatMap(({ position, name: rule, lines: sums }) => {
    const title = position === null ? rule : `${position} ${rule}`;
    return all.flatMap(({ id, code, name, projectName }) => {
      const sum = sums.get(id);
      return sum === undefined ? [] : [{ title, code, name, projectName, ...sum }];
    });
  });
  type Line = (typeof lines)[number];
  const ruleColumn: ListColumn<Line> = { title: 'Rule', min: 10, cell: ({ title }) => title };
  const columns: readonly ListColumn<Line>[] = [
    ...(byRules ? [ruleColumn] : []),
    { title: 'Code', min: 5, cell: ({ code }) => code ?? '' },
    { title: 'Line', min: 14, cell: ({ name }) => name },
    ...projectColumns(access),
    { title: 'Transactions', align: 'right', cell: ({ transactions }) => String(transactions) },
    amountColumn(currency.code, currency, ({ amountMinor }) => amountMinor),
  ];
  printTable(io, lines, columns);
}

/** The codes that were left, each with the lines that claim it. */
function printAmbiguous(io: Io, access: Access, codes: readonly AmbiguousCode[]): void {
  const labels = listAllBudgetLines(access).map((line) => {
    const { id, projectName } = line;
    return [id, `${formatId('bln', id)} ${nameLine(line)} (${projectName})`] as const;
  });
  const names = new Map(labels);
  const columns: readonly ListColumn<AmbiguousCode>[] = [
    { title: 'Account code', cell: ({ accountCode }) => accountCode },
    { title: 'Project code', rank: 1, cell: ({ projectCode }) => projectCode ?? '' },
    { title: 'Transactions', align: 'right', cell: ({ count: number }) => String(number) },
  ];
  const below = ({ budgetLineIds }: AmbiguousCode) => {
    return budgetLineIds.map((id) => ({ banner: `  ${names.get(id) ?? formatId('bln', id)}` }));
  };
  printTable(io, codes, columns, { below });
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

/** Runs the rules, with a progress line. */
export async function runWithProgress(
  io: Io,
  access: Access,
  actor: Actor,
  options: RunOptions,
): Promise<RunOutcome> {
  const progress = createProgress(io);
  const onStep: RunOptions['onStep'] = ({ allocated }) => {
    progress.show(`${count(allocated, 'transaction')} allocated`);
  };
  const outcome = await runRules(access, actor, { ...options, onStep });
  progress.end();
  return outcome;
}
