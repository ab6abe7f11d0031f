/** A service with an organisation and users, and browsers in which they sign in. */

import { formatId } from '../../src/core/ids.ts';
import type { Role } from '../../src/core/users.ts';
import type { ServiceOptions } from '../../src/index.ts';
import { createUser } from '../../src/operations/users.ts';
import { type House, openHouse } from '../library/house.ts';
import type { Scope } from '../torture/trial.ts';
import { waitForTasks } from './patient.ts';

export const PASSWORD = 'three words to remember';

/** A house that listens. */
export interface Office extends House {
  readonly url: string;
}

/** Opens an office that closes after the test. Its pages wait until a file has been read. */
export async function openOffice(
  test: Scope,
  options: Partial<ServiceOptions> = {},
): Promise<Office> {
  waitForTasks(test);
  const house = await openHouse(test, options);
  const { url } = await house.service.listen({ port: 0 });
  return { ...house, url };
}

/** Adds a user whose password is PASSWORD, and returns the identifier. */
export async function addUser(
  { service, org }: House,
  role: Role,
  email = `${role}@example.org`,
): Promise<string> {
  const draft = { email, role, password: PASSWORD };
  const { user } = await createUser(service.access(org), draft, service.actor());
  return formatId('usr', user.id);
}

/** A page as a browser got it. */
export interface Shown {
  readonly status: number;
  readonly text: string;
  /** Where a redirect leads. */
  readonly location: string | null;
  readonly headers: Headers;
}

/** The mark of the first form of a page that has one. */
export function markOf(text: string): string {
  const [, mark] = /name="form" value="([\w-]{16})"/.exec(text) ?? [];
  if (mark === undefined) throw new Error('no form with a mark');
  return mark;
}

/** What a browser does here: it keeps its cookies, and says where a form comes from. */
export class Browser {
  readonly #url: string;
  readonly cookies = new Map<string, string>();
  /** Header fields of every request. */
  readonly headers = { accept: 'text/html' } as {
    accept: string;
    authorization?: string;
    'accept-language'?: string;
    'x-forwarded-proto'?: string;
  };

  constructor({ url }: Pick<Office, 'url'>) {
    this.#url = url;
  }

  /** A browser in which a user has signed in. */
  static async of(office: Pick<Office, 'url'>, email: string): Promise<Browser> {
    const browser = new Browser(office);
    const { status } = await browser.send('/sign-in', { email, password: PASSWORD });
    if (status !== 303) throw new Error(`not signed in: ${status}`);
    return browser;
  }

  /** Another one with the same cookies, as a second click has, or whoever has copied them. */
  copy(): Browser {
    const copy = new Browser({ url: this.#url });
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    return copy;
  }

  get(path: string): Promise<Shown> {
    return this.#fetch(path, {});
  }

  /** The bytes of a file, for a form. */
  async download(
    path: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<{ body: Buffer; headers: Headers }> {
    const headers = {
      ...this.headers,
      cookie: this.#cookie(),
      'sec-fetch-site': 'same-origin',
    };
    const init = { method: 'POST', body: bodyOf(fields), headers, redirect: 'manual' } as const;
    const answer = await fetch(this.#url + path, init);
    for (const field of answer.headers.getSetCookie()) this.#keep(field);
    return { body: Buffer.from(await answer.arrayBuffer()), headers: answer.headers };
  }

  /** Sends a form of this service, or with other header fields. */
  send(
    path: string,
    fields: Readonly<Record<string, string>> | readonly (readonly string[])[],
    headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
  ): Promise<Shown> {
    return this.#fetch(path, { method: 'POST', body: bodyOf(fields), headers });
  }

  /** Sends the form with a file to import. */
  upload(
    name: string,
    bytes: string | Uint8Array,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<Shown> {
    const body = new FormData();
    for (const [each, value] of Object.entries(fields)) body.append(each, value);
    body.append('file', new Blob([Buffer.from(bytes)]), name);
    return this.#fetch('/import', {
      method: 'POST',
      body,
      headers: { 'sec-fetch-site': 'same-origin' },
    });
  }

  async #fetch(path: string, init: RequestInit): Promise<Shown> {
    const headers = {
      ...this.headers,
      cookie: this.#cookie(),
      ...(init.headers as Record<string, string>),
    };
    const answer = await fetch(this.#url + path, { ...init, headers, redirect: 'manual' });
    for (const field of answer.headers.getSetCookie()) this.#keep(field);
    const { status, headers: fields } = answer;
    return { status, text: await answer.text(), location: fields.get('location'), headers: fields };
  }

  #cookie(): string {
    return [...this.cookies].map((pair) => pair.join('=')).join('; ');
  }

  #keep(field: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(field) ?? [];
    if (/; Max-Age=0(?:;|$)/.test(field)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** Several fields can have one name. */
function bodyOf(fields: Readonly<Record<string, string>> | readonly (readonly string[])[]) {
  const body = new URLSearchParams();
  const pairs = Array.isArray(fields) ? (fields as readonly string[][]) : Object.entries(fields);
  for (const [name = '', value = ''] of pairs) body.append(name, value);
  return body;
}
