/** The organisation: its name, currency and plan. */

import type { Failure } from '../../core/failures.ts';
import type { Organisation } from '../../core/organisations.ts';
import { PLANS, type Plan, planIncludes } from '../../core/plans.ts';
import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { listOrganisations, setName, setPlan } from '../../operations/organisations.ts';
import { typed } from '../components/elements.ts';
import { type Faults, fieldOf, oneOf, readFields } from '../components/forms.ts';
import { markField } from '../session/outcomes.ts';
import type { Visit } from '../session/visit.ts';
import { tabReply } from './settings.ts';

const TAB = '/settings/organisation';

/** `GET /settings/organisation`. */
export function showOrganisation(visit: Visit): Reply {
  return organisationReply(visit);
}

/** `POST /settings/organisation`: sets the plan. */
export async function takePlan(visit: Visit): Promise<Reply> {
  const { values, faults } = readFields({ plan: PLAN }, visit.form);
  if (values === undefined) return organisationReply(visit, faults);
  return visit.run(() => {
    setPlan(visit.access, values.plan, visit.actor);
    return { to: TAB, message: html`The plan is ${values.plan}.` };
  });
}

/** `POST /settings/organisation/name`: sets the name. */
export async function takeName(visit: Visit): Promise<Reply> {
  const [name, seenName] = [visit.field('name'), visit.field('was')];
  const refused = ({ message }: Failure, status: number) => {
    return organisationReply(visit, { name: message }, { typedName: name, status });
  };
  return visit.runOr(refused, () => {
    const stored = setName(visit.access, { name, seenName }, visit.actor);
    return { to: TAB, message: html`The organisation is now called ${typed(stored)}.` };
  });
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
${fieldOf(
  'name',
  { label: 'Name', value: typedName ?? name, autocomplete: 'organization' },
  { faults },
)}<button class="button">Change the name</button>
</form>
<dl class="pairs"><dt>Currency</dt><dd>${currency.code}. It cannot be changed: every amount is
stored in it, and nothing is converted.</dd></dl>
<form class="narrow" method="post" action="${TAB}" novalidate>${markField()}
${fieldOf('plan', { ...PLAN, value: plan }, { faults })}<button
class="button primary">Set the plan</button>
</form>`;
  const lead = 'Its name, its currency, and its plan: whether programs may use the HTTP interface.';
  return tabReply(visit, TAB, { title: 'Organisation', lead, content, faults, status });
}

const PLAN = {
  label: 'Plan',
  type: 'radio',
  options: PLANS.map((each) => [each, each, hintOf(each)] as const),
  read: oneOf(PLANS, 'Choose a plan.'),
} as const;

/** As it is now: someone may have changed it since the request began. */
function findOrganisation({ access }: Visit): Organisation {
  const { organisation } = access;
  return listOrganisations(access).find(({ id }) => id === organisation.id) ?? organisation;
}

/** What a plan switches off, before it is chosen. */
function hintOf(plan: Plan): string {
  if (planIncludes(plan, 'api_access')) return 'Programs may push and read with a key.';
  return 'Requests with keys are refused from then on. Keys and data stay as they are.';
}
