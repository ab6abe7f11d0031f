/** The organisation: its name, time zone, currency and plan. */

import type { Failure } from '../../core/failures.ts';
import type { Organisation } from '../../core/organisations.ts';
import { PLANS, type Plan, planIncludes } from '../../core/plans.ts';
import { listTimeZones } from '../../core/time-zones.ts';
import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { listOrganisations, setOrganisation } from '../../operations/organisations.ts';
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
    setOrganisation(visit.access, { member: 'plan', value: values.plan }, visit.actor);
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
    const change = { member: 'name', value: name, seen: seenName } as const;
    const stored = setOrganisation(visit.access, change, visit.actor);
    return { to: TAB, message: html`The organisation is now called ${typed(stored)}.` };
  });
}

/** `POST /settings/organisation/time-zone`: sets the time zone. */
export async function takeTimeZone(visit: Visit): Promise<Reply> {
  const refused = ({ message }: Failure, status: number) => {
    return showOrganisation(visit, { zone: message }, { status });
  };
  return visit.runOr(refused, () => {
    const change = { member: 'timeZone', value: visit.field('zone') } as const;
    const zone = setOrganisation(visit.access, change, visit.actor);
    return { to: TAB, message: html`Times are now shown for ${zone}.` };
  });
}

/** `GET /settings/organisation`. */
export function showOrganisation(
  visit: Visit,
  faults: Faults = {},
  { typedName, status }: { typedName?: string; status?: number } = {},
): Reply {
  const { name, currency, plan, timeZone } = findOrganisation(visit);
  const value = typedName ?? name;
  const field = { label: 'Name', value, autocomplete: 'organization' };
  const nameFields = html`${hiddenField('was', name)}${fieldOf('name', field, { faults })}`;
  const planField = fieldOf('plan', { ...PLAN, value: plan }, { faults });
  const zoneField = fieldOf(
    'zone',
    { ...ZONE, value: timeZone, options: zonesWith(timeZone) },
    { faults },
  );
  const content = html`${narrowForm(`${TAB}/name`, nameFields, { button: 'Change the name' })}
${narrowForm(`${TAB}/time-zone`, zoneField, { button: 'Set the time zone' })}
${pairList([['Currency', html`${currency.code}. ${FIXED}`]])}
${narrowForm(TAB, planField, { button: 'Set the plan', isMain: true })}`;
  const lead =
    'Its name, time zone, currency, and plan: whether programs may use the HTTP interface.';
  return tabReply(visit, TAB, { title: 'Organisation', lead, content, faults, status });
}

const FIXED = 'It cannot be changed: every amount is stored in it, and nothing is converted.';

const ZONE = {
  label: 'Time zone',
  hint: 'Everyone here sees times in this zone. The dates of transactions stay as they are.',
  type: 'select',
} as const;

/** All of them, and the chosen one under an older name. */
function zonesWith(timeZone: string) {
  return [...new Set([...listTimeZones(), timeZone])].map((zone) => [zone, zone] as const);
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
