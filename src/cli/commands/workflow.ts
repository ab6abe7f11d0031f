import { count } from '../../core/counts.ts';
import {
  resolveReview,
  SETTLEMENTS,
  type Settlement,
  settleAll,
} from '../../operations/settling.ts';
import * as operations from '../../operations/workflow.ts';
import { type Call, type Command, UsageError } from '../command.ts';
import { hasFlag, readPositionals, requireText } from '../options.ts';
import { printLines, printNotes, printResult } from '../output.ts';
import { changeTransaction } from '../transaction-text.ts';

const exclude: Command = {
  name: 'exclude',
  summary: 'excludes a transaction from budgets until restored',
  usage: 'TXN --reason R',
  details: `
  --reason R   why, for the audit log

The transaction stays excluded when it is pushed again. If it has allocations,
remove them first with \`budgetd allocate TXN --none\`.`,
  async run(call) {
    const [transactionId] = readPositionals(call, 'TXN');
    const reason = requireText(call, 'reason');
    await changeTransaction(call, operations.exclude, { transactionId, reason });
  },
};

const restore: Command = {
  name: 'restore',
  summary: 'restores an excluded transaction',
  usage: 'TXN',
  async run(call) {
    const [transactionId] = readPositionals(call, 'TXN');
    await changeTransaction(call, operations.restore, { transactionId });
  },
};

const review: Command = {
  name: 'review',
  summary: 'settles transactions whose amount or codes have changed',
  usage:
    'TXN --keep|--rescale|--clear|--by-account-code | ' +
    '--recoded --by-account-code|--keep | --voided',
  details: `
  --keep             keep the allocations as they are, if they still fit
  --rescale          change them in proportion to the new amount
  --clear            remove them
  --by-account-code  allocate all of it to the one budget line to which its
                     codes lead now
  --recoded          all that are marked as recoded: with --by-account-code
                     those that a person has not allocated and whose codes lead
                     to one line, with --keep those that are not under review
  --voided           remove the allocations of all whose amount is 0 now

\`budgetd allocate TXN --line …\` replaces them, which also settles the review
and the mark. To see what waits: budgetd transactions list --status needs_review
and budgetd transactions list --recoded true`,
  async run(call) {
    const [resolution, second] = SETTLEMENTS.filter((each) => hasFlag(call, each));
    const [isRecoded, isVoided] = [hasFlag(call, 'recoded'), hasFlag(call, 'voided')];
    if (isRecoded || isVoided) {
      readPositionals(call);
      const key = [isRecoded && 'recoded', isVoided && 'voided', resolution, second];
      await settleTogether(call, key.filter(Boolean).join(' '));
      return;
    }
    const [transactionId] = readPositionals(call, 'TXN');
    if (resolution === undefined || second !== undefined) {
      throw new UsageError('Use one of --keep, --rescale, --clear and --by-account-code.');
    }
    await changeTransaction(call, resolveReview, { transactionId, resolution });
  },
};

/** What can be settled together, by its flags: the settlement, and the name of its count. */
const TOGETHER: Readonly<Record<string, readonly [Settlement, count: string]>> = {
  'recoded by-account-code': ['recode', 'allocated'],
  'recoded keep': ['keep', 'confirmed'],
  voided: ['void', 'cleared'],
};

async function settleTogether(call: Call, flags: string): Promise<void> {
  const found = TOGETHER[flags];
  if (found === undefined) {
    throw new UsageError('Use --recoded with --by-account-code or --keep, or --voided alone.');
  }
  const [settlement, name] = found;
  const { access, service } = await call.openOrganisation();
  const { count: settled, left, stopped } = await settleAll(access, settlement, service.actor());
  if (stopped !== undefined) throw stopped;
  const counts = settlement === 'void' ? { [name]: settled } : { [name]: settled, left };
  printResult(call, counts, () => {
    printLines(call.io, `${count(settled, 'transaction')} ${name}.`);
    if (settlement === 'void' || left === 0) return;
    printLines(call.io, `${count(left, 'transaction')} left, marked as recoded.`);
    printNotes(call.io, 'To see them, run: budgetd transactions list --recoded true');
  });
}

export const commands = [exclude, restore, review];
