/** What the pages of the settings share: what is around them, with a tab for each. */

import { listPermissions, type Permission } from '../../core/users.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { pageReply } from '../../http/pages.ts';
import { type Faults, faultSummary, isFaulty, titleOf } from '../components/forms.ts';
import { framedPage } from '../components/layout.ts';
import { takeFlash } from '../session/outcomes.ts';
import type { Visit } from '../session/visit.ts';

/** The entry of the bar. */
const PLACE = '/settings/keys';

const TABS: readonly (readonly [path: string, name: string, may: Permission])[] = [
  ['/settings/keys', 'API keys', 'keys'],
  ['/settings/users', 'Users', 'users'],
  ['/settings/organisation', 'Organisation', 'organisation'],
  ['/settings/backups', 'Backups', 'backups'],
  ['/activity', 'Activity', 'activity'],
];

/** A page of the settings. */
interface SettingsPage {
  readonly title: string;
  /** The title with what a person typed; by default the title. */
  readonly heading?: Html;
  /** One sentence under the title. */
  readonly lead?: HtmlValue;
  /** Beside the title. */
  readonly action?: Html | undefined;
  readonly content: HtmlValue;
  readonly faults?: Faults;
}

/** The page of a tab. It says what the last form did. Without faults its status is 200. */
export function tabReply(visit: Visit, tab: string, page: SettingsPage, status = 422): Reply {
  const { title, lead, action, content, faults = {} } = page;
  const permissions = listPermissions(visit.session.role);
  const tabs = TABS.filter(([, , may]) => permissions.includes(may)).map(([path, name]) => {
    const mark = path === tab && html` aria-current="page"`;
    return html`<li><a href="${path}"${mark}>${name}</a></li>\n`;
  });
  const body = html`${faultSummary(faults)}${takeFlash(visit)}
<div class="head"><div><h1>${title}</h1>
<p>${lead}</p></div>
${action !== undefined && html`<div class="actions">${action}</div>`}</div>
<nav aria-label="Settings"><ul class="tabs">
${tabs}</ul></nav>
${content}`;
  const framed = framedPage({ title: titleOf(title, faults), content: body }, visit, PLACE);
  return pageReply(framed, isFaulty(faults) ? status : 200);
}

/** A page below a tab, with the way back to it. */
export function belowReply(
  visit: Visit,
  tab: string,
  { title, heading = html`${title}`, lead, content, faults = {} }: SettingsPage,
  status = isFaulty(faults) ? 422 : 200,
): Reply {
  const name = TABS.find(([path]) => path === tab)?.[1];
  const body = html`${faultSummary(faults)}
<p class="crumb"><a href="${tab}">${name}</a></p>
<div class="head"><div><h1>${heading}</h1>
${lead !== undefined && html`<p>${lead}</p>`}</div></div>
${content}`;
  const page = framedPage({ title: titleOf(title, faults), content: body }, visit, PLACE);
  return pageReply(page, status);
}
