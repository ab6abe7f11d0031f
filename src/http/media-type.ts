/**
 * Checks how a body is declared: as plain JSON in UTF-8 (contract 2, step 8), or as a form.
 */

/** A kind of body that a handler can read. */
export interface BodyKind {
  readonly accepts: (contentType: string | undefined) => boolean;
  /** How to send it, as a sentence. */
  readonly expected: string;
  readonly maxBytes: number;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
// An empty parameter is grammatical (RFC 9110, 5.6.6): `application/json;` is JSON.
const PARAMETER = new RegExp(`[ \\t]*;[ \\t]*(?:(${TOKEN})=(${TOKEN}|${QUOTED}))?`, 'y');

/** What can separate the parts of a form (RFC 2046, 5.1.1). */
const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/;

/** The boundary of a `multipart/form-data` body; undefined if the value is anything else. */
export function readBoundary(contentType: string | undefined): string | undefined {
  const [boundary = '', second] = (readParameters('multipart/form-data', contentType) ?? [])
    .filter(([name]) => name === 'boundary')
    .map(([, value]) => value);
  return second === undefined && BOUNDARY.test(boundary) ? boundary : undefined;
}

/**
 * Whether the value is of a type, with charset utf-8 or without one. Other well-formed parameters
 * are ignored, as in RFC 9110.
 */
export function isUtf8Type(type: string, contentType: string | undefined): boolean {
  const parameters = readParameters(type, contentType);
  return (
    parameters?.every(([name, value]) => name !== 'charset' || value.toLowerCase() === 'utf-8') ===
    true
  );
}

/** The parameters of a value that is of this type; undefined if it is not. */
function readParameters(
  type: string,
  contentType: string | undefined,
): [name: string, value: string][] | undefined {
  const text = contentType?.trimEnd() ?? '';
  if (text.slice(0, type.length).toLowerCase() !== type) {
    return undefined;
  }
  const parameters: [name: string, value: string][] = [];
  let at = type.length;
  while (at < text.length) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(text);
    if (match === null) {
      return undefined;
    }
    const [, name, value = ''] = match;
    if (name !== undefined) {
      parameters.push([name.toLowerCase(), unquote(value)]);
    }
    at = PARAMETER.lastIndex;
  }
  return parameters;
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}

/** Whether no encoding but `identity` is applied to the body. */
export function isIdentityEncoding(contentEncoding: string | undefined): boolean {
  return (
    contentEncoding === undefined ||
    contentEncoding.split(',').every((one) => /^(?:identity)?$/i.test(one.trim()))
  );
}
