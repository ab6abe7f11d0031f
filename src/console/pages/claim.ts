/** Choosing the budget line that is to claim an account code; its own page then saves it. */

import { nounFor } from '../../core/counts.ts';
import { formatId } from '../../core/ids.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { redirectReply } from '../../http/pages.ts';
import { listBudgetLines } from '../../operations/budget-lines.ts';
import { countTransactions } from '../../operations/transactions.ts';
import { type ClaimGroup, sumClaims } from '../../store/account-codes.ts';
import type { LineChoice } from '../../store/line-list.ts';
import { typed } from '../components/elements.ts';
import { type FormFaults, fieldOf, hiddenField, mainActions, readAt } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { lineControl, listOfferedLines, readLineField } from '../components/line-fields.ts';
import { PATHS } from '../components/paths.ts';
import { listPath } from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';

/** `GET /transactions/by-code/claim`: asks for the line, then leads to it with the code added. */
export async function showClaim(visit: Visit): Promise<Reply> {
  const { access } = visit;
  const code = (visit.asked('code') ?? '').trim();
  const projectCode = visit.asked('project');
  const text = visit.asked('line');
  const groups = await visit.readSoon(sumClaims(access, code));
  const isCounted = groups !== undefined;
  const waiting = groups?.find((each) => {
    const isOfProject = each.projectCode === (projectCode ?? null);
    return each.kind === 'unmatched' && isOfProject;
  });
  const reply = (faults: FormFaults = {}) =>
    claimReply(visit, { code, projectCode, line: text, waiting, isCounted }, faults);
  if (text === undefined) return reply();
  const faults = {};
  const line = readAt(faults, 'line', () => readLineField(visit, text));
  if (line === undefined) return reply(faults);
  const { id, projectId, projectName, startDate, endDate } = line;
  const own = listBudgetLines(access, { ids: [formatId('bln', id)], projectCode }).items;
  if (own.length === 0) {
    return reply({ line: `${projectName} does not have this project code. Choose another line.` });
  }
  const coded = { accountCode: code, projectCode };
  const choice = { statuses: ['unallocated'], isAllocatable: true, ...coded } as const;
  const inDays = { ...choice, from: startDate, to: endDate };
  const found = await visit.read(countTransactions(access, inDays));
  const isNone = found.count === 0 && !found.isCapped;
  if (waiting === undefined ? isNone && !isCounted : isNone || !canHold(line, waiting)) {
    const [first, last] = [startDate, endDate].map((day) => visit.reader.dayText(day));
    const days = `${projectName} runs from ${first} to ${last}`;
    return reply({ line: `${days}: none of these transactions is on its days. Choose another.` });
  }
  const page = `/projects/${formatId('prj', projectId)}/lines/${formatId('bln', id)}`;
  return redirectReply(`${page}?${new URLSearchParams({ claim: code })}`);
}

/** Whether the project of a line runs on some day from the first to the last of a group. */
function canHold({ startDate, endDate }: LineChoice, { from, to }: ClaimGroup): boolean {
  return startDate <= to && from <= endDate;
}

/** What is asked. */
interface Claiming {
  readonly code: string;
  /** That of the transactions, where it is looked at. */
  readonly projectCode: string | undefined;
  /** What was chosen or typed. */
  readonly line: string | undefined;
  /** The transactions that no line claims; undefined without any, or until they are counted. */
  readonly waiting: ClaimGroup | undefined;
  readonly isCounted: boolean;
}

function claimReply(visit: Visit, claiming: Claiming, faults: FormFaults): Reply {
  const { reader } = visit;
  const { code, projectCode, line, waiting, isCounted } = claiming;
  const whole = listPath(PATHS.claim, {}, { code, project: projectCode, line, count: 'all' });
  const lines = listOfferedLines(visit.access, { projectCode })?.filter((each) => {
    return waiting === undefined || canHold(each, waiting);
  });
  const isOffered = lines?.length !== 0;
  const count = waiting?.count ?? 0;
  const field = {
    label: 'Budget line',
    control: (attributes: Html) => lineControl({ attributes, value: line, lines }),
  };
  const form = html`<form class="narrow" method="get" action="${PATHS.claim}" novalidate>
${hiddenField('code', code)}${hiddenField('project', projectCode)}${fieldOf('line', field, {
  faults,
})}${mainActions('Open the line', PATHS.byCode)}</form>`;
  const none = html`<p class="note">No project with budget lines${
    projectCode !== undefined && ' and this project code'
  } runs on these days.</p>
<p class="actions"><a class="button primary" href="/projects">Projects</a> <a class="button"
href="${PATHS.byCode}">Back</a></p>`;
  const [many, are] = [reader.count(count, 'transaction'), nounFor(count, 'is', 'are')];
  const lead = html`<span id="waiting">${
    !isCounted && html`<a href="${whole}" data-count>Count the transactions with this code.</a> `
  }${
    waiting !== undefined &&
    html`${many} with this code ${are} not allocated, from ${reader.day(waiting.from)}
to ${reader.day(waiting.to)}. `
  }</span>${
    isOffered &&
    `You can then allocate the transactions on the days of the line’s project in one step.
Nothing is saved yet.`
  }`;
  return showPage(visit, {
    title: 'Claim a code',
    place: PATHS.list,
    above: [[PATHS.byCode, 'Allocate by account code']],
    heading: html`Claim account code ${typed(code)}${
      projectCode !== undefined && html` for project code ${typed(projectCode)}`
    }`,
    lead,
    content: isOffered ? form : none,
    faults,
  });
}
