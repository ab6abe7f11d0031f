/** Help: what the words of the console mean, and who may do what. */

import type { Status } from '../../core/transactions.ts';
import { aRole, listPermissions, type Permission, ROLES } from '../../core/users.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { listUsers } from '../../store/users.ts';
import { nameFirst, pairList, sectionPart, statusTag, typed } from '../components/elements.ts';
import { keyTable, showPage } from '../components/layout.ts';
import type { Visit } from '../session/visit.ts';

/** What each status means, in the order in which a transaction goes through them. */
const STATUSES: readonly (readonly [status: Status, about: HtmlValue])[] = [
  ['unallocated', 'Not assigned to a budget yet, so it is in no report.'],
  ['partially_allocated', 'Part of its amount is on budget lines. The rest is not allocated yet.'],
  ['allocated', 'All of its amount is on one or more budget lines.'],
  [
    'needs_review',
    html`The finance system changed its amount after it was allocated. The report counts what was
allocated until someone decides on <a href="/review">Review</a>.`,
  ],
  [
    'excluded',
    'Not in any budget, such as a transfer between your own accounts. Its history has the reason.',
  ],
];

/** What people do here, by the permission that it needs. */
const JOBS: Readonly<Record<Permission, string>> = {
  read: 'See transactions, projects and reports',
  allocate: 'Allocate transactions to budget lines',
  review: 'Decide about amounts that have changed',
  exclude: 'Exclude transactions, and restore them',
  projects: 'Make and edit projects and their budget lines',
  rules: 'Make and change rules, and say when they run',
  import: 'Import files from a bank or a finance system',
  keys: 'Make and revoke API keys',
  backups: 'Make and download backups',
  activity: 'See who did what',
  users: 'Add and remove users, and change their roles',
  organisation: 'Change the name of the organisation',
  plan: 'Change its plan',
};

const SECTIONS: readonly (readonly [id: string, title: string, content: HtmlValue])[] = [
  [
    'statuses',
    'What the statuses mean',
    pairList(STATUSES.map(([status, about]) => [statusTag(status), about])),
  ],
  [
    'allocating',
    'Allocating',
    html`<p>Open a <a href="/transactions">transaction</a>, choose the budget line and save. To
split it, add lines. Leave one amount empty to allocate the rest. You can also type a
percentage.</p>
<p>To allocate many at once, select them and choose the line below the list. Transactions dated
outside its project are not changed. <b>Clear allocations</b> removes what allocated ones have. <a
href="/rules/run?only=code">By account code</a> shows which line claims each code, and allocates
what you select. A list of account codes is part of each budget line. Project codes, on the page
<b>Edit</b>, separate two projects whose lines have the same account code.</p>
<p>Changes are saved immediately, and the message offers Undo. Undo takes back what has not
changed since, and counts the rest. For admins the activity, below <b>Settings</b>, offers
it too, at any time, and excludes what an import brought. Every transaction has its history below
its form, with Undo of its last change unless others changed with it.</p>`,
  ],
  [
    'review',
    'When an amount changes',
    html`<p><b>Keep</b> does not change the allocations. <b>Rescale</b> changes each of them in
proportion to the new amount. <b>Clear</b> removes them. The page shows the result of each.</p>`,
  ],
  [
    'reports',
    'Reading a report',
    html`<p>Money out counts towards the budget. Money in is negative, and lowers what was spent.
A month’s cell has the actual amount above and the budget below. The name of a line, and actual
amounts other than 0, link to their transactions, whose parts add up to the figure. The totals of
income and of expenses have no link.</p>
<p>▲ marks a figure that is over budget; for a month, one that is over by more than the percentage
below the report. The upright line in a bar is where the budget ends today.</p>
<p>The report of a project includes the projects below it.</p>`,
  ],
  [
    'keys',
    'Keys',
    html`<h3>Lists of transactions</h3>
<p>They work while the list has the focus, or when nothing has it. You can switch them off in
<a href="/account#keys">Your account</a>.</p>
${keyTable('list')}<h3>The grid of a budget</h3>
${keyTable('grid')}`,
  ],
];

export function showHelp(visit: Visit): Reply {
  const roles = sectionPart('roles', 'Who may do what', roleTable(visit));
  const content = html`<div class="prose">
<p>Transactions come from your finance system, which pushes them, or from files that someone
imports. People allocate them to the budget lines of projects. The report of a project sets its
budget against what was allocated.</p>
${SECTIONS.map(([id, title, about]) => sectionPart(id, title, about))}${roles}</div>`;
  const lead = 'How transactions become a report, and who may do what.';
  return showPage(visit, { title: 'Help', place: '/help', lead, content });
}

const NO = html`<span class="soft">no</span>`;

function roleTable({ session, reader }: Visit): Html {
  const mayOf = new Map(
    ROLES.map((role) => [role, new Set<string>(listPermissions(role))] as const),
  );
  const rows = Object.entries(JOBS).map(
    ([permission, what]) =>
      html`<tr><th scope="row">${what}</th>${ROLES.map(
        (role) => html`<td>${mayOf.get(role)?.has(permission) ? 'yes' : NO}</td>`,
      )}</tr>\n`,
  );
  const owners = listUsers(session.access).filter(({ role }) => role === 'owner');
  const first = owners.slice(0, OWNERS);
  const named = nameFirst(reader, first, OWNERS, ({ email }) => typed(email));
  return html`<p>You are ${aRole(session.role)}.${
    session.role !== 'owner' && html` Owners can change your role: ${named}.`
  }</p>
<table class="roles" aria-labelledby="roles"><thead><tr><th scope="col">To</th>${ROLES.map(
    (role) => html`<th scope="col">${role}</th>`,
  )}</tr></thead>
<tbody>
${rows}</tbody></table>`;
}

/** How many owners are named. */
const OWNERS = 3;
