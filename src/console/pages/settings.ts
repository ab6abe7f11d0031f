/** What the pages of the settings share: what is around them, with a tab for each. */

import type { Permission } from '../../core/users.ts';
import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { tabList } from '../components/elements.ts';
import { showPage } from '../components/layout.ts';
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

type SettingsPage = Omit<Parameters<typeof showPage>[1], 'place' | 'above' | 'head'>;

export function tabReply(visit: Visit, tab: string, page: SettingsPage): Reply {
  const offered = TABS.filter(([, , may]) => visit.may(may));
  const tabs = offered.map(([path, name]) => [path, name, path === tab] as const);
  const content = html`${tabList('Settings', tabs)}${page.content}`;
  return showPage(visit, { ...page, content, place: PLACE });
}

/** A page below a tab, with the way back to it. */
export function belowReply(visit: Visit, tab: string, page: SettingsPage): Reply {
  const name = TABS.find(([path]) => path === tab)?.[1];
  return showPage(visit, { ...page, above: [[tab, name]], place: PLACE });
}
