import { formatInstant, readInstant } from '../../core/calendar.ts';
import { count } from '../../core/counts.ts';
import { Failure } from '../../core/failures.ts';
import { PAGE_ITEMS } from '../../core/limits.ts';
import { changeMany, stoppedAfter } from '../../operations/changes.ts';
import { undoProjects } from '../../operations/project-plans.ts';
import * as operations from '../../operations/workflow.ts';
import {
  resolveReview,
  SETTLEMENTS,
  type Settlement,
  settleAll,
} from '../../operations/workflow.ts';
import type { Access } from '../../store/access.ts';
import type { Change } from '../../store/acts.ts';
import { listAuditPage, listEntriesAt } from '../../store/audit.ts';
import { listLeft, undoing } from '../../store/undo.ts';
import { type Call, type Command, UsageError } from '../command.ts';
import { hasFlag, optionText, readPositionals, requireText } from '../options.ts';
import { printLines, printNotes, printResult } from '../output.ts';
import { changeTransaction } from '../transaction-text.ts';

const exclude: Command = {
  name: 'exclude',
  summary: 'excludes a transaction from budgets until restored',
  usage: 'TXN --reason R | --pushed-at T --reason R',
  details: `
  --reason R      why, for the audit log
  --pushed-at T   all that the push or import at this moment created and that
                  nobody has changed since. \`budgetd audit --json\` has the
                  moment as \`at\`

The transaction stays excluded when it is pushed again. If it has allocations,
remove them first with \`budgetd allocate TXN --none\`.`,
  async run(call) {
    const pushedAt = optionText(call, 'pushed-at');
    if (pushedAt !== undefined) {
      readPositionals(call);
      const [atMs, reason] = [readMoment(pushedAt), requireText(call, 'reason')];
      await changeTogether(call, await call.openOrganisation(), 'excluded', (access) =>
        operations.exclusionsOfPush(access, atMs, reason),
      );
      return;
    }
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
  const { access, actor } = await call.openOrganisation();
  const { count: settled, left, stopped } = await settleAll(access, settlement, actor());
  if (stopped !== undefined) throw stoppedAfter(settled, name, stopped);
  const counts = settlement === 'void' ? { [name]: settled } : { [name]: settled, left };
  printResult(call, counts, () => {
    printLines(call.io, `${count(settled, 'transaction')} ${name}.`);
    if (settlement === 'void' || left === 0) return;
    printLines(call.io, `${count(left, 'transaction')} left, marked as recoded.`);
    printNotes(call.io, 'To see them, run: budgetd transactions list --recoded true');
  });
}

const undo: Command = {
  name: 'undo',
  summary: 'undoes a change of transactions or of a project',
  usage: 'T',
  details: `T is the moment of the change, which \`budgetd audit --json\` shows as \`at\`. All
its transactions that have not changed since become what they were before. The
change of a project can be undone if the project has not changed since, and if
the change added and removed no line. A run of the rules is several changes, one
for each of its steps.
\`budgetd exclude --pushed-at T\` takes back a push or an import.`,
  async run(call) {
    const [text] = readPositionals(call, 'T');
    const atMs = readMoment(text);
    const opened = await call.openOrganisation();
    const projects = undoProjects(opened.access, atMs, opened.service.actor());
    if (projects === undefined) {
      await changeTogether(call, opened, 'undone', (access) => undoing(access, atMs));
      noteOtherSteps(call, opened.access, atMs);
      return;
    }
    const done = `${count(projects.length, 'project')} undone.`;
    printResult(call, { undone: projects.length, left: 0 }, done);
  },
};

/** How far from a step, before or after, the others of its run can be. */
const RUN_MS = 60_000;

/** Says how many other steps of a run are not undone. */
function noteOtherSteps({ io }: Call, access: Access, atMs: number): void {
  const [entry] = listEntriesAt(access, atMs);
  if (entry?.action !== 'transactions.allocated') return;
  const { actor, action } = entry;
  const filters = { actor, actions: [action], sinceMs: atMs - RUN_MS, beforeMs: atMs + RUN_MS };
  const { items } = listAuditPage(access, { filters, limit: PAGE_ITEMS, isBrief: true });
  const stamps = items.filter(({ requestId }) => requestId === entry.requestId);
  const actsMs = stamps.map((each) => each.atMs);
  const left = listLeft(access, actsMs, false);
  const [next] = left;
  if (next === undefined) return;
  const steps = count(left.length, 'other step', 'other steps');
  const what = left.length === 1 ? 'was not undone' : 'were not undone';
  const undoNext = `To undo the next one: budgetd undo ${formatInstant(next)}`;
  printNotes(io, `${steps} within a minute of this change ${what}. ${undoNext}`);
}

function readMoment(text: string): number {
  const atMs = readInstant(text);
  if (atMs !== undefined) return atMs;
  throw new UsageError(`T must be a moment such as 2026-01-31T12:00:00.000Z, not "${text}".`);
}

/** Makes a change of several transactions, and leaves those that have changed since. */
async function changeTogether(
  call: Call,
  { access, service }: Awaited<ReturnType<Call['openOrganisation']>>,
  word: 'excluded' | 'undone',
  changeOf: (access: Access) => Change,
): Promise<void> {
  const { requests } = changeOf(access);
  if (requests.length === 0)
    throw new Failure('not_found', 'All transactions that this push created have changed since.');
  const done = await changeMany(access, [() => changeOf(access)], service.actor());
  const [first] = done.refusals;
  if (done.count === 0 && first !== undefined) throw new Failure(first.code, first.message);
  printResult(call, { [word]: done.count, left: done.refusals.length }, () => {
    printLines(call.io, `${count(done.count, 'transaction')} ${word}.`);
    if (first === undefined) return;
    printLines(call.io, `${count(done.refusals.length, 'transaction')} left: ${first.message}`);
  });
}

export const commands = [exclude, restore, review, undo];
