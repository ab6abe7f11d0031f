/** Organisations: create, list and change them. */

import type { Actor } from '../core/audit.ts';
import { count } from '../core/counts.ts';
import { explainCurrency, findCurrency } from '../core/currencies.ts';
import { Failure } from '../core/failures.ts';
import { CHARACTERS, LETTERHEAD_LINES } from '../core/limits.ts';
import type { OrganisationRecord } from '../core/organisations.ts';
import { DEFAULT_PLAN, PLANS, type Plan } from '../core/plans.ts';
import { cutText } from '../core/text-width.ts';
import { isTimeZone, USUAL_TIME_ZONE } from '../core/time-zones.ts';
import type { Access } from '../store/access.ts';
import * as store from '../store/organisations.ts';
import type { Source } from './access.ts';
import { readChoice, readName, readProse } from './input.ts';

/** An organisation to create. */
export interface OrganisationDraft {
  readonly name: string;
  /** An ISO 4217 code in upper case. It cannot be changed later. */
  readonly baseCurrency: string;
  readonly plan?: Plan;
  /** An IANA name such as `Europe/London`; `UTC` if absent. */
  readonly timeZone?: string;
  /** Whether to refuse with `conflict` if the database already has an organisation. */
  readonly onlyFirst?: boolean;
}

/** Creates an organisation. Refuses with `invalid_input`, or `conflict` (see `onlyFirst`). */
export function createOrganisation(
  { db }: Source,
  draft: OrganisationDraft,
  actor: Actor,
): OrganisationRecord {
  const currency = findCurrency(draft.baseCurrency);
  if (currency === undefined) {
    throw new Failure('invalid_input', explainCurrency(draft.baseCurrency));
  }
  const name = readName('The name', draft.name);
  const plan = readChoice('The plan', draft.plan ?? DEFAULT_PLAN, PLANS);
  const timeZone = readTimeZone(draft.timeZone ?? USUAL_TIME_ZONE);
  const { onlyFirst = false } = draft;
  const checked = { name, currency: currency.code, plan, timeZone, onlyFirst };
  return store.storeNewOrganisation({ db }, checked, actor);
}

/**
 * Sets the name, the plan, the time zone or the head of statements; the plan applies from the next
 * request. Refuses with `invalid_input`, or `conflict` if someone else has changed what `seen`
 * says. Returns the value.
 */
export function setOrganisation(
  access: Access,
  change: store.OrganisationChange,
  actor: Actor,
): string {
  const value = READERS[change.member](change.value);
  store.storeOrganisationChange(access, { ...change, value }, actor);
  return value;
}

const READERS = {
  name: (text: string) => readName('The name', text),
  plan: (text: string) => readChoice('The plan', text, PLANS),
  timeZone: readTimeZone,
  letterhead: readLetterhead,
};

/** The lines below the name at the head of statements, without empty ones; possibly none. */
function readLetterhead(text: string): string {
  if (text.trim() === '') return '';
  const prose = readProse('The head of statements', text, CHARACTERS.letterhead);
  const lines = prose.split(/\s*\n\s*/);
  if (lines.length <= LETTERHEAD_LINES) return lines.join('\n');
  const problem = `The head of statements has ${count(lines.length, 'line')}.`;
  throw new Failure('invalid_input', `${problem} It can have ${LETTERHEAD_LINES}.`);
}

function readTimeZone(name: string): string {
  if (isTimeZone(name)) return name;
  const shown = cutText(name, SHOWN_WIDTH);
  const message = `"${shown}" is not a time zone. Give an IANA name such as Europe/London.`;
  throw new Failure('invalid_input', message);
}

const SHOWN_WIDTH = 60;
