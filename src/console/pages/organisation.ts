/** The organisation: its name, currency and plan. */

import type { Failure } from '../../core/failures.ts';
import type { Organisation } from '../../core/organisations.ts';
import { PLANS, type Plan, planIncludes } from '../../core/plans.ts';
import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { listOrganisations, setName, setPlan } from '../../operations/organisations.ts';
import { pairList, typed } from '../components/elements.ts';
import {
  type Faults,
  fieldOf,
  hiddenField,
  narrowForm,
  oneOf,
  readFields,
} from '../components/forms.ts';
import type { Visit } from '../session/visit.ts';
import { tabReply } from './settings.ts';

const TAB = '/settings/organisation';

/** `POST /settings/organisation`: sets the plan. */
export async function takePlan(visit: Visit): Promise<Reply> {
  const { values, faults } = readFields({ plan: PLAN }, visit.form);
  if (values === undefined) return showOrganisation(visit, faults);
  return visit.run(() => {
    setPlan(visit.access, values.plan, visit.actor);
    return { to: TAB, message: html`The plan is ${values.plan}.` };
  });
}

/** `POST /settings/organisation/name`: sets the name. */
export async function takeName(visit: Visit): Promise<Reply> {
  const [name, seenName] = [visit.field('name'), visit.field('was')];
  const refused = ({ message }: Failure, status: number) => {
    return showOrganisation(visit, { name: message }, { typedName: name, status });
  };
  return visit.runOr(refused, () => {
    const stored = setName(visit.access, { name, seenName }, visit.actor);
    return { to: TAB, message: html`The organisation is now called ${typed(stored)}.` };
  });
}

/** `GET /settings/organisation`. */
export function showOrganisation(
  visit: Visit,
  faults: Faults = {},
  { typedName, status }: { typedName?: string; status?: number } = {},
): Reply {
  const { name, currency, plan } = findOrganisation(visit);
  const value = typedName ?? name;
  const field = { label: 'Name', value, autocomplete: 'organization' };
  const nameFields = html`${hiddenField('was', name)}${fieldOf('name', field, { faults })}`;
  const planField = fieldOf('plan', { ...PLAN, value: plan }, { faults });
  const content = html`${narrowForm(`${TAB}/name`, nameFields, { button: 'Change the name' })}
${pairList([['Currency', html`${currency.code}. ${FIXED}`]])}
${narrowForm(TAB, planField, { button: 'Set the plan', isMain: true })}`;
  const lead = 'Its name, its currency, and its plan: whether programs may use the HTTP interface.';
  return tabReply(visit, TAB, { title: 'Organisation', lead, content, faults, status });
}

const FIXED = 'It cannot be changed: every amount is stored in it, and nothing is converted.';

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
