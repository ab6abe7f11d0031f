/** The page of the user who is signed in: password, format of numbers, keys of lists, sessions. */

import { Failure } from '../../core/failures.ts';
import { findLocale } from '../../core/locales.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { atomically } from '../../operations/access.ts';
import { changeOrganisation, deleteSessions, endSession } from '../../operations/sessions.ts';
import { nextTurn } from '../../operations/turns.ts';
import {
  changeOwnPassword,
  isOwnPassword,
  ownTexts,
  setPreferences,
} from '../../operations/users.ts';
import { listSessions } from '../../store/sessions.ts';
import { type Column, sectionPart, stackTable, typed, unseen } from '../components/elements.ts';
import {
  CURRENT_PASSWORD,
  fieldList,
  narrowForm,
  newPassword,
  oneAmong,
  postForm,
  presentPassword,
  type Sent,
  takeForm,
  UNSENT,
} from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { organisationForm, otherOrganisations } from '../components/organisations.ts';
import { PATHS } from '../components/paths.ts';
import { Reader } from '../session/reader.ts';
import { logAct } from '../session/trail.ts';
import type { Visit } from '../session/visit.ts';
import { arrive, checkOwnPassword } from './sign-in.ts';

const PAGE = '/account';
const CONFIRMING = {
  confirmed: presentPassword('Your password', { hint: 'Needed to end a session, or all others.' }),
};

/** Regions whose ways to write numbers and dates cover most readers; others come from browsers. */
const LOCALES = (
  'cs-CZ da-DK de-AT de-CH de-DE el-GR en-AU en-CA en-GB en-IE en-IN en-NZ en-US en-ZA es-ES ' +
  'es-MX et-EE fi-FI fr-BE fr-CA fr-CH fr-FR hr-HR hu-HU it-CH it-IT ja-JP ko-KR lt-LT lv-LV ' +
  'nb-NO nl-BE nl-NL pl-PL pt-BR pt-PT ro-RO sk-SK sl-SI sv-SE tr-TR uk-UA zh-CN'
).split(' ');
/** The select has an option for it, because an empty value could be a field that is missing. */
const BROWSER = 'browser';
/** An amount and a day that look different in every format. */
const SAMPLE_MINOR = 123_450;
const SAMPLE_DAY = '2015-12-08';

function passwordFields(own: readonly string[] = []) {
  const password = newPassword('New password', own);
  return { present: CURRENT_PASSWORD, password };
}

/** `POST /account/password`: sets the user's own password. */
export function takeOwnPassword(visit: Visit): Promise<Reply> {
  const { desk, session } = visit;
  const fields = passwordFields(ownTexts(desk.source, session.userId));
  return takeForm(visit, fields, showOwnPage, async (values) => {
    await checkOwnPassword(visit, () => changeOwnPassword(session, values, visit.actor));
    return { to: PAGE, message: 'Your password is changed. Your other sessions have ended.' };
  });
}

const PREFERENCES = {
  locale: {
    label: 'Numbers and dates',
    hint: 'How numbers and dates are shown, and how the amounts that you type are read.',
    type: 'select',
    read: (text: string) => {
      if (text !== BROWSER && findLocale(text) !== text) {
        throw new Failure('invalid_input', 'Choose how numbers and dates look.');
      }
      return text === BROWSER ? null : text;
    },
  },
  keys: {
    label: 'Keys in lists',
    hint: html`Each key is one letter, and works while the list has the focus. <a
href="/help#keys">See the keys</a>`,
    type: 'radio',
    options: [
      ['on', 'On'],
      ['off', 'Off', 'If your screen reader or another program uses the same keys.'],
    ],
    read: oneAmong(['on', 'off'], 'Choose whether lists have keys.'),
  },
} as const;

/** `POST /account/format`: sets the format of numbers and dates, and whether lists have keys. */
export function takePreferences(visit: Visit): Promise<Reply> {
  const { desk, session } = visit;
  return takeForm(visit, PREFERENCES, showOwnPage, ({ locale, keys }) => {
    setPreferences(desk.source, session.userId, { locale, shortcuts: keys === 'on' });
    return { to: PAGE, message: 'Your settings were saved.' };
  });
}

/** `POST /account/sessions`: ends one of the user's sessions, or all but this one. */
export function takeEndedSession(visit: Visit): Promise<Reply> {
  const { desk, session } = visit;
  const id = visit.field('id');
  return takeForm(visit, CONFIRMING, showOwnPage, async ({ confirmed: password }) => {
    await checkOwnPassword(visit, (turn) => isOwnPassword(session, password, turn));
    const sessions = atomically(desk.source, () => {
      if (id !== 'others') endSession(desk.source, { id: Number(id), userId: session.userId });
      const ended = id === 'others' ? deleteSessions(desk.source, session.userId, session.id) : 1;
      // Refused if this session has ended itself while the password was checked.
      if (ended > 0) logAct(visit, 'session.ended', { sessions: ended }, visit.actor);
      return ended;
    });
    if (id === 'others') {
      return {
        to: PAGE,
        message: `Other sessions that have ended: ${visit.reader.count(sessions)}.`,
      };
    }
    return { to: PAGE, message: 'The session has ended. Its browser has to sign in again.' };
  });
}

/** `POST /account/organisation`: leads to Home of another organisation of the user. */
export async function takeOrganisation(visit: Visit): Promise<Reply> {
  return visit.run(() => {
    const now = arrive(visit, () => {
      changeOrganisation(visit.session, visit.field('organisation'), visit.request);
    });
    const name = now?.access.organisation.name ?? '';
    return { to: '/', message: html`You are in ${typed(name)} now.`, session: now };
  });
}

export async function showOwnPage(visit: Visit, sent: Sent = UNSENT): Promise<Reply> {
  const password = narrowForm(`${PAGE}/password`, fieldList(passwordFields(), sent), {
    button: 'Change the password',
    hint: 'Signs you out everywhere else.',
  });
  const content = html`${sectionPart('password-title', 'Password', password)}
${factorPart(visit)}${await formatForm(visit, sent)}
${organisationPart(visit)}${sessionPart(visit, sent)}`;
  const lead = typed(visit.session.email);
  return showPage(visit, { title: 'Your account', place: PAGE, lead, content, ...sent });
}

function factorPart({ session }: Visit): Html {
  const [state, link] = session.hasSecondFactor
    ? ['Signing in asks for a code.', 'Make new recovery codes, change or remove it']
    : ['Signing in asks only for your password.', 'Set up a second factor'];
  const content = html`<p>${state} <a href="${PATHS.secondFactor}">${link}</a></p>`;
  return sectionPart('second-factor', 'Second factor', content);
}

async function formatForm(visit: Visit, { faults }: Sent): Promise<Html> {
  const { request, session } = visit;
  const { locale, shortcuts } = session;
  const known = locale === null || LOCALES.includes(locale) ? LOCALES : [locale, ...LOCALES];
  const names = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' });
  const sampleOf = (wish: string | undefined) => {
    const reader = Reader.of(wish, visit.access.organisation);
    const amount = reader.money(SAMPLE_MINOR);
    return `${amount} · ${reader.dayText(SAMPLE_DAY)}`;
  };
  const options: (readonly [locale: string, text: string])[] = [];
  for (const each of known) {
    options.push([each, `${names.of(each)}: ${sampleOf(each)}`]);
    // The first time, Node loads each locale, which takes some milliseconds.
    await nextTurn();
  }
  options.sort(([, one], [, other]) => (one < other ? -1 : 1));
  const asBrowser = `Use my browser’s format: ${sampleOf(request.header('accept-language'))}`;
  const formats = [[BROWSER, asBrowser], ...options] as const;
  const fields = {
    locale: { ...PREFERENCES.locale, value: locale ?? BROWSER, options: formats },
    keys: { ...PREFERENCES.keys, value: shortcuts ? 'on' : 'off' },
  };
  const form = narrowForm(`${PAGE}/format`, fieldList(fields, { faults }), { button: 'Save' });
  return sectionPart('format-title', 'Format and keys', form);
}

/** The user's other organisations; nothing for those who belong to one. */
function organisationPart({ session }: Visit): Html | undefined {
  const others = otherOrganisations(session);
  if (others.length === 0) return undefined;
  const { organisation } = session.access;
  const items = others.map((other) => {
    const name = typed(other.organisation);
    const button = html`<button class="button">Go to ${name}</button>`;
    const role = html`<span class="soft">${other.role}</span>`;
    return html`<div class="actions">${organisationForm(other, button)} ${role}</div>\n`;
  });
  const about = html`<p>You are in ${typed(organisation.name)}, as ${session.role}.</p>`;
  return sectionPart('organisations', 'Your other organisations', html`${about}\n${items}`);
}

/** Where the user is signed in. One form ends other sessions. */
function sessionPart(visit: Visit, sent: Sent): Html {
  const { desk, request, session } = visit;
  const sessions = listSessions(desk.source, session.userId, request.nowMs);
  const isThis = ({ id }: { readonly id: number }) => id === session.id;
  const columns: readonly Column<ReturnType<typeof listSessions>[number]>[] = [
    [
      'Browser',
      'whole',
      (each) =>
        html`${typed(nameAgent(each.agent))}${
          isThis(each) && html` <span class="soft">(this one)</span>`
        }`,
    ],
    ['Signed in', '', ({ createdAtMs }) => visit.moment(createdAtMs), 'Signed in'],
    ['Last page', '', (each) => (isThis(each) ? 'now' : visit.moment(each.seenAtMs)), 'Last page'],
    [
      unseen('End'),
      'num',
      (each) =>
        !isThis(each) &&
        html`<button class="button" name="id" value="${each.id}">End<span class="hidden">
${nameAgent(each.agent)}</span></button>`,
    ],
  ];
  const table = stackTable(columns, sessions, { labelledBy: 'sessions' });
  const content = html`<div class="narrow">${fieldList(CONFIRMING, sent)}<p
class="actions"><button class="button" name="id" value="others">End all others</button></p></div>
${table}`;
  const shown = sessions.length === 1 ? table : postForm(`${PAGE}/sessions`, {}, content);
  return sectionPart('sessions', 'Where you are signed in', shown);
}

/** The first that fits: browsers also name those that they are built from. */
const BROWSERS = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:(?:Headless)?Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** A browser and its system, such as `Firefox, Windows`; else the text itself. */
export function nameAgent(agent: string | null): string {
  if (agent === null || agent.trim() === '') return 'Unknown browser';
  const names = [BROWSERS, SYSTEMS].flatMap((all) => {
    return all.find(([pattern]) => pattern.test(agent))?.[1] ?? [];
  });
  return names.length === 0 ? agent : names.join(', ');
}
