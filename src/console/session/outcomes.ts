/**
 * What forms did, which the pages that they lead to say. Kept in memory, because a page shows some
 * of it only once: a key, a link.
 */

import { createHash, randomBytes } from 'node:crypto';
import { OUTCOMES } from '../../core/limits.ts';
import type { Form } from '../../http/form.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { HeaderFields, Reply, Request } from '../../http/message.ts';
import { redirectReply, shortTarget } from '../../http/pages.ts';
import type { Session } from '../../store/sessions.ts';
import { listLeft } from '../../store/undo.ts';
import { sessionTokenOf } from './cookies.ts';

/** What a form did. */
export interface Outcome {
  /** The page that says so, with its query. */
  readonly to: string;
  /** Undefined if the page shows it by itself. */
  readonly message: HtmlValue;
  /** The stamps of the acts on transactions that it consists of: then it offers Undo. */
  readonly undo?: readonly number[] | undefined;
  /** What can be done next; only while the page can undo. */
  readonly offer?: Html | undefined;
  /** What only that page shows, such as a key, and whose it is. */
  readonly secret?: { readonly id: string; readonly text: string } | undefined;
  /** The session as it is now, if the form led it to another organisation. */
  readonly session?: Session | undefined;
}

interface SentForm {
  readonly atMs: number;
  readonly target: string;
  /** By which its outcome is found. */
  readonly mark: string;
  readonly userId: number;
  readonly sessionId: number;
  /** Whether the session has done nothing since, which may have changed what this form did. */
  isLast: boolean;
}

/** A session that has another token. */
interface Renewed {
  readonly atMs: number;
  readonly session: Session;
  /** The form that had the password; undefined for one without a mark. */
  readonly id: string | undefined;
  readonly cookie: string;
}

/** Who sends a form, or sees what it did. */
interface Sender {
  readonly request: Request;
  readonly session: Session;
}

interface FormSender extends Sender {
  readonly form: Pick<Form, keyof Form>;
}

/** The forms that were sent lately, and what they did. */
export class Outcomes {
  readonly #sent = new Map<string, SentForm>();
  readonly #outcomes = new Map<string, Outcome & { readonly session: Session }>();
  /** Forms that are being answered: settles, and never fails. */
  readonly #busy = new Map<string, Promise<unknown>>();
  /** Sessions that have another token, by the one before. */
  readonly #renewed = new Map<string, Renewed>();
  /** Answers to forms of links. */
  readonly #entered = new Map<string, { readonly atMs: number; readonly reply: Promise<Reply> }>();

  /**
   * Answers a form, or leads to what it did if it was sent before and did it. Every form comes
   * through here before anything else of it is looked at: after it was done, what it was shown has
   * changed, and a page would refuse the second of two clicks. One that was refused is answered as
   * if for the first time, and so is one that is sent again after another, such as Undo.
   */
  async once({ request, session, form }: FormSender, answer: () => Reply | Promise<Reply>) {
    this.#forget(request.tickMs);
    const id = idOf({ request, session, form });
    if (id === undefined) return answer();
    for (let busy = this.#busy.get(id); busy !== undefined; busy = this.#busy.get(id)) await busy;
    const known = this.#sent.get(id);
    if (known?.isLast === true) return this.again(request, form) ?? redirectReply(known.target);
    const reply = (async () => answer())();
    const settled = reply.then(
      () => this.#busy.delete(id),
      () => this.#busy.delete(id),
    );
    this.#busy.set(id, settled);
    return reply;
  }

  /** Leads to the page that says what a form did. */
  lead({ request, session, form }: FormSender, outcome: Outcome, headers: HeaderFields = {}) {
    this.#forget(request.tickMs);
    const mark = newMark();
    const to = shortTarget(outcome.to);
    const target = withDone(to, mark);
    this.#outcomes.set(mark, { ...outcome, to, session: outcome.session ?? session });
    const id = idOf({ request, session, form }) ?? mark;
    this.#makeRoom();
    this.#drop(id);
    for (const sent of this.#sent.values()) sent.isLast &&= sent.sessionId !== session.id;
    const { id: sessionId, userId } = session;
    this.#sent.set(id, { atMs: request.tickMs, target, mark, userId, sessionId, isLast: true });
    return redirectReply(target, headers);
  }

  /**
   * Answers a form of someone with the token of a link or a sign-in, and a password, a code or a
   * session. The second of two clicks gets the answer of the first, if that used up the link or the
   * code, and so came with a cookie: anyone can be led elsewhere, as often as memory lasts.
   */
  onceByLink(request: Request, form: Form, token: string, answer: () => Promise<Reply>) {
    this.#forget(request.tickMs);
    const session = sessionTokenOf(request);
    const proof = ['password', 'code', 'recovery'].some((each) => form.value(each) !== undefined);
    if (session === '' && !proof) return answer();
    const id = digestOf([session, token, form.fields]);
    const known = this.#entered.get(id);
    if (known !== undefined) return known.reply;
    const reply = answer();
    this.#entered.set(id, { atMs: request.tickMs, reply });
    const forget = () => this.#entered.delete(id);
    reply.then(({ headers }) => headers['Set-Cookie'] === undefined && forget(), forget);
    return reply;
  }

  /** Gives a session the cookie of another token, also in the answer to a second click. */
  renew({ request, session, form }: FormSender, cookie: string): void {
    request.replyHeaders['Set-Cookie'] = cookie;
    const id = idOf({ request, session, form });
    this.#renewed.set(sessionTokenOf(request), { atMs: request.tickMs, session, id, cookie });
  }

  /** Whether a request has a token that its session had until lately. */
  isRenewed(request: Request): boolean {
    return this.#renewed.has(sessionTokenOf(request));
  }

  /**
   * Leads to what a form with such a token did, if it is the one that had the password: whoever
   * copied the token can have sent others. Undefined if it was not sent before.
   */
  again(request: Request, form: FormSender['form']): Reply | undefined {
    const renewed = this.#renewed.get(sessionTokenOf(request));
    const id = renewed && idOf({ request, session: renewed.session, form });
    if (id === undefined || id !== renewed?.id) return undefined;
    const known = this.#sent.get(id);
    return known?.isLast
      ? redirectReply(known.target, { 'Set-Cookie': renewed.cookie })
      : undefined;
  }

  /**
   * What the page that is asked for has to say, and the secret that it shows. Loading it again says
   * it again: without a secret, and with Undo only while some of it is as the form left it.
   */
  take({ request, session }: Sender): Pick<Outcome, 'secret'> & { flash?: Html | undefined } {
    this.#forget(request.tickMs);
    const mark = request.query.find(([name]) => name === DONE)?.[1] ?? '';
    const outcome = this.#outcomes.get(mark);
    if (outcome?.to.split(/[?#]/, 1)[0] !== request.path) return {};
    // A page says what was done in its organisation alone.
    if (placeOf(outcome.session) !== placeOf(session)) return {};
    const { secret, ...rest } = outcome;
    const undo = rest.undo && listLeft(session.access, rest.undo, false);
    this.#outcomes.set(mark, { ...rest, undo });
    return { secret, flash: flashOf({ ...rest, undo }) };
  }

  #forget(nowMs: number): void {
    for (const kept of [this.#renewed, this.#entered]) {
      for (const [key, { atMs }] of kept) {
        if (nowMs - atMs < OUTCOMES.keptMs) break;
        kept.delete(key);
      }
    }
    for (const [id, { atMs }] of this.#sent) {
      if (nowMs - atMs < OUTCOMES.keptMs) break;
      this.#drop(id);
    }
  }

  #drop(id: string): void {
    this.#outcomes.delete(this.#sent.get(id)?.mark ?? '');
    this.#sent.delete(id);
  }

  /** Forgets the oldest of the user with the most, so that nobody pushes out those of others. */
  #makeRoom(): void {
    if (this.#sent.size < OUTCOMES.kept) return;
    const counts = new Map<number, number>();
    for (const { userId } of this.#sent.values()) counts.set(userId, (counts.get(userId) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const [id] = [...this.#sent].find(([, { userId }]) => counts.get(userId) === most) ?? [];
    if (id !== undefined) this.#drop(id);
  }
}

/**
 * By what a form that is sent again is recognised; undefined for one without a mark. Forms of one
 * page can have the same mark, and Back leads to a form that a person fills in differently.
 */
function idOf({ request, session, form }: FormSender): string | undefined {
  if (readMark(form.value(MARK)) === undefined) return undefined;
  return `${session.id} ${digestOf([request.path, form.fields])}`;
}

/** What tells contents apart. */
export function digestOf(contents: unknown): string {
  return createHash('sha256').update(JSON.stringify(contents)).digest('base64url');
}

function placeOf({ id, access }: Session): string {
  return `${id} ${access.organisation.id}`;
}

function withDone(target: string, mark: string): string {
  const [address = '', ...part] = target.split('#');
  const [path, query] = address.split('?', 2);
  const fields = new URLSearchParams(query);
  fields.set(DONE, mark);
  return [`${path}?${fields}`, ...part].join('#');
}

/** The member of an address that says what was done: no part of the page's state. */
export const DONE = 'done';

/** What was done, and Undo where it can be undone. */
function flashOf({ message, undo = [], offer, to }: Outcome): Html | undefined {
  if (message === undefined) return undefined;
  return html`<div class="flash" role="status" tabindex="-1"><p>${message}</p>${
    undo.length > 0 && html`${undoForm(undo, to)}${offer}`
  }</div>`;
}

/** Undo of some acts, by their stamps. `of`: what it undoes, where a page has several. */
export function undoForm(acts: readonly number[], to: string, of?: HtmlValue): Html {
  return html`<form method="post" action="/undo">${markField()}${acts.map(
    (atMs) => html`<input type="hidden" name="act" value="${atMs}">`,
  )}<input type="hidden" name="to" value="${to}"><button class="button">Undo${
    of !== undefined && html`<span class="hidden"> ${of}</span>`
  }</button></form>`;
}

const MARK = 'form';

/** A field by which a form that is sent twice is recognised. */
export function markField(): Html {
  return html`<input type="hidden" name="${MARK}" value="${newMark()}">`;
}

function newMark(): string {
  return randomBytes(12).toString('base64url');
}

function readMark(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w-]{16}$/.test(text) ? text : undefined;
}
