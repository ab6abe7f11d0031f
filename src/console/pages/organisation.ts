/** The organisation: its name, head of statements, time zone, currency and plan. */

import { LETTERHEAD_LINES } from '../../core/limits.ts';
import type { OrganisationRecord } from '../../core/organisations.ts';
import { explainNoAccess, PLANS, type Plan } from '../../core/plans.ts';
import { listTimeZones } from '../../core/time-zones.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { setOrganisation } from '../../operations/organisations.ts';
import { requireSecondFactor } from '../../operations/second-factors.ts';
import { listOrganisations } from '../../store/organisations.ts';
import { listUsers } from '../../store/users.ts';
import { pairList, typed } from '../components/elements.ts';
import {
  fieldList,
  fieldOf,
  hiddenField,
  narrowForm,
  oneAmong,
  type Sent,
  takeForm,
  UNSENT,
} from '../components/forms.ts';
import { PATHS } from '../components/paths.ts';
import type { Visit } from '../session/visit.ts';
import { tabReply } from './settings.ts';

const TAB = '/settings/organisation';

/** `POST /settings/organisation`: sets the plan. */
export function takePlan(visit: Visit): Promise<Reply> {
  return takeForm(visit, { plan: PLAN }, showOrganisation, ({ plan }) => {
    setOrganisation(visit.access, { member: 'plan', value: plan }, visit.actor);
    return { to: TAB, message: html`The plan is ${plan}.` };
  });
}

/** `POST /settings/organisation/name`: sets the name. */
export function takeName(visit: Visit): Promise<Reply> {
  return takeForm(visit, { name: NAME }, showOrganisation, ({ name: value }) => {
    const change = { member: 'name', value, seen: visit.field('was') } as const;
    const stored = setOrganisation(visit.access, change, visit.actor);
    return { to: TAB, message: html`The organisation is now called ${typed(stored)}.` };
  });
}

/** `POST /settings/organisation/time-zone`: sets the time zone. */
export function takeTimeZone(visit: Visit): Promise<Reply> {
  return takeForm(visit, { zone: ZONE }, showOrganisation, ({ zone: value }) => {
    const zone = setOrganisation(visit.access, { member: 'timeZone', value }, visit.actor);
    return { to: TAB, message: html`Times are now shown for ${zone}.` };
  });
}

/** `POST /settings/organisation/letterhead`: sets the head of statements. */
export function takeLetterhead(visit: Visit): Promise<Reply> {
  return takeForm(visit, { letterhead: HEAD }, showOrganisation, ({ letterhead: value }) => {
    const seen = visit.field('was').replaceAll('\r\n', '\n');
    setOrganisation(visit.access, { member: 'letterhead', value, seen }, visit.actor);
    return { to: TAB, message: 'Saved. Statements issued from now on show it at the head.' };
  });
}

/** `POST /settings/organisation/second-factor`: sets who needs a second factor. */
export function takeFactorRequired(visit: Visit): Promise<Reply> {
  return takeForm(visit, { factor: FACTOR }, showOrganisation, ({ factor }) => {
    const isRequired = factor === 'everyone';
    requireSecondFactor(visit.session, isRequired, visit.actor);
    const message = isRequired
      ? 'Everyone here needs a second factor from now on.'
      : 'Each user now decides whether to use a second factor.';
    return { to: TAB, message };
  });
}

export function showOrganisation(visit: Visit, sent: Sent = UNSENT): Reply {
  const organisation = findOrganisation(visit);
  const { name, currency, plan, timeZone, letterhead, requiresSecondFactor } = organisation;
  const nameField = fieldList({ name: { ...NAME, value: name } }, sent);
  const nameFields = html`${hiddenField('was', name)}${nameField}`;
  const planField = fieldList({ plan: { ...PLAN, value: plan } }, sent);
  const zone = { ...ZONE, value: timeZone, options: zonesWith(timeZone) };
  const zoneField = fieldOf('zone', zone, { faults: sent.faults });
  const headField = fieldList({ letterhead: { ...HEAD, value: letterhead } }, sent);
  const head = html`${hiddenField('was', letterhead)}${headField}`;
  const content = html`${narrowForm(`${TAB}/name`, nameFields, { button: 'Change the name' })}
${narrowForm(`${TAB}/letterhead`, head, { button: 'Set the letterhead' })}
${narrowForm(`${TAB}/time-zone`, zoneField, { button: 'Set the time zone' })}
${pairList([['Currency', html`${currency.code}. ${FIXED}`]])}
${narrowForm(TAB, planField, { button: 'Set the plan', isMain: true })}
${factorForm(visit, requiresSecondFactor, sent)}`;
  const lead = html`The name, the head of statements, the time zone, the currency, and the plan,
which decides whether programs may use the HTTP interface.`;
  return tabReply(visit, TAB, { title: 'Organisation', lead, content, ...sent });
}

function factorForm(visit: Visit, isRequired: boolean, sent: Sent): Html {
  const users = listUsers(visit.access);
  const without = users.filter(({ secondFactor }) => secondFactor === 0);
  const names = without.map(({ name, email }) => name ?? email).join(', ');
  const all = visit.reader.count(users.length, 'user');
  const hint =
    without.length === 0 ? 'Everyone here has one.' : `Of ${all}, these have none: ${names}.`;
  if (!isRequired && !visit.session.hasSecondFactor) {
    return html`<p id="factor"><b>${FACTOR.label}</b>: each user decides. ${hint} Before you
require one for everyone, <a href="${PATHS.secondFactor}">set up your own</a>.</p>`;
  }
  const value = isRequired ? 'everyone' : 'each';
  const field = fieldList({ factor: { ...FACTOR, hint, value } }, sent);
  return narrowForm(`${TAB}/second-factor`, field, { button: 'Set who needs one' });
}

const FACTOR = {
  label: 'Second factor',
  type: 'radio',
  options: [
    ['each', 'Each user decides'],
    [
      'everyone',
      'Required for everyone',
      'Users without one must set it up before they do anything else.',
    ],
  ],
  read: oneAmong(['each', 'everyone'], 'Choose who needs a second factor.'),
} as const;

const FIXED = 'It cannot be changed: every amount is stored in it, and budgetd does not convert.';

const NAME = { label: 'Name', autocomplete: 'organization', read: (text: string) => text };

const HEAD = {
  label: 'Printed at the head of statements',
  hint: html`Address, registration number, email: up to ${LETTERHEAD_LINES} lines. The name is
printed above.`,
  type: 'textarea',
  read: (text: string) => text,
} as const;

const ZONE = {
  label: 'Time zone',
  hint: 'Everyone here sees times in this zone. The dates of transactions stay as they are.',
  type: 'select',
  read: (text: string) => text,
} as const;

/** All of them, and the chosen one under an older name. */
function zonesWith(timeZone: string) {
  return [...new Set([...listTimeZones(), timeZone])].map((zone) => [zone, zone] as const);
}

const PLAN = {
  label: 'Plan',
  type: 'radio',
  options: PLANS.map((each) => [each, each, hintOf(each)] as const),
  read: oneAmong(PLANS, 'Choose a plan.'),
} as const;

/** As it is now: someone may have changed it since the request began. */
function findOrganisation({ access }: Visit): OrganisationRecord {
  const { organisation } = access;
  return listOrganisations(access).find(({ id }) => id === organisation.id) ?? organisation;
}

/** What a plan switches off, before it is chosen. */
function hintOf(plan: Plan): string {
  if (explainNoAccess(plan) === undefined) return 'Programs may push and read with a key.';
  return 'Requests with keys are refused from then on. Keys and data stay as they are.';
}
