/** The organisation: its name, currency and plan. */

import { Failure } from '../../core/failures.ts';
import type { Organisation } from '../../core/organisations.ts';
import { PLANS, type Plan, planIncludes } from '../../core/plans.ts';
import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { listOrganisations, setName, setPlan } from '../../operations/organisations.ts';
import { typed } from '../components/elements.ts';
import { choicesField, type Faults, inputField } from '../components/forms.ts';
import { markField } from '../session/outcomes.ts';
import { actorOf, type Visit } from '../session/visit.ts';
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
    setPlan(session.access, plan, actorOf(request, session));
    return { to: TAB, message: html`The plan is ${plan}.` };
  });
}

/** `POST /settings/organisation/name`: sets the name. */
export async function takeName(visit: Visit): Promise<Reply> {
  const { desk, request, session } = visit;
  const form = await request.readForm();
  const [name = '', seenName = ''] = [form.value('name'), form.value('was')];
  try {
    return await desk.outcomes.run(visit, form, () => {
      const actor = actorOf(request, session);
      const stored = setName(session.access, { name, seenName }, actor);
      return { to: TAB, message: html`The organisation is now called ${typed(stored)}.` };
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code !== 'invalid_input' && error.code !== 'conflict') throw error;
    const status = error.code === 'conflict' ? 409 : 422;
    return organisationReply(visit, { name: error.message }, { typedName: name, status });
  }
}

function organisationReply(
  visit: Visit,
  faults: Faults = {},
  { typedName, status }: { typedName?: string; status?: number } = {},
): Reply {
  const { name, currency, plan } = findOrganisation(visit);
  const content = html`<form class="narrow" method="post" action="${TAB}/name"
novalidate>${markField()}
<input type="hidden" name="was" value="${name}">
${inputField(
  {
    name: 'name',
    label: 'Name',
    value: typedName ?? name,
    autocomplete: 'organization',
  },
  faults,
)}<button class="button">Change the name</button>
</form>
<dl class="pairs"><dt>Currency</dt><dd>${currency.code}. It cannot be changed: every amount is
stored in it, and nothing is converted.</dd></dl>
<form class="narrow" method="post" action="${TAB}" novalidate>${markField()}
${choicesField(
  { name: 'plan', label: 'Plan', type: 'radio', chosen: [plan] },
  PLANS.map((each) => ({ value: each, label: each, hint: hintOf(each) })),
  faults,
)}<button class="button primary">Set the plan</button>
</form>`;
  const lead = 'Its name, its currency, and its plan: whether programs may use the HTTP interface.';
  return tabReply(visit, TAB, { title: 'Organisation', lead, content, faults }, status);
}

/** As it is now: someone may have changed it since the request began. */
function findOrganisation({ session }: Visit): Organisation {
  const { organisation } = session.access;
  return listOrganisations(session.access).find(({ id }) => id === organisation.id) ?? organisation;
}

/** What a plan switches off, before it is chosen. */
function hintOf(plan: Plan): string {
  if (planIncludes(plan, 'api_access')) return 'Programs may push and read with a key.';
  return 'Requests with keys are refused from then on. Keys and data stay as they are.';
}
