/** The first page: what there is to do, and the figures of each project. */

import { nounFor } from '../../core/counts.ts';
import { boundsOfDay } from '../../core/time-zones.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { findKeyById } from '../../operations/keys.ts';
import { countTransactions, listTransactions } from '../../operations/transactions.ts';
import { finish, nextTurn } from '../../operations/turns.ts';
import { type ClaimGroup, listProjectCodes, sumClaims } from '../../store/account-codes.ts';
import { sumRuledSince } from '../../store/shares.ts';
import type { TransactionTotals } from '../../store/totals.ts';
import { type Figure, figureList, jobRow, nameFirst, typed } from '../components/elements.ts';
import { showPage } from '../components/layout.ts';
import { PATHS } from '../components/paths.ts';
import { type Filters, listPath } from '../components/transaction-filters.ts';
import { type Deed, listActs } from '../sentences/activity.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { firstRun } from './first-run.ts';
import { projectsPart } from './projects.ts';
import { countRecoded } from './recoded.ts';

export async function showHome(visit: Visit): Promise<Reply> {
  const steps = firstRun(visit);
  if (steps !== undefined) return showPage(visit, { title: 'Home', head: false, content: steps });
  const jobs = await listJobs(visit);
  const content = html`<div class="desk">
${jobList(jobs)}
${await factsOf(visit)}
</div>
${await projectsPart(visit)}`;
  const lead = visit.reader.weekday(visit.reader.dayOf(visit.nowMs));
  // The counts themselves, so that one look is enough.
  const waiting = jobs.flatMap(({ short }) => short ?? []).join(', ');
  const heading = waiting || 'Nothing waits for you';
  return showPage(visit, { title: 'Home', heading, lead, content });
}

interface Job {
  readonly count: string;
  readonly what: HtmlValue;
  readonly about: HtmlValue;
  readonly path: string;
  readonly button: string;
  /** For the heading, unless the job before says it for both. */
  readonly short?: string;
}

/** A sum of transactions to allocate, as a link to them. */
function linkOpen(text: string): Html {
  return html`<a href="${listPath(PATHS.list, { tab: 'open', via: 'home' })}">${text}</a>`;
}

/** Changed transactions whose changes are added up. */
const REVIEWS = 100;
/** Transactions that are grouped by their account codes. */
const GROUPED = 10_000;
/** Account codes that are named. */
const CODES = 3;
/** Project codes that are named with their sums. */
const PROJECT_CODES = 10;

/** What waits, each counted for itself: whatever else there is, it is found. */
async function listJobs(visit: Visit): Promise<readonly Job[]> {
  const jobs: Job[] = [];
  for (const [status, jobsOf, isAllocatable] of KINDS) {
    const choice = { statuses: [status], isAllocatable } as const;
    const totals = finish(countTransactions(visit.access, choice));
    if (totals.count > 0) jobs.push(...(await jobsOf(visit, totals)));
    await nextTurn();
  }
  return [...jobs, ...(await recodedJobs(visit))];
}

const KINDS = [
  ['needs_review', reviewJobs, undefined],
  ['unallocated', unallocatedJobs, true],
  ['partially_allocated', partJobs, undefined],
] as const;

function reviewJobs(visit: Visit, totals: TransactionTotals): readonly Job[] {
  const count = visit.reader.count(totals.count);
  const { items } = finish(
    listTransactions(visit.access, { statuses: ['needs_review'], limit: REVIEWS }),
  );
  const moved = items.reduce((sum, { amountMinor, review }) => {
    return sum + amountMinor - (review?.previousMinor ?? amountMinor);
  }, 0);
  const isWhole = items.length === totals.count;
  const about = html`${
    isWhole ? html`By <a href="/review">${visit.reader.amount(moved)}</a> in total. ` : ''
  }The reports count the old amounts.`;
  const what = html`<span class="tag review">Changed after they were allocated</span>`;
  return [
    { count, what, about, path: PATHS.review, button: 'Review', short: `${count} to review` },
  ];
}

/** The work on transactions whose codes or day changed after they were allocated. */
async function recodedJobs(visit: Visit): Promise<readonly Job[]> {
  const { count: found, shown: count, ...totals } = await countRecoded(visit);
  if (found === 0) return [];
  const amount = visit.reader.amount(totals.allocatedMinor);
  const sum = totals.isCapped ? 'They' : html`<a href="${PATHS.recoded}">${amount}</a>`;
  const about = html`${sum} may belong to other budget lines.
They stay where they are until someone settles them.`;
  const what = html`<span class="tag review">Recoded after they were allocated</span>`;
  const short = `${count} recoded`;
  return [{ count, what, about, path: PATHS.recoded, button: 'Settle them', short }];
}

/** The work on unallocated transactions: if few, those with a code that a line claims are apart. */
async function unallocatedJobs(visit: Visit, totals: TransactionTotals): Promise<readonly Job[]> {
  const { reader } = visit;
  const byHand = { path: '/transactions?tab=open', button: 'Allocate by hand' };
  const byCode = { path: PATHS.byCode, button: 'Allocate by code' };
  const what = 'Not allocated';
  const all = reader.count(totals.count);
  const short = `${all} to allocate`;
  const sums = { sumMinor: totals.outMinor + totals.inMinor, inMinor: totals.inMinor };
  if (totals.count > GROUPED) {
    const about = html`${linkOpen(saySums(reader, [sums]))}. No report counts them.`;
    return [{ count: all, what, about, ...byCode, short }];
  }
  const groups = await visit.read(sumClaims(visit.access));
  const claimed = groups.filter(({ kind }) => kind === 'claimed');
  const count = claimed.reduce((sum, each) => sum + each.count, 0);
  const whole = groups.reduce((sum, each) => sum + each.count, 0);
  const rest = whole - count;
  const cleared = totals.count - whole;
  const jobs: Job[] = [];
  if (count > 0) {
    const codes = new Set(claimed.map(({ accountCode }) => accountCode)).size;
    const sum = html`<a href="${byCode.path}">${saySums(reader, claimed)}</a>`;
    const about = html`${sum} under ${reader.count(codes, 'account code')}.`;
    const one = 'Not allocated, and one budget line claims their code';
    jobs.push({ count: reader.count(count), what: one, about, ...byCode });
  }
  if (rest > 0) {
    const found = groups.flatMap(({ kind, accountCode }) => {
      return kind === 'claimed' || accountCode === null ? [] : [accountCode];
    });
    const others = [...new Set(found)];
    const codes = nameFirst(reader, others, CODES, (accountCode) =>
      linkCode({ accountCode }, accountCode),
    );
    const left = groups.filter(({ kind }) => kind !== 'claimed');
    const amounts = saySums(reader, left);
    const byLine = html`<a href="${byCode.path}#left">${amounts}</a>`;
    const about = html`${count > 0 ? byLine : linkOpen(amounts)}${
      others.length > 0 && html`, ${nounFor(others.length, 'account code')} ${codes}`
    }.${sayUnknown(visit, groups)}`;
    const none =
      others.length > 0
        ? 'Not allocated, and no single budget line claims their code on their date'
        : 'Not allocated, and without an account code';
    jobs.push({ count: reader.count(rest), what: none, about, ...byHand });
  }
  if (cleared > 0) {
    const left = groups.reduce((from, each) => {
      return { sumMinor: from.sumMinor - each.sumMinor, inMinor: from.inMinor - each.inMinor };
    }, sums);
    const about = html`${linkOpen(saySums(reader, [left]))}. Rules do not allocate them.`;
    const since = 'Not allocated, because someone removed their allocations';
    jobs.push({ count: reader.count(cleared), what: since, about, ...byHand });
  }
  return jobs.map((job, at) => (at === 0 ? { ...job, short } : job));
}

/** Money out and in, unless one of them is nothing: a grant is not set off against payments. */
function saySums(reader: Reader, groups: readonly Pick<ClaimGroup, 'sumMinor' | 'inMinor'>[]) {
  const inMinor = groups.reduce((sum, each) => sum + each.inMinor, 0);
  const outMinor = groups.reduce((sum, each) => sum + each.sumMinor, -inMinor);
  const isBoth = outMinor !== 0 && inMinor !== 0;
  return isBoth ? reader.outAndIn(outMinor, -inMinor, true) : reader.amount(outMinor + inMinor);
}

/** A code, as a link to what of it is to allocate. */
function linkCode(filters: Filters, code: string): Html {
  const list = listPath(PATHS.list, { tab: 'open', ...filters, via: 'home' });
  return html`<a href="${list}"><code>${typed(code)}</code></a>`;
}

/** The project codes that no project has, with what is coded to them: the largest first. */
function sayUnknown(visit: Visit, groups: readonly ClaimGroup[]): HtmlValue {
  const known = listProjectCodes(visit.access);
  const sums = new Map<string, number>();
  for (const { projectCode, kind, sumMinor } of groups) {
    if (kind !== 'unmatched' || projectCode === null || known.has(projectCode)) continue;
    sums.set(projectCode, (sums.get(projectCode) ?? 0) + sumMinor);
  }
  const sorted = [...sums].sort(([, one], [, two]) => Math.abs(two) - Math.abs(one));
  const say = ([code, minor]: readonly [string, number]) => {
    return html`${linkCode({ projectCode: code }, code)} ${visit.reader.amount(minor)}`;
  };
  const named = nameFirst(visit.reader, sorted, PROJECT_CODES, say);
  return sums.size > 0 && html` No project has these project codes: ${named}.`;
}

function partJobs(visit: Visit, totals: TransactionTotals): readonly Job[] {
  const count = visit.reader.count(totals.count);
  const leftMinor = totals.outMinor + totals.inMinor - totals.allocatedMinor;
  const left = linkOpen(visit.reader.amount(leftMinor));
  const about = html`${left} left to allocate. The reports count only the allocated part.`;
  const path = '/transactions?tab=open';
  const short = `${count} allocated in part`;
  return [{ count, what: 'Allocated in part', about, path, button: 'Allocate the rest', short }];
}

/** What needs a person, what it is worth, and why. Nothing for a job that is done. */
function jobList(jobs: readonly Job[]): Html | undefined {
  if (jobs.length === 0) return undefined;
  const [first] = jobs;
  const items = jobs.map((job) => {
    const look = job === first ? 'button primary' : 'button';
    const button = html`<a class="${look}" href="${job.path}">${job.button}</a>`;
    return jobRow(job.count, job.what, job.about, button);
  });
  return html`<section aria-labelledby="now">
<h2 class="hidden" id="now">What waits for you</h2>
<ul class="jobs">
${items}</ul>
</section>`;
}

const DAY_MS = 86_400_000;

/** Pages of the log that are looked through for the last push: after it came other changes. */
const LOG_PAGES = 20;
/** Entries of the log that an import may have, to be added up. */
const LOG_ENTRIES = 20;

/** The facts, as a part of the first page. */
async function factsOf(visit: Visit): Promise<Html> {
  const { access, reader } = visit;
  const push = await findLastPush(visit);
  const { count } = finish(countTransactions(access));
  const facts: readonly Figure[] = [
    push === undefined
      ? ['Last push', 'none yet']
      : [push.details['provider'] === 'api' ? 'Last push' : 'Last import', sayPush(visit, push)],
    ...ruledFact(visit),
    ...backupFact(visit),
    ['Transactions', html`<a href="${PATHS.list}">${reader.count(count)}</a>`],
  ];
  return html`<section aria-labelledby="state">
<h2 class="hidden" id="state">At a glance</h2>
${figureList(facts, 'facts')}
</section>`;
}

/** What rules have allocated since yesterday; nothing if that is nothing. */
function ruledFact(visit: Visit): readonly Figure[] {
  const { access, reader, nowMs } = visit;
  const { timeZone } = access.organisation;
  const [sinceMs] = boundsOfDay(timeZone, reader.dayOf(nowMs - DAY_MS));
  const sum = sumRuledSince(access, sinceMs);
  if (sum === undefined) return [];
  const count = reader.count(sum.transactions);
  const link = visit.may('activity')
    ? html`<a href="/activity?kind=transactions">${count}</a>`
    : count;
  const about = html`<span class="sub">since yesterday, ${reader.money(sum.amountMinor)}</span>`;
  return [['Allocated by rules', html`${link} ${about}`]];
}

async function findLastPush({ access }: Visit): Promise<Deed | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < LOG_PAGES; page += 1) {
    const filter = { actions: ['transactions.pushed'], limit: LOG_ENTRIES, cursor } as const;
    const { acts, nextCursor } = await listActs(access, filter);
    if (acts.length > 0 || nextCursor === null) return acts[0];
    cursor = nextCursor;
    await nextTurn();
  }
  return undefined;
}

/** When, by whom, and what became of its rows. */
function sayPush(visit: Visit, { atMs, actor, details }: Deed): Html {
  const key = visit.may('keys') ? findKeyById(visit.access, actor) : undefined;
  const countOf = (member: string) => Number(details[member] ?? 0);
  const say = (count: number, word: string) => count > 0 && `${visit.reader.count(count)} ${word}`;
  const unchanged = countOf('unchanged');
  const counts = [
    say(countOf('created'), 'new'),
    say(countOf('updated') - unchanged, 'updated'),
    say(unchanged, 'unchanged'),
  ]
    .filter(Boolean)
    .join(', ');
  const rejected = say(countOf('rejected'), 'rejected');
  const link = visit.may('activity') && typeof rejected === 'string';
  return html`${visit.moment(atMs)}${
    key !== undefined && html`, key <a href="/settings/keys">${typed(key.name)}</a>`
  } <span class="sub">${counts === '' ? 'nothing new' : counts}, ${
    link ? html`<a href="/activity?kind=transactions">${rejected}</a>` : rejected || 'none rejected'
  }</span>`;
}

/** Nothing where the service makes no backups and the reader cannot see to it. */
function backupFact(visit: Visit): readonly Figure[] {
  if (!visit.may('backups')) return [];
  const backups = visit.desk.backups();
  const link = (text: HtmlValue) => html`<a href="/settings/backups">${text}</a>`;
  if (backups === undefined) return [['Last backup', link('none are made')]];
  const { last, failure } = backups;
  const when = last === null ? 'none yet' : visit.moment(last.atMs);
  const age = last !== null && `${visit.reader.age(last.atMs, visit.nowMs)} ago, checked`;
  const isWrong = failure !== null || visit.isOld(last);
  const about = failure === null ? age : 'the latest attempt failed';
  const mark = isWrong ? html`<span class="tag review">${link(when)}</span>` : link(when);
  return [['Last backup', html`${mark} <span class="sub">${about}</span>`]];
}
