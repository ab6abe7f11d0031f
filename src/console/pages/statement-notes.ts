/** The parts above the figures of a statement: what it is, totals, open matters, covering note. */

import { nounFor } from '../../core/counts.ts';
import { RULE_LIMITS } from '../../core/limits.ts';
import { nameLine } from '../../core/projects.ts';
import type { StatementDocument } from '../../core/statements.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { type RunOutcome, tryRules } from '../../operations/rule-runs.ts';
import { countTransactions } from '../../operations/transactions.ts';
import type { Steps } from '../../operations/turns.ts';
import type { TransactionTotals } from '../../store/totals.ts';
import { jobRow, nameFirst, sectionPart, typed } from '../components/elements.ts';
import { PATHS } from '../components/paths.ts';
import { listPath } from '../components/transaction-filters.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { saySum } from './rule-run.ts';
import { totals } from './statement-sheet.ts';

/** What is known of what a draft has not finished, besides its document. */
interface Open {
  /** What the rules would allocate of it. */
  readonly run?: RunOutcome | undefined;
  /** What is under review as it is now at the source. */
  readonly now?: Pick<TransactionTotals, 'outMinor' | 'inMinor'> | undefined;
}

/** Looks at what a draft has not finished. */
export async function lookAtOpen(visit: Visit, document: StatementDocument): Promise<Open> {
  const { status, unfinished, startDate, endDate, projectId, withSubProjects } = document;
  if (status !== 'draft' || startDate === null) return {};
  const { access } = visit;
  const read = <Result>({ count }: { readonly count: number }, steps: () => Steps<Result>) =>
    count > 0 ? visit.read(steps()) : undefined;
  const days = { from: startDate, until: endDate, most: RULE_LIMITS.tried };
  const run = await read(unfinished.unallocated, () => tryRules(access, days));
  const project = withSubProjects ? { branchId: projectId } : { projectId };
  const marked = { ...project, statuses: ['needs_review'], from: startDate, to: endDate } as const;
  const now = await read(unfinished.underReview, () => countTransactions(access, marked));
  return { run, now };
}

/** Everything below the head of the page but the figures. */
export function statementNotes(
  visit: Visit,
  document: StatementDocument,
  open: Open,
  ways: Ways,
): Html {
  const { note, status } = document;
  const isShown = note !== null && status !== 'draft';
  const head = html`${statusNote(visit, document, ways)}${totals(visit.reader, document)}`;
  return html`${head}${unfinishedPart(visit, document, open)}${
    isShown && sectionPart('note', 'Covering note', html`<p class="note-text">${note}</p>`)
  }`;
}

/** Where a statement and the others of its project are, and how many are issued. */
interface Ways {
  readonly own: string;
  readonly path: string;
  readonly newest: number;
}

/** What kind of statement it is, and what has changed since it was issued. */
function statusNote(visit: Visit, document: StatementDocument, ways: Ways): HtmlValue {
  const { reader } = visit;
  const { status, issuedAt, issuedBy, withdrawn, changedSince, issue, number, hash } = document;
  if (status === 'draft') return undefined;
  const { own, path, newest } = ways;
  const issuedMs = Date.parse(issuedAt ?? '');
  const issued = html`<p class="small"><span class="tag issued">Issued</span> ${visit.moment(
    issuedMs,
  )} by ${typed(issuedBy?.name ?? '')}${issue > 1 && `, issue ${issue}`}. Its hash: <code
class="hash">${hash ?? ''}</code>${
    withdrawn === null &&
    newest > number &&
    html` Later: <a href="${path}/${number + 1}">statement ${number + 1}</a>`
  }</p>`;
  if (withdrawn !== null) {
    return html`<p class="note warn">Withdrawn ${visit.moment(Date.parse(withdrawn.at))} by ${typed(
      withdrawn.by.name,
    )}: ${typed(withdrawn.reason)}</p>${issued}`;
  }
  const { count = 0, income = 0, expenses = 0 } = changedSince ?? {};
  const have = nounFor(count, 'has', 'have');
  const many = `${reader.count(count, 'transaction')} in its months ${have}`;
  const changed =
    count > 0 &&
    html`<div class="note warn"><p><b>${many} changed since:</b> income ${reader.majorChanged(
      income,
    )}, expenses ${reader.majorChanged(expenses)}. This statement stays as it is; statement ${
      number + 1
    } shows the changes.</p><a
class="button" href="${own}/changed">See what changed</a></div>`;
  return html`${changed}${issued}`;
}

/** How many lines without a reason are named. The table marks each. */
const NAMED_LINES = 12;

/** What was not finished when the figures were taken; of a draft with what settles it. */
function unfinishedPart(visit: Visit, document: StatementDocument, { run, now }: Open): Html {
  const { reader } = visit;
  const { unfinished, outside, status, startDate, endDate, lines } = document;
  const { unallocated, underReview, reasonsMissing } = unfinished;
  const isDraft = status === 'draft';
  const say = (
    count: number,
    [what, about]: readonly [HtmlValue, HtmlValue],
    ...links: readonly (readonly [path: string, name: string])[]
  ) => {
    const buttons = links.map(
      ([path, name]) => html` <a class="button" href="${path}">${name}</a>`,
    );
    return (
      count > 0 && jobRow(reader.count(count), what, about, isDraft && links.length > 0 && buttons)
    );
  };
  const open = listPath(PATHS.list, { tab: 'open', from: startDate ?? undefined, to: endDate });
  const project = { project: document.projectId, days: 'other' } as const;
  const ofProject = { from: endDate.slice(0, 4).concat('-01-01'), to: endDate };
  const missing = lines.filter(({ budgetLineId }) => reasonsMissing.includes(budgetLineId));
  const named = nameFirst(reader, missing, NAMED_LINES, (line) => {
    const name = typed(nameLine(line));
    const isField = isDraft && visit.asked('by') === undefined;
    return isField ? html`<a href="#reason-${line.budgetLineId}">${name}</a>` : name;
  });
  const [outMinor, inMinor] = [reader.minor(unallocated.out), reader.minor(unallocated.in)];
  const items = [
    say(
      unallocated.count,
      [
        'Not allocated, or not in full',
        `${reader.outAndIn(outMinor, inMinor)}${sayRun(reader, run)}`,
      ],
      [listPath('/rules/run', {}, { until: endDate }), 'Run the rules'],
      [open, 'Show them'],
    ),
    say(
      underReview.count,
      [
        html`<span class="tag review">Under review</span>`,
        `Counted as allocated, ${reader.major(underReview.amount)}${
          now === undefined
            ? ''
            : `; the finance system now has ${reader.money(now.outMinor + now.inMinor)}`
        }`,
      ],
      [PATHS.review, 'Review them'],
    ),
    say(
      outside.count,
      ['Dated outside the project', 'Not counted'],
      [listPath(PATHS.list, { ...project, ...ofProject }), 'Show them'],
    ),
    say(missing.length, ['Reasons missing', named]),
  ].filter((item) => item !== false);
  if (items.length === 0) {
    return html`${
      isDraft && html`<p class="note">Everything in these months is allocated and settled.</p>\n`
    }`;
  }
  const list = html`<ul class="jobs few">\n${items}</ul>`;
  if (!isDraft) return sectionPart('unfinished', 'Not finished', list);
  const aside = html`<p class="soft">You can issue it anyway: what comes later
shows in statement ${document.number + 1}.</p>`;
  return sectionPart('unfinished', 'Not finished in these months', list, { aside });
}

/** `. Rules would allocate 2: 834.60 out`. */
function sayRun(reader: Reader, run: RunOutcome | undefined): string {
  if (run === undefined || run.allocated === 0) return '';
  const of = run.isCut ? ` of the oldest ${reader.count(RULE_LIMITS.tried)}` : '';
  return `. Rules would allocate ${reader.count(run.allocated)}${of}: ${saySum(reader, run.rules)}`;
}
