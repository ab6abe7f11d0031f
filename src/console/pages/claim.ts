/** Choosing the budget line that is to claim an account code; its own page then saves it. */

import { formatId } from '../../core/ids.ts';
import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { pageReply, redirectReply } from '../../http/pages.ts';
import type { Visit } from '../desk.ts';
import { type Faults, faultOf, faultSummary, faultsOf, isFaulty, titleOf } from '../forms.ts';
import { framedPage } from '../layout.ts';
import { lineControl, listLines, readLineField } from '../lines.ts';
import { typed } from '../parts.ts';
import { LIST } from '../transaction-filters.ts';

const PATH = '/transactions/by-code/claim';

/** `GET /transactions/by-code/claim`: asks for the line, then leads to it with the code added. */
export function showClaim(visit: Visit): Reply {
  const { access } = visit.session;
  const value = (name: string) => visit.request.query.find(([each]) => each === name)?.[1];
  const code = (value('code') ?? '').trim();
  const text = value('line');
  if (text === undefined) return claimReply(visit, code);
  const faults = faultsOf({ line: faultOf(() => readLineField(access, text)) });
  if (isFaulty(faults)) return claimReply(visit, code, text, faults);
  const { id, projectId } = readLineField(access, text);
  const page = `/projects/${formatId('prj', projectId)}/lines/${formatId('bln', id)}`;
  return redirectReply(`${page}?${new URLSearchParams({ claim: code })}`);
}

function claimReply(visit: Visit, code: string, line = '', faults: Faults = {}): Reply {
  const fault = faults['line'];
  const attributes = html`id="line" name="line"${
    fault !== undefined && html` aria-invalid="true" aria-describedby="line-fault"`
  }`;
  const lines = listLines(visit.session.access);
  const content = html`${faultSummary(faults)}
<p class="crumb"><a href="/transactions/by-code">Allocate by account code</a></p>
<div class="head"><div><h1>Claim account code ${typed(code)}</h1>
<p>Transactions with this code can then be allocated to the line at once. Nothing is saved yet.</p>
</div></div>
<form class="narrow" method="get" action="${PATH}" novalidate>
<input type="hidden" name="code" value="${code}">
<div class="${fault === undefined ? 'field' : 'field wrong'}"><label for="line">Budget line</label>
${fault !== undefined && html`<span class="fault" id="line-fault">${fault}</span>\n`}${lineControl({
  attributes,
  value: line,
  lines,
})}</div>
<p class="actions"><button class="button primary">Look at the line</button> <a class="button"
href="/transactions/by-code">Cancel</a></p></form>`;
  const page = framedPage({ title: titleOf('Claim a code', faults), content }, visit, LIST);
  return pageReply(page, isFaulty(faults) ? 422 : 200);
}
