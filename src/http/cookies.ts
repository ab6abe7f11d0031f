/** Cookies: reads those of a request, and writes the Set-Cookie field of an answer. */

/** What a cookie may have beside its name and value, HttpOnly, SameSite=Lax and Path=/. */
interface CookieOptions {
  /** 0 removes the cookie. */
  readonly maxAgeSeconds: number;
  /** Whether the browser sends it over https only. */
  readonly secure: boolean;
}

// RFC 6265, 4.1.1, without the quotes round a value: nothing here writes them.
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

/**
 * The value of a cookie; undefined if it is missing, has a character that a value cannot have, or
 * was sent more than once: a neighbouring subdomain can add a second one of the same name.
 */
export function readCookie(field: string | undefined, name: string): string | undefined {
  let found: string | undefined;
  for (const pair of (field ?? '').split(';')) {
    const mark = pair.indexOf('=');
    if (mark < 0 || pair.slice(0, mark).trim() !== name) continue;
    if (found !== undefined) return undefined;
    found = pair.slice(mark + 1).trim();
  }
  return found !== undefined && VALUE.test(found) ? found : undefined;
}

/** The value of a Set-Cookie field. Throws on what a cookie cannot contain: encode it first. */
export function writeCookie(name: string, value: string, options: CookieOptions): string {
  const { maxAgeSeconds: age, secure } = options;
  if (!NAME.test(name) || !VALUE.test(value) || !Number.isSafeInteger(age)) {
    throw new Error(`The cookie ${JSON.stringify(name)} cannot be written.`);
  }
  const security = secure ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${security}`;
}
