/**
 * Checks that a body is declared as plain JSON in UTF-8 (contract 2, step 8).
 */

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
// An empty parameter is grammatical (RFC 9110, 5.6.6): `application/json;` is JSON.
const PARAMETER = new RegExp(`[ \\t]*;[ \\t]*(?:(${TOKEN})=(${TOKEN}|${QUOTED}))?`, 'y');
const JSON_TYPE = /^application\/json/i;

/**
 * Whether the value is `application/json`, with charset utf-8 or without one. Other well-formed
 * parameters are ignored, as in RFC 9110.
 */
export function isJsonMediaType(contentType: string | undefined): boolean {
  if (contentType === undefined || !JSON_TYPE.test(contentType)) {
    return false;
  }
  const text = contentType.trimEnd();
  let at = 'application/json'.length;
  while (at < text.length) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(text);
    if (match === null) {
      return false;
    }
    if (match[1]?.toLowerCase() === 'charset' && !isUtf8(match[2] ?? '')) {
      return false;
    }
    at = PARAMETER.lastIndex;
  }
  return true;
}

/** Whether no encoding but `identity` is applied to the body. */
export function isIdentityEncoding(contentEncoding: string | undefined): boolean {
  return (
    contentEncoding === undefined ||
    contentEncoding.split(',').every((one) => /^(?:identity)?$/i.test(one.trim()))
  );
}

function isUtf8(value: string): boolean {
  const text = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
  return text.toLowerCase() === 'utf-8';
}
