/**
 * The pages of the console (contract 12), a row for each: its path, who may use it and what
 * answers. Whoever is not signed in goes to `/sign-in` and comes back. Every form has to come from
 * one of these pages.
 */

import { formatId } from '../core/ids.ts';
import { BUDGET_FORM_BYTES, OPEN_FORM_BYTES } from '../core/limits.ts';
import { type Permission, RoleForbids } from '../core/users.ts';
import type { FailurePages, Handler, Reply, Request, Route, Upload } from '../http/message.ts';
import { isSameOrigin } from '../http/origin.ts';
import { redirectReply } from '../http/pages.ts';
import { fileRoute } from '../http/static-files.ts';
import { PACKAGE_FOLDER, readPackageFile } from '../package-folder.ts';
import { CHANGE_ORGANISATION, isOfOther } from './components/organisations.ts';
import {
  showOwnPage,
  takeEndedSession,
  takeOrganisation,
  takeOwnPassword,
  takePreferences,
} from './pages/account.ts';
import { showActivity } from './pages/activity.ts';
import { takeAllocations, takeExclusion, takeRestoration } from './pages/allocate.ts';
import { sendBackup, showBackups, showDownload, takeBackup } from './pages/backups.ts';
import { showLine, takeLine } from './pages/budget-line.ts';
import { showBulk, takeBulk, takeBulkApply } from './pages/bulk.ts';
import { showByCode, takeByCode } from './pages/by-code.ts';
import { showClaim } from './pages/claim.ts';
import {
  FAILURE_PAGES,
  otherOrganisationPage,
  otherSitePage,
  renderFailure,
  roleForbidsPage,
} from './pages/failures.ts';
import { showHelp } from './pages/help.ts';
import { showHome } from './pages/home.ts';
import { showKeyMade, showKeys, showNewKey, takeKey, takeRevoke, takeTest } from './pages/keys.ts';
import { showOrganisation, takeName, takePlan } from './pages/organisation.ts';
import { showEdit, showNewProject, takeEdit, takeNewProject } from './pages/project-edit.ts';
import { showProjects, takeArchive } from './pages/projects.ts';
import { showReport } from './pages/report.ts';
import { showReview, takeReview } from './pages/review.ts';
import { showSetUp, takeSetUp } from './pages/set-up.ts';
import { showSignIn, takeSignIn, takeSignOut } from './pages/sign-in.ts';
import { showTransactions } from './pages/transactions.ts';
import { takeUndo } from './pages/undo.ts';
import {
  showLink,
  showNewUser,
  showUsers,
  takeEndedSessions,
  takeLink,
  takeRemoval,
  takeRole,
  takeUser,
} from './pages/users.ts';
import { showPaste, takePaste } from './pasting/page.ts';
import { noteRole } from './session/trail.ts';
import { type ConsoleOptions, createDesk, type Desk, sessionOf, Visit } from './session/visit.ts';
import { wayBack } from './session/way-back.ts';

/** What anyone may use. */
export const OPEN_PAGES: readonly Row<(desk: Desk, request: Request) => MaybeLater<Reply>>[] = [
  { method: 'GET', path: '/sign-in', answer: showSignIn },
  { method: 'POST', path: '/sign-in', formBytes: OPEN_FORM_BYTES, answer: takeSignIn },
  { method: 'GET', path: '/set-up', answer: showSetUp },
  { method: 'POST', path: '/set-up', formBytes: OPEN_FORM_BYTES, answer: takeSetUp },
];

/** What needs someone who is signed in, and the permission that it needs. */
export const PAGES: readonly PageRow[] = [
  { method: 'POST', path: '/sign-out', may: 'read', answer: takeSignOut },
  { method: 'GET', path: '/transactions', may: 'read', answer: showTransactions },
  {
    method: 'POST',
    path: '/transactions/allocate',
    formBytes: BUDGET_FORM_BYTES,
    may: 'allocate',
    answer: takeAllocations,
  },
  { method: 'POST', path: '/transactions/exclude', may: 'exclude', answer: takeExclusion },
  { method: 'POST', path: '/transactions/restore', may: 'exclude', answer: takeRestoration },
  { method: 'GET', path: '/transactions/bulk', may: 'read', answer: showBulk },
  { method: 'POST', path: '/transactions/bulk', may: 'read', answer: takeBulk },
  { method: 'POST', path: '/transactions/bulk/apply', may: 'read', answer: takeBulkApply },
  { method: 'GET', path: '/transactions/by-code', may: 'allocate', answer: showByCode },
  {
    method: 'POST',
    path: '/transactions/by-code',
    formBytes: BUDGET_FORM_BYTES,
    may: 'allocate',
    answer: takeByCode,
  },
  { method: 'GET', path: '/transactions/by-code/claim', may: 'projects', answer: showClaim },
  { method: 'GET', path: '/review', may: 'read', answer: showReview },
  { method: 'POST', path: '/review', may: 'review', answer: takeReview },
  { method: 'GET', path: '/projects', may: 'read', answer: showProjects },
  { method: 'GET', path: '/projects/new', may: 'projects', answer: showNewProject },
  { method: 'POST', path: '/projects/new', may: 'projects', answer: takeNewProject },
  { method: 'GET', path: '/projects/{id}', may: 'read', answer: showReport },
  { method: 'GET', path: '/projects/{id}/edit', may: 'projects', answer: showEdit },
  {
    method: 'POST',
    path: '/projects/{id}/edit',
    formBytes: BUDGET_FORM_BYTES,
    may: 'projects',
    answer: takeEdit,
  },
  { method: 'POST', path: '/projects/{id}/archive', may: 'projects', answer: takeArchive },
  { method: 'GET', path: '/projects/{id}/lines/{line}', may: 'projects', answer: showLine },
  { method: 'POST', path: '/projects/{id}/lines/{line}', may: 'projects', answer: takeLine },
  { method: 'GET', path: '/projects/{id}/paste', may: 'projects', answer: showPaste },
  {
    method: 'POST',
    path: '/projects/{id}/paste',
    formBytes: BUDGET_FORM_BYTES,
    fieldBytes: BUDGET_FORM_BYTES,
    may: 'projects',
    answer: takePaste,
  },
  { method: 'GET', path: '/import', may: 'import', answer: imports('showImport') },
  { method: 'POST', path: '/import', may: 'import', hasFile: true, answer: imports('takeFile') },
  { method: 'GET', path: '/import/{id}', may: 'import', answer: imports('showFile') },
  { method: 'POST', path: '/import/{id}', may: 'import', answer: imports('takeImport') },
  { method: 'GET', path: '/import/{id}/rejected', may: 'import', answer: imports('sendRejected') },
  {
    method: 'POST',
    path: '/import/{id}/exclude',
    may: 'import',
    answer: imports('takeImportExclusion'),
  },
  { method: 'POST', path: '/undo', may: 'read', answer: takeUndo },
  { method: 'GET', path: '/help', may: 'read', answer: showHelp },
  { method: 'GET', path: '/account', may: 'read', answer: showOwnPage },
  {
    method: 'POST',
    path: '/account/password',
    formBytes: OPEN_FORM_BYTES,
    may: 'read',
    answer: takeOwnPassword,
  },
  { method: 'POST', path: '/account/format', may: 'read', answer: takePreferences },
  { method: 'POST', path: '/account/sessions', may: 'read', answer: takeEndedSession },
  { method: 'POST', path: CHANGE_ORGANISATION, may: 'read', answer: takeOrganisation },
  { method: 'GET', path: '/settings/keys', may: 'keys', answer: showKeys },
  { method: 'GET', path: '/settings/keys/new', may: 'keys', answer: showNewKey },
  { method: 'POST', path: '/settings/keys/new', may: 'keys', answer: takeKey },
  { method: 'GET', path: '/settings/keys/made', may: 'keys', answer: showKeyMade },
  { method: 'POST', path: '/settings/keys/test', may: 'keys', answer: takeTest },
  { method: 'POST', path: '/settings/keys/revoke', may: 'keys', answer: takeRevoke },
  { method: 'GET', path: '/settings/organisation', may: 'organisation', answer: showOrganisation },
  { method: 'POST', path: '/settings/organisation', may: 'plan', answer: takePlan },
  { method: 'POST', path: '/settings/organisation/name', may: 'organisation', answer: takeName },
  { method: 'GET', path: '/settings/backups', may: 'backups', answer: showBackups },
  { method: 'POST', path: '/settings/backups', may: 'backups', answer: takeBackup },
  { method: 'GET', path: '/settings/backups/download', may: 'backups', answer: showDownload },
  { method: 'POST', path: '/settings/backups/download', may: 'backups', answer: sendBackup },
  { method: 'GET', path: '/activity', may: 'activity', answer: showActivity },
  { method: 'GET', path: '/settings/users', may: 'users', answer: showUsers },
  { method: 'GET', path: '/settings/users/new', may: 'users', answer: showNewUser },
  { method: 'POST', path: '/settings/users/new', may: 'users', answer: takeUser },
  { method: 'GET', path: '/settings/users/link', may: 'users', answer: showLink },
  { method: 'POST', path: '/settings/users/link', may: 'users', answer: takeLink },
  { method: 'POST', path: '/settings/users/role', may: 'users', answer: takeRole },
  { method: 'POST', path: '/settings/users/sessions', may: 'users', answer: takeEndedSessions },
  { method: 'POST', path: '/settings/users/remove', may: 'users', answer: takeRemoval },
];

/** The pages of imports are loaded at their first use: most of them is the room `inspect`. */
function imports(name: keyof typeof import('./import/pages.ts')) {
  return async (visit: Visit): Promise<Reply> => (await import('./import/pages.ts'))[name](visit);
}

const HOME: PageRow = { method: 'GET', path: '/', may: 'read', answer: showHome };

interface PageRow extends Row<(visit: Visit) => MaybeLater<Reply>> {
  readonly may: Permission;
  /** Whether its form has a file. */
  readonly hasFile?: true;
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
  const visit = new Visit({ desk, request, session }, sent);
  request.noted.userId = formatId('usr', session.userId);
  return visit.may(may) ? answer(visit) : forbid(visit, path, may);
}

function forbid(visit: Visit, path: string, permission: Permission): Reply {
  noteRole(visit, path);
  return roleForbidsPage(permission);
}

/**
 * Reads a form, then looks up again who sends it: while it arrived, they may have signed out, or
 * have another role. A form that is sent twice is done once, although the session may have another
 * token by then.
 */
async function takeForm({ desk, request }: Asked, page: PageRow): Promise<Reply> {
  const take = async (sent: Partial<Upload> & Pick<Upload, 'form'>) => {
    const again = await desk.outcomes.again(request, sent.form);
    if (again !== undefined) return again;
    return whoMay({ desk, request, sent }, page, (visit) => {
      return desk.outcomes.once(visit, async () => {
        if (isOfOther(visit)) return otherOrganisationPage(visit.access);
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
