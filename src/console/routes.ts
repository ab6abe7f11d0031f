/**
 * The pages of the console (contract 12), a row for each: its path, who may use it and what
 * answers. Whoever is not signed in goes to `/sign-in` and comes back. Every form has to come from
 * one of these pages.
 */

import { Failure } from '../core/failures.ts';
import { FORMS } from '../core/limits.ts';
import { type Permission, RoleForbids } from '../core/users.ts';
import type {
  FailedRequest,
  FailurePages,
  Handler,
  Reply,
  Request,
  Route,
  Upload,
} from '../http/message.ts';
import { isSameOrigin } from '../http/origin.ts';
import { redirectReply } from '../http/pages.ts';
import { asksForHtml } from '../http/refusals.ts';
import { fileRoute } from '../http/static-files.ts';
import { errorReply } from '../http/status.ts';
import { nextTurn } from '../operations/turns.ts';
import { PACKAGE_FOLDER, readPackageFile } from '../package-folder.ts';
import type { Session } from '../store/sessions.ts';
import { isOfOther } from './components/organisations.ts';
import { PATHS } from './components/paths.ts';
import {
  missingPage,
  otherOrganisationPage,
  otherSitePage,
  renderFailure,
  roleForbidsPage,
} from './pages/failures.ts';
import { Reader } from './session/reader.ts';
import { noteRole } from './session/trail.ts';
import { createDesk, type Desk, sessionOf, Visit } from './session/visit.ts';
import { wayBackQuery } from './session/way-back.ts';

/** What anyone may use. */
export const OPEN_PAGES: readonly (Row & { readonly answer: OpenName })[] = [
  { method: 'GET', path: '/sign-in', answer: 'showSignIn' },
  { method: 'POST', path: '/sign-in', formBytes: FORMS.openBytes, answer: 'takeSignIn' },
  { method: 'GET', path: '/sign-in/code', answer: 'showCode' },
  { method: 'POST', path: '/sign-in/code', formBytes: FORMS.openBytes, answer: 'takeCode' },
  { method: 'GET', path: '/set-up', answer: 'showSetUp' },
  { method: 'POST', path: '/set-up', formBytes: FORMS.openBytes, answer: 'takeSetUp' },
];

/** A form that changes users, keys, plan or backups. */
const SENSITIVE = { isSensitive: true } as const;

/** What needs someone who is signed in, and the permission that it needs. */
export const PAGES: readonly PageRow[] = [
  post('/sign-out', 'read', 'takeSignOut'),
  get('/transactions', 'read', 'showTransactions'),
  get('/lines', 'read', 'showLines'),
  post('/transactions/allocate', 'allocate', 'takeAllocations', { formBytes: FORMS.budgetBytes }),
  post('/transactions/exclude', 'exclude', 'takeExclusion'),
  post('/transactions/restore', 'exclude', 'takeRestoration'),
  get('/transactions/bulk', 'read', 'showBulk'),
  post('/transactions/bulk', 'read', 'takeBulk'),
  post('/transactions/bulk/apply', 'read', 'takeBulkApply'),
  // Where the page was before.
  get('/transactions/by-code', 'allocate', () => redirectReply('/rules/run?only=code')),
  get('/transactions/by-code/claim', 'projects', 'showClaim'),
  get('/review', 'read', 'showReview'),
  post('/review', 'review', 'takeReview'),
  get('/review/recoded', 'read', 'showRecoded'),
  post('/review/recoded', 'review', 'takeRecoded'),
  get('/projects', 'read', 'showProjects'),
  get('/projects/new', 'projects', 'showNewProject'),
  post('/projects/new', 'projects', 'takeNewProject'),
  get('/projects/{id}', 'read', 'showReport'),
  get('/projects/{id}/statements', 'read', 'showStatements'),
  get('/projects/{id}/statements/{number}', 'read', 'showStatement'),
  post('/projects/{id}/statements/{number}', 'read', 'takeStatement', {
    formBytes: FORMS.budgetBytes,
  }),
  get('/projects/{id}/statements/{number}/changed', 'read', 'showChanged'),
  get('/projects/{id}/statements/{number}/transactions', 'read', 'showBehind'),
  get('/projects/{id}/statements/{number}/print', 'read', 'showPrint'),
  get('/projects/{id}/statements/{number}/print.css', 'read', 'showPrintStyle'),
  get('/projects/{id}/edit', 'projects', 'showEdit'),
  post('/projects/{id}/edit', 'projects', 'takeEdit', { formBytes: FORMS.budgetBytes }),
  post('/projects/{id}/archive', 'projects', 'takeArchive'),
  get('/projects/{id}/lines/{line}', 'projects', 'showLine'),
  post('/projects/{id}/lines/{line}', 'projects', 'takeLine'),
  get('/projects/{id}/paste', 'projects', 'showPaste'),
  post('/projects/{id}/paste', 'projects', 'takePaste', {
    formBytes: FORMS.budgetBytes,
    fieldBytes: FORMS.tableBytes,
  }),
  get('/rules', 'read', 'showRules'),
  post('/rules', 'rules', 'takeRules'),
  get('/rules/run', 'allocate', 'showRun'),
  post('/rules/run', 'allocate', 'takeRun', { formBytes: FORMS.budgetBytes }),
  get('/rules/{id}', 'read', 'showRule'),
  post('/rules/{id}', 'rules', 'takeRule'),
  get('/import', 'import', imports('showImport')),
  post('/import', 'import', imports('takeFile'), { hasFile: true }),
  get('/import/{id}', 'import', imports('showFile')),
  post('/import/{id}', 'import', imports('takeImport')),
  get('/import/{id}/rejected', 'import', imports('sendRejected')),
  post('/undo', 'read', 'takeUndo'),
  get('/help', 'read', 'showHelp'),
  get('/account', 'read', 'showOwnPage'),
  post('/account/password', 'read', 'takeOwnPassword', { formBytes: FORMS.openBytes }),
  post('/account/format', 'read', 'takePreferences'),
  post('/account/sessions', 'read', 'takeEndedSession'),
  get('/account/second-factor', 'read', 'showSecondFactor'),
  post('/account/second-factor', 'read', 'takeSecondFactor', { formBytes: FORMS.openBytes }),
  get('/account/second-factor/codes', 'read', 'showRecoveryCodes'),
  post(PATHS.organisation, 'read', 'takeOrganisation'),
  get('/settings', 'keys', () => redirectReply('/settings/keys')),
  get('/settings/keys', 'keys', 'showKeys'),
  get('/settings/keys/new', 'keys', 'showNewKey'),
  post('/settings/keys/new', 'keys', 'takeKey', SENSITIVE),
  get('/settings/keys/made', 'keys', 'showKeyMade'),
  post('/settings/keys/test', 'keys', 'takeTest'),
  post('/settings/keys/revoke', 'keys', 'takeRevoke', SENSITIVE),
  get('/settings/organisation', 'organisation', 'showOrganisation'),
  post('/settings/organisation', 'plan', 'takePlan', SENSITIVE),
  post('/settings/organisation/second-factor', 'users', 'takeFactorRequired', SENSITIVE),
  post('/settings/organisation/name', 'organisation', 'takeName'),
  post('/settings/organisation/time-zone', 'organisation', 'takeTimeZone'),
  post('/settings/organisation/letterhead', 'organisation', 'takeLetterhead'),
  get('/settings/backups', 'backups', 'showBackups'),
  post('/settings/backups', 'backups', 'takeBackup', SENSITIVE),
  get('/settings/backups/download', 'backups', 'showDownload'),
  post('/settings/backups/download', 'backups', 'sendBackup'),
  get('/activity', 'activity', 'showActivity'),
  get('/settings/users', 'users', 'showUsers'),
  get('/settings/users/new', 'users', 'showNewUser'),
  post('/settings/users/new', 'users', 'takeUser', SENSITIVE),
  get('/settings/users/link', 'users', 'showLink'),
  post('/settings/users/link', 'users', 'takeLink', SENSITIVE),
  post('/settings/users/role', 'users', 'takeRole', SENSITIVE),
  post('/settings/users/sessions', 'users', 'takeEndedSessions', SENSITIVE),
  post('/settings/users/second-factor', 'users', 'takeFactorRemoval', SENSITIVE),
  post('/settings/users/remove', 'users', 'takeRemoval', SENSITIVE),
];

function get(path: string, may: Permission, answer: PageName | Answer): PageRow {
  return { method: 'GET', path, may, answer: answerOf(answer) };
}

/** `limits`: of a form that is larger than others, or has a file. */
function post(
  path: string,
  may: Permission,
  answer: PageName | Answer,
  limits: Partial<Pick<PageRow, 'formBytes' | 'fieldBytes' | 'hasFile' | 'isSensitive'>> = {},
): PageRow {
  return { method: 'POST', path, may, answer: answerOf(answer), ...limits };
}

/** A page by its name, or what answers without one. */
function answerOf(page: PageName | Answer): Answer {
  if (typeof page !== 'string') return page;
  return async (visit) => {
    const pages: Readonly<Record<PageName, Answer>> = await loadPages();
    return pages[page](visit);
  };
}

/** The pages of imports are loaded by themselves: most of them is the room `files`. */
function imports(name: keyof typeof import('./import/pages.ts')): Answer {
  return async (visit) => (await loadImports())[name](visit);
}

const loadPages = once(() => import('./pages.ts'));
const loadImports = once(() => import('./import/pages.ts'));

/** Loads pages at their first use in a turn of its own, because that takes most of one. */
function once<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined;
  const begin = async () => {
    await Reader.load();
    await nextTurn();
    const pages = await load();
    await nextTurn();
    return pages;
  };
  return () => {
    loaded ??= begin().catch((error: unknown) => {
      // The next request tries again.
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

const HOME = get('/', 'read', 'showHome');

/** What answers whoever is signed in, and what answers anyone. */
type Answer = (visit: Visit) => MaybeLater<Reply>;
type OpenAnswer = (desk: Desk, request: Request) => MaybeLater<Reply>;

/** The pages by their names, loaded when the first is asked for: most services answer programs. */
type Pages = typeof import('./pages.ts');
type NameOf<Kind> = { [Name in keyof Pages]: Pages[Name] extends Kind ? Name : never }[keyof Pages];
type PageName = NameOf<Answer>;
type OpenName = NameOf<OpenAnswer>;

interface PageRow extends Row {
  readonly answer: Answer;
  readonly may: Permission;
  /** Whether its form has a file. */
  readonly hasFile?: true;
  /** Whether its form needs the password again when it was given a while ago. */
  readonly isSensitive?: true;
}

type Row = Pick<Route, 'method' | 'path' | 'formBytes' | 'fieldBytes'>;

type MaybeLater<Result> = Result | Promise<Result>;

/**
 * The console: its first page, whose address programs use too, everything else, and the pages for
 * requests that match no route at all. `close` deletes the files that are being imported.
 */
export function buildConsole(options: Parameters<typeof createDesk>[0]) {
  const desk = createDesk(options);
  const open = OPEN_PAGES.map(({ answer, ...row }) => {
    return routeOf(desk, row, async (request) => {
      const pages: Readonly<Record<OpenName, OpenAnswer>> = await loadPages();
      return pages[answer](desk, request);
    });
  });
  const pages = PAGES.map((row) => pageRoute(desk, row));
  const close = () => desk.heldFiles.close();
  const routes = [...open, ...pages, ...FILES];
  return { home: pageRoute(desk, HOME), routes, failurePages: [failurePagesOf(desk)], close };
}

/** For an address without a page: a page, whose other failures are JSON (contract 2). */
function failurePagesOf(desk: Desk): FailurePages {
  const render = (failure: Failure, failed: FailedRequest) => {
    if (failure.code !== 'not_found') return errorReply(failure, failed.requestId);
    const { whole: request } = failed;
    const hasBar = request !== undefined && asksForHtml(request.header('accept'));
    const session = hasBar ? sessionOf(desk, request) : undefined;
    if (!hasBar || session === undefined || needsSecondFactor(session)) {
      return renderFailure(failure, failed);
    }
    return missingPage(new Visit({ desk, request, session }));
  };
  return { prefix: '/', renderFailure: render };
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
function whoMay({ desk, request, sent }: Asked, { may, path }: PageRow, answer: Answer) {
  const session = sessionOf(desk, request);
  if (session === undefined) {
    return redirectReply(`/sign-in${wayBackQuery(request, { ...desk.place(), isPage })}`);
  }
  if (needsSecondFactor(session) && !WITHOUT_SECOND_FACTOR.includes(path)) {
    return redirectReply(PATHS.secondFactor);
  }
  const visit = new Visit({ desk, request, session }, sent);
  return visit.may(may) ? answerOr404(visit, answer) : forbid(visit, path, may);
}

/** A page that is not there has the bar too. */
async function answerOr404(visit: Visit, answer: Answer): Promise<Reply> {
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

const WITHOUT_SECOND_FACTOR = [PATHS.secondFactor, `${PATHS.secondFactor}/codes`, '/sign-out'];

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
        const asked = page.isSensitive && (await (await loadPages()).askPassword(visit));
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

function routeOf(desk: Desk, row: Omit<Route, 'handler'>, answer: Handler): Route {
  const handler: Handler = (request) => {
    const isForeign = row.method === 'POST' && !isSameOrigin(request, desk.place());
    if (!isForeign) return answer(request);
    // For the log: whose session the other site would have used.
    sessionOf(desk, request);
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
