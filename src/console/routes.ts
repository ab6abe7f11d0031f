/**
 * The pages of the console (contract 12), a row for each: its path, who may use it and what
 * answers. Whoever is not signed in goes to `/sign-in` and comes back. Every form has to come from
 * one of these pages.
 */

import { Failure } from '../core/failures.ts';
import { FORMS } from '../core/limits.ts';
import { type Permission, RoleForbids } from '../core/users.ts';
import type { FailurePages, Handler, Reply, Request, Route, Upload } from '../http/message.ts';
import { isSameOrigin } from '../http/origin.ts';
import { redirectReply } from '../http/pages.ts';
import { asksForHtml } from '../http/refusals.ts';
import { fileRoute } from '../http/static-files.ts';
import { PACKAGE_FOLDER, readPackageFile } from '../package-folder.ts';
import type { Session } from '../store/sessions.ts';
import { CHANGE_ORGANISATION, isOfOther } from './components/organisations.ts';
import { BY_CODE, RECODED } from './components/transaction-filters.ts';
import * as account from './pages/account.ts';
import { showActivity } from './pages/activity.ts';
import * as panel from './pages/allocate.ts';
import * as backups from './pages/backups.ts';
import { showLine, takeLine } from './pages/budget-line.ts';
import * as bulk from './pages/bulk.ts';
import { showClaim } from './pages/claim.ts';
import {
  FAILURE_PAGES,
  missingPage,
  otherOrganisationPage,
  otherSitePage,
  renderFailure,
  roleForbidsPage,
} from './pages/failures.ts';
import { showHelp } from './pages/help.ts';
import { showHome } from './pages/home.ts';
import * as keys from './pages/keys.ts';
import * as organisation from './pages/organisation.ts';
import { askPassword } from './pages/password-again.ts';
import * as edit from './pages/project-edit.ts';
import { showProjects } from './pages/projects.ts';
import { showRecoded, takeRecoded } from './pages/recoded.ts';
import { showReport } from './pages/report.ts';
import { showReview, takeReview } from './pages/review.ts';
import { showRule, takeRule } from './pages/rule-edit.ts';
import { showRun, takeRun } from './pages/rule-run.ts';
import * as rules from './pages/rules.ts';
import * as factor from './pages/second-factor.ts';
import { RECOVERY_CODES_PAGE, SECOND_FACTOR_PAGE } from './pages/second-factor.ts';
import { showSetUp, takeSetUp } from './pages/set-up.ts';
import { showSignIn, takeSignIn, takeSignOut } from './pages/sign-in.ts';
import { showCode, takeCode } from './pages/sign-in-code.ts';
import { showStatement, takeStatement } from './pages/statement.ts';
import * as paper from './pages/statement-paper.ts';
import * as behind from './pages/statement-transactions.ts';
import { showStatements } from './pages/statements.ts';
import { showTransactions } from './pages/transactions.ts';
import { takeUndo } from './pages/undo.ts';
import * as users from './pages/users.ts';
import { showPaste, takePaste } from './pasting/page.ts';
import { noteRole } from './session/trail.ts';
import { type ConsoleOptions, createDesk, type Desk, sessionOf, Visit } from './session/visit.ts';
import { wayBack } from './session/way-back.ts';

/** What anyone may use. */
export const OPEN_PAGES: readonly Row<(desk: Desk, request: Request) => MaybeLater<Reply>>[] = [
  { method: 'GET', path: '/sign-in', answer: showSignIn },
  { method: 'POST', path: '/sign-in', formBytes: FORMS.openBytes, answer: takeSignIn },
  { method: 'GET', path: '/sign-in/code', answer: showCode },
  { method: 'POST', path: '/sign-in/code', formBytes: FORMS.openBytes, answer: takeCode },
  { method: 'GET', path: '/set-up', answer: showSetUp },
  { method: 'POST', path: '/set-up', formBytes: FORMS.openBytes, answer: takeSetUp },
];

/** A form that changes users, keys, plan or backups. */
const SENSITIVE = { isSensitive: true } as const;

/** What needs someone who is signed in, and the permission that it needs. */
export const PAGES: readonly PageRow[] = [
  post('/sign-out', 'read', takeSignOut),
  get('/transactions', 'read', showTransactions),
  post('/transactions/allocate', 'allocate', panel.takeAllocations, {
    formBytes: FORMS.budgetBytes,
  }),
  post('/transactions/exclude', 'exclude', panel.takeExclusion),
  post('/transactions/restore', 'exclude', panel.takeRestoration),
  get('/transactions/bulk', 'read', bulk.showBulk),
  post('/transactions/bulk', 'read', bulk.takeBulk),
  post('/transactions/bulk/apply', 'read', bulk.takeBulkApply),
  // Where the page was before.
  get('/transactions/by-code', 'allocate', () => redirectReply(BY_CODE)),
  get('/transactions/by-code/claim', 'projects', showClaim),
  get('/review', 'read', showReview),
  post('/review', 'review', takeReview),
  get(RECODED, 'read', showRecoded),
  post(RECODED, 'review', takeRecoded),
  get('/projects', 'read', showProjects),
  get('/projects/new', 'projects', edit.showNewProject),
  post('/projects/new', 'projects', edit.takeNewProject),
  get('/projects/{id}', 'read', showReport),
  get('/projects/{id}/statements', 'read', showStatements),
  get('/projects/{id}/statements/{number}', 'read', showStatement),
  post('/projects/{id}/statements/{number}', 'read', takeStatement, {
    formBytes: FORMS.budgetBytes,
  }),
  get('/projects/{id}/statements/{number}/changed', 'read', behind.showChanged),
  get('/projects/{id}/statements/{number}/transactions', 'read', behind.showBehind),
  get('/projects/{id}/statements/{number}/print', 'read', paper.showPrint),
  get('/projects/{id}/statements/{number}/print.css', 'read', paper.showPrintStyle),
  get('/projects/{id}/edit', 'projects', edit.showEdit),
  post('/projects/{id}/edit', 'projects', edit.takeEdit, { formBytes: FORMS.budgetBytes }),
  post('/projects/{id}/archive', 'projects', edit.takeArchive),
  get('/projects/{id}/lines/{line}', 'projects', showLine),
  post('/projects/{id}/lines/{line}', 'projects', takeLine),
  get('/projects/{id}/paste', 'projects', showPaste),
  post('/projects/{id}/paste', 'projects', takePaste, {
    formBytes: FORMS.budgetBytes,
    fieldBytes: FORMS.budgetBytes,
  }),
  get('/rules', 'read', rules.showRules),
  post('/rules', 'rules', rules.takeRules),
  get('/rules/run', 'allocate', showRun),
  post('/rules/run', 'allocate', takeRun, { formBytes: FORMS.budgetBytes }),
  get('/rules/{id}', 'read', (visit) => showRule(visit)),
  post('/rules/{id}', 'rules', takeRule),
  get('/import', 'import', imports('showImport')),
  post('/import', 'import', imports('takeFile'), { hasFile: true }),
  get('/import/{id}', 'import', imports('showFile')),
  post('/import/{id}', 'import', imports('takeImport')),
  get('/import/{id}/rejected', 'import', imports('sendRejected')),
  post('/undo', 'read', takeUndo),
  get('/help', 'read', showHelp),
  get('/account', 'read', account.showOwnPage),
  post('/account/password', 'read', account.takeOwnPassword, { formBytes: FORMS.openBytes }),
  post('/account/format', 'read', account.takePreferences),
  post('/account/sessions', 'read', account.takeEndedSession),
  get(SECOND_FACTOR_PAGE, 'read', factor.showSecondFactor),
  post(SECOND_FACTOR_PAGE, 'read', factor.takeSecondFactor, { formBytes: FORMS.openBytes }),
  get(RECOVERY_CODES_PAGE, 'read', factor.showRecoveryCodes),
  post(CHANGE_ORGANISATION, 'read', account.takeOrganisation),
  get('/settings', 'keys', () => redirectReply('/settings/keys')),
  get('/settings/keys', 'keys', keys.showKeys),
  get('/settings/keys/new', 'keys', keys.showNewKey),
  post('/settings/keys/new', 'keys', keys.takeKey, SENSITIVE),
  get('/settings/keys/made', 'keys', keys.showKeyMade),
  post('/settings/keys/test', 'keys', keys.takeTest),
  post('/settings/keys/revoke', 'keys', keys.takeRevoke, SENSITIVE),
  get('/settings/organisation', 'organisation', organisation.showOrganisation),
  post('/settings/organisation', 'plan', organisation.takePlan, SENSITIVE),
  post('/settings/organisation/second-factor', 'users', organisation.takeFactorRequired, SENSITIVE),
  post('/settings/organisation/name', 'organisation', organisation.takeName),
  post('/settings/organisation/time-zone', 'organisation', organisation.takeTimeZone),
  get('/settings/backups', 'backups', backups.showBackups),
  post('/settings/backups', 'backups', backups.takeBackup, SENSITIVE),
  get('/settings/backups/download', 'backups', backups.showDownload),
  post('/settings/backups/download', 'backups', backups.sendBackup),
  get('/activity', 'activity', showActivity),
  get('/settings/users', 'users', users.showUsers),
  get('/settings/users/new', 'users', users.showNewUser),
  post('/settings/users/new', 'users', users.takeUser, SENSITIVE),
  get('/settings/users/link', 'users', users.showLink),
  post('/settings/users/link', 'users', users.takeLink, SENSITIVE),
  post('/settings/users/role', 'users', users.takeRole, SENSITIVE),
  post('/settings/users/sessions', 'users', users.takeEndedSessions, SENSITIVE),
  post('/settings/users/second-factor', 'users', users.takeFactorRemoval, SENSITIVE),
  post('/settings/users/remove', 'users', users.takeRemoval, SENSITIVE),
];

function get(path: string, may: Permission, answer: PageRow['answer']): PageRow {
  return { method: 'GET', path, may, answer };
}

/** `limits`: of a form that is larger than others, or has a file. */
function post(
  path: string,
  may: Permission,
  answer: PageRow['answer'],
  limits: Partial<Pick<PageRow, 'formBytes' | 'fieldBytes' | 'hasFile' | 'isSensitive'>> = {},
): PageRow {
  return { method: 'POST', path, may, answer, ...limits };
}

/** The pages of imports are loaded at their first use: most of them is the room `inspect`. */
function imports(name: keyof typeof import('./import/pages.ts')) {
  return async (visit: Visit): Promise<Reply> => (await import('./import/pages.ts'))[name](visit);
}

const HOME = get('/', 'read', showHome);

interface PageRow extends Row<(visit: Visit) => MaybeLater<Reply>> {
  readonly may: Permission;
  /** Whether its form has a file. */
  readonly hasFile?: true;
  /** Whether its form needs the password again when it was given a while ago. */
  readonly isSensitive?: true;
}

interface Row<Answer> extends Pick<Route, 'method' | 'path' | 'formBytes' | 'fieldBytes'> {
  readonly answer: Answer;
}

type MaybeLater<Result> = Result | Promise<Result>;

/** The console: its first page, whose address programs use too, and everything else. */
export interface Console {
  readonly home: Route;
  readonly routes: readonly Route[];
  /** For requests that match no route at all. */
  readonly failurePages: readonly FailurePages[];
  /** Deletes the files that are being imported. */
  close(): void;
}

/** Builds the routes of the console. */
export function buildConsole(options: ConsoleOptions): Console {
  const desk = createDesk(options);
  const open = OPEN_PAGES.map(({ answer, ...row }) => {
    return routeOf(desk, row, (request) => answer(desk, request));
  });
  const pages = PAGES.map((row) => pageRoute(desk, row));
  const close = () => desk.heldFiles.close();
  const routes = [...open, ...pages, ...FILES];
  return { home: pageRoute(desk, HOME), routes, failurePages: [FAILURE_PAGES], close };
}

function pageRoute(desk: Desk, page: PageRow): Route {
  return routeOf(desk, page, (request) => {
    const isForm = page.method === 'POST';
    if (isForm && desk.outcomes.isRenewed(request)) return takeForm({ desk, request }, page);
    return whoMay({ desk, request }, page, (visit) => {
      return isForm ? takeForm(visit, page) : page.answer(visit);
    });
  });
}

/** A request, and what came with it. */
interface Asked extends Pick<Visit, 'desk' | 'request'> {
  readonly sent?: Partial<Upload>;
}

/** Lets in who is signed in and has the permission that a page needs. */
function whoMay(
  { desk, request, sent }: Asked,
  { may, path }: PageRow,
  answer: PageRow['answer'],
): MaybeLater<Reply> {
  const session = sessionOf(desk, request);
  if (session === undefined) {
    return redirectReply(`/sign-in${wayBack(request, { ...desk.place(), isPage })}`);
  }
  if (needsSecondFactor(session) && !WITHOUT_SECOND_FACTOR.includes(path)) {
    return redirectReply(SECOND_FACTOR_PAGE);
  }
  const visit = new Visit({ desk, request, session }, sent);
  return visit.may(may) ? answerOr404(visit, answer) : forbid(visit, path, may);
}

/** A page that is not there has the bar too. */
async function answerOr404(visit: Visit, answer: PageRow['answer']): Promise<Reply> {
  try {
    return await answer(visit);
  } catch (error) {
    const isMissing = error instanceof Failure && error.code === 'not_found';
    if (isMissing && asksForHtml(visit.request.header('accept'))) return missingPage(visit);
    throw error;
  }
}

function needsSecondFactor({ hasSecondFactor, access }: Session): boolean {
  return access.organisation.requiresSecondFactor && !hasSecondFactor;
}

const WITHOUT_SECOND_FACTOR = [SECOND_FACTOR_PAGE, RECOVERY_CODES_PAGE, '/sign-out'];

function forbid(visit: Visit, path: string, permission: Permission): Reply {
  noteRole(visit, path);
  return roleForbidsPage(visit, permission);
}

/**
 * Reads a form, then looks up again who sends it: while it arrived, they may have signed out, or
 * have another role. A form that is sent twice is done once, although the session may have another
 * token by then.
 */
async function takeForm({ desk, request }: Asked, page: PageRow): Promise<Reply> {
  const take = async (sent: Partial<Upload> & Pick<Upload, 'form'>) => {
    const again = desk.outcomes.again(request, sent.form);
    if (again !== undefined) return again;
    return whoMay({ desk, request, sent }, page, (visit) => {
      return desk.outcomes.once(visit, async () => {
        if (isOfOther(visit)) return otherOrganisationPage(visit.access);
        const asked = page.isSensitive === true ? await askPassword(visit, page.path) : undefined;
        if (asked !== undefined) return asked;
        try {
          return await page.answer(visit);
        } catch (error) {
          if (error instanceof RoleForbids) return forbid(visit, page.path, error.permission);
          throw error;
        }
      });
    });
  };
  if (page.hasFile === true) return request.readUpload(desk.heldFiles.room, take);
  return take({ form: await request.readForm() });
}

const FOLDER = new URL('dist/src/console/', PACKAGE_FOLDER);
const FILES = [
  fileRoute('/console.css', 'text/css', () => readPackageFile(new URL('console.css', FOLDER))),
  fileRoute('/console.js', 'text/javascript', () => readPackageFile(new URL('console.js', FOLDER))),
];

function routeOf({ place }: Desk, row: Omit<Route, 'handler'>, answer: Handler): Route {
  const handler: Handler = (request) => {
    const isForeign = row.method === 'POST' && !isSameOrigin(request, place());
    if (!isForeign) return answer(request);
    request.noted.refusal = 'other_site';
    return otherSitePage();
  };
  return { ...row, handler, renderFailure };
}

/** Whether a GET of a path shows a page to someone who is signed in. */
function isPage(path: string): boolean {
  return path === HOME.path || PAGE_PATHS.some((pattern) => pattern.test(path));
}

const PAGE_PATHS = PAGES.filter(({ method }) => method === 'GET').map(({ path }) => {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
});
