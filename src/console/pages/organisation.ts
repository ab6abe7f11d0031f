/** The organisation: its name, currency and plan. */

import { PLANS, type Plan, planIncludes } from '../../core/plans.ts';
import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { setPlan } from '../../operations/organisations.ts';
import { actorOf, type Visit } from '../desk.ts';
import { choicesField, type Faults } from '../forms.ts';
import { markField } from '../outcomes.ts';
import { typed } from '../parts.ts';
import { tabReply } from './settings.ts';

const TAB = '/settings/organisation';

/** `GET /settings/organisation`. */
export function showOrganisation(visit: Visit): Reply {
  return organisationReply(visit);
}

/** `POST /settings/organisation`: sets the plan. */
export async function takePlan(visit: Visit): Promise<Reply> {
  const { desk, request, session } = visit;
  const form = await request.readForm();
  const plan = PLANS.find((each) => each === form.value('plan'));
  if (plan === undefined) return organisationReply(visit, { plan: 'Choose a plan.' });
  return desk.outcomes.run(visit, form, () => {
    setPlan(session.access, plan, actorOf(request, session.userId));
    return { to: TAB, message: html`The plan is ${plan}.` };
  });
}

function organisationReply(visit: Visit, faults: Faults = {}): Reply {
  const { name, currency, plan } = visit.session.access.organisation;
  const content = html`<dl class="pairs"><dt>Name</dt><dd>${typed(name)}</dd>
<dt>Currency</dt><dd>${currency.code}. It cannot be changed.</dd></dl>
<form class="narrow" method="post" action="${TAB}" novalidate>${markField()}
${choicesField(
  { name: 'plan', label: 'Plan', type: 'radio', chosen: [plan] },
  PLANS.map((each) => ({ value: each, label: each, hint: hintOf(each) })),
  faults,
)}<button class="button primary">Set the plan</button>
</form>`;
  return tabReply(visit, TAB, {
    title: 'Organisation',
    lead: 'Its plan says whether programs may use the HTTP interface.',
    content,
    faults,
  });
}

/** What a plan switches off, before it is chosen. */
function hintOf(plan: Plan): string {
  if (planIncludes(plan, 'api_access')) return 'Programs may push and read with a key.';
  return 'Requests with keys are refused from then on. Keys and data stay as they are.';
}
