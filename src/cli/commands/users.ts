import { userDocument } from '../../api/documents.ts';
import { formatId } from '../../core/ids.ts';
import { LINK_MINUTES } from '../../core/limits.ts';
import { linkTo, serviceAddress } from '../../core/links.ts';
import { cleanText, wrapText } from '../../core/text-width.ts';
import { aRole, ROLE_DUTIES, ROLES } from '../../core/users.ts';
import { createSetUpLink } from '../../operations/links.ts';
import { resetSecondFactor as resetFactor } from '../../operations/second-factors.ts';
import * as operations from '../../operations/users.ts';
import {
  type Setting,
  type SettingName,
  settingsUsage,
  settingValues,
} from '../../settings/settings.ts';
import { findPassword, listUsers, requireUser, type UserRecord } from '../../store/users.ts';
import { type Call, type Command, EXIT, UsageError } from '../command.ts';
import { asUsage } from '../errors.ts';
import { showDay, showInstant } from '../instants.ts';
import { hasFlag, optionText, pickOption, readPositionals, requireText } from '../options.ts';
import { printLines, printNotes, printResult, printTable } from '../output.ts';
import { readNewPassword } from '../secrets.ts';
import { linkOf, readPlace } from '../serving.ts';
import { settingsHelp } from '../settings.ts';
import type { ListColumn } from '../table.ts';

const { member, admin, owner } = ROLE_DUTIES;
const ROLE_HELP = wrapText(`member ${member}; admin also ${admin}; owner also ${owner}`, 66);

const PASSWORD_HELP = `The password comes from BUDGETD_PASSWORD, from the file that
BUDGETD_PASSWORD_FILE names, or from standard input; on a terminal you type it,
and it is not shown. It has 8 to 128 characters of any kind. A password that is
too easy to guess is refused.`;

const createUser: Command = {
  name: 'users create',
  summary: 'adds a user to the organisation',
  usage: `--email E --role ${ROLES.join('|')} [--name N]`,
  details: `
  --email E   the address that the user signs in with
  --role R    ${ROLE_HELP.join('\n              ')}
  --name N    how the user is shown

${PASSWORD_HELP}

If another organisation in the same database has an account for the address, its
name and password stay the same.

Example: budgetd users create --email ada@example.org --role owner`,
  async run(call) {
    const text = requireText(call, 'email');
    const email = asUsage(() => operations.readEmail(text));
    const role = pickOption('--role', requireText(call, 'role'), ROLES);
    const name = optionText(call, 'name');
    const { access, actor } = await call.openOrganisation();
    const isKnown = findPassword(access, email) !== undefined;
    const password = isKnown ? undefined : await readNewPassword(call.io);
    if (!isKnown && password === undefined) return EXIT.interrupted;
    const draft = { email, role, name, password, mustChange: true };
    const { user, isNew } = await operations.createUser(access, draft, actor());
    const id = formatId('usr', user.id);
    printResult(call, { userId: id }, () => {
      const organisation = cleanText(access.organisation.name);
      printLines(call.io, `Added ${user.email} (${id}) as ${aRole(role)} of ${organisation}.`);
    });
    if (!isNew) {
      const what = 'already has an account in another organisation';
      printNotes(call.io, `${user.email} ${what}. Name and password stay the same.`);
    }
    return EXIT.done;
  },
};

const COLUMNS: readonly ListColumn<UserRecord>[] = [
  { title: 'Id', rank: 2, cell: ({ id }) => formatId('usr', id) },
  { title: 'Email', cell: ({ email }) => email },
  { title: 'Name', min: 8, rank: 3, cell: ({ name }) => name ?? '' },
  { title: 'Role', cell: ({ role }) => role },
  { title: 'Last sign-in', rank: 1, cell: ({ lastSignInAtMs }) => showInstant(lastSignInAtMs) },
  { title: 'Second factor', rank: 5, cell: ({ secondFactor }) => (secondFactor ? 'yes' : 'no') },
  { title: 'Created', rank: 4, cell: ({ createdAtMs }) => showDay(createdAtMs) },
];

const showUsers: Command = {
  name: 'users list',
  summary: 'lists the users, their roles and last sign-ins',
  async run(call) {
    const { access } = await call.openOrganisation();
    const users = listUsers(access);
    printResult(call, users.map(userDocument), () => {
      const none = 'No users yet. Create one with `budgetd users create`.';
      printTable(call.io, users, COLUMNS, { none });
    });
  },
};

const changeRole: Command = {
  name: 'users role',
  summary: "changes a user's role",
  usage: 'EMAIL ROLE',
  details: `ROLE is one of ${ROLES.join(', ')}:
${ROLE_HELP.join('\n')}.
The role of the last owner cannot be changed.`,
  choices: { ROLE: ROLES },
  async run(call) {
    const [text, wanted] = readPositionals(call, 'EMAIL', 'ROLE');
    const role = pickOption('ROLE', wanted, ROLES);
    const email = asUsage(() => operations.readEmail(text));
    const { access, actor } = await call.openOrganisation();
    const user = operations.changeRole(access, { email, role }, actor());
    const done = `${user.email} is now ${aRole(role)} of ${cleanText(access.organisation.name)}.`;
    printResult(call, userDocument(user), done);
  },
};

async function openUser(call: Call) {
  const [text] = readPositionals(call, 'EMAIL');
  const email = asUsage(() => operations.readEmail(text));
  return { email, ...(await call.openOrganisation()) };
}

/** What the base of a link is made of. */
const LINK_SETTINGS = ['public-url', 'host', 'port'] as const satisfies readonly SettingName[];

const resetPassword: Command = {
  name: 'users reset-password',
  summary: 'makes a link with which a user sets a new password',
  usage: `EMAIL [--password-stdin] ${settingsUsage(LINK_SETTINGS)}`,
  details: `
Prints a link with which the user sets a new password. It works once, within
${LINK_MINUTES} minutes; older links of the user end.

  --password-stdin  sets a password here instead
${settingsHelp(LINK_SETTINGS)}

${PASSWORD_HELP}`,
  settings: LINK_SETTINGS,
  async run(call) {
    const [text] = readPositionals(call, 'EMAIL');
    const email = asUsage(() => operations.readEmail(text));
    if (hasFlag(call, 'password-stdin')) return setPassword(call, email);
    const makeLink = linkMaker(call);
    const { access, actor } = await call.openOrganisation();
    const url = makeLink(operations.createResetLink(access, email, actor()));
    printResult(call, { url }, url);
    printNotes(call.io, `Give ${email} this link. It works once, within ${LINK_MINUTES} minutes.`);
    return EXIT.done;
  },
};

async function setPassword(call: Call, email: string): Promise<number> {
  const { access, actor } = await call.openOrganisation();
  requireUser(access, email);
  const password = await readNewPassword(call.io);
  if (password === undefined) return EXIT.interrupted;
  const user = await operations.setPassword(access, { email, password, mustChange: true }, actor());
  printResult(call, userDocument(user), `${user.email} has a new password.`);
  return EXIT.done;
}

/**
 * Turns tokens into links to where flags say that the service is, else to where it runs, else to
 * where its settings say. Refuses with a UsageError if their address is not known.
 */
function linkMaker({ settings, database }: Call): (token: string) => string {
  const values = settingValues(settings);
  const isFlag = ({ name, from }: Setting) => name !== 'db' && from.startsWith('--');
  const running = settings.some(isFlag) ? undefined : readPlace(database);
  if (running !== undefined) return (token) => linkTo(running, token);
  const { host, port, 'public-url': publicUrl } = values;
  if (publicUrl === '' && port === 0) {
    throw new UsageError('With port 0 the address for the link is not known. Pass --public-url.');
  }
  return (token) => linkOf(values, token, serviceAddress(host, port));
}

const resetSecondFactor: Command = {
  name: 'users reset-second-factor',
  summary: 'lets a user sign in without a code',
  usage: 'EMAIL',
  details: `For a user who has lost the authenticator and the recovery codes. The user signs
in with the password alone until a new second factor is set up, and sessions of
the user end. Running the command again changes nothing.`,
  async run(call) {
    const { email, access, actor } = await openUser(call);
    const user = resetFactor(access, email, actor());
    printResult(call, userDocument(user), `${user.email} signs in with the password alone.`);
  },
};

const signOutUser: Command = {
  name: 'users sign-out',
  summary: 'signs a user out on every device',
  usage: 'EMAIL',
  details: 'The user has to sign in again. `users reset-password` ends the password too.',
  async run(call) {
    const { email, access, actor } = await openUser(call);
    const sessions = operations.endSessions(access, email, actor());
    printResult(call, { sessions }, `${email} has to sign in again. Sessions ended: ${sessions}.`);
  },
};

const removeUser: Command = {
  name: 'users remove',
  summary: 'removes a user from the organisation',
  usage: 'EMAIL',
  details: `The user loses access to the organisation. What the user did stays, and so do
the keys that the user created. The last owner cannot be removed.`,
  async run(call) {
    const { email, access, actor } = await openUser(call);
    const { id } = operations.removeUser(access, email, actor());
    const done = `Removed ${email} from ${cleanText(access.organisation.name)}.`;
    printResult(call, { userId: formatId('usr', id) }, done);
  },
};

const setUpLink: Command = {
  name: 'set-up-link',
  summary: 'makes a new link to set up the first user',
  usage: settingsUsage(LINK_SETTINGS),
  details: `
Prints a link with which the first user, an owner, is set up. It works once,
within ${LINK_MINUTES} minutes, and ends the one before, such as that of \`serve\`.

${settingsHelp(LINK_SETTINGS)}`,
  shared: ['db', 'config', 'json'],
  settings: LINK_SETTINGS,
  async run(call) {
    const makeLink = linkMaker(call);
    const service = await call.openService();
    const url = makeLink(createSetUpLink(service.source, service.actor()));
    printResult(call, { url }, url);
  },
};

export const commands = [
  createUser,
  showUsers,
  changeRole,
  resetPassword,
  resetSecondFactor,
  signOutUser,
  removeUser,
  setUpLink,
];
