/**
 * Reads an answer: a document of the interface, a refusal, or something from another program, which
 * is recognised and described.
 */

import { ANSWER_BYTES } from './bodies.ts';
import type { ErrorDetail } from './documents.ts';
import { BudgetdError } from './errors.ts';

/** An answer with its body read. */
export interface RawAnswer {
  readonly url: string;
  readonly response: Response;
  /** Undefined when it is larger than any answer of the interface. */
  readonly text: string | undefined;
}

/** Which answers of a request are not errors. */
export interface Expectation<Document> {
  /** The document when it has the right shape, else undefined. */
  read(document: unknown): Document | undefined;
  /** Codes of refusals that carry a document (`all_rows_rejected`). */
  readonly codes?: readonly string[];
  /** The name of the document, for the message when another one comes. */
  readonly name?: string;
}

/** The document of an answer. Throws the refusal, or `unexpected_answer`. */
export function readAnswer<Document>(raw: RawAnswer, expected: Expectation<Document>): Document {
  const { response } = raw;
  const parsed = parse(raw);
  const facts = { status: response.status, requestId: response.headers.get('x-request-id') };
  const refusal = response.ok ? undefined : readRefusal(parsed);
  if (response.status === 200 || expected.codes?.includes(refusal?.code ?? '')) {
    const document = expected.read(parsed);
    if (document !== undefined) return document;
  } else if (refusal !== undefined) {
    throw new BudgetdError(refusal.code, refusal.message, { ...facts, details: refusal.details });
  }
  const { name = 'a document of budgetd' } = expected;
  const message = `${describe(raw)} with JSON that is not ${name}. ${WHAT_TO_CHECK}`;
  throw new BudgetdError('unexpected_answer', message, facts);
}

/** The members of a JSON object; undefined for any other value. */
export function membersOf(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}

/** Whether the answer was cut off or garbled on its way, so that a retry may help. */
export function isGarbled(error: BudgetdError): boolean {
  return error.cause instanceof SyntaxError;
}

const WHAT_TO_CHECK =
  'Check the address: use the one that `budgetd serve` prints, or that of a proxy in front of it.';

function parse(raw: RawAnswer): unknown {
  const { response, text } = raw;
  const facts = { status: response.status, requestId: response.headers.get('x-request-id') };
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    const to = response.headers.get('location');
    const where = to === null ? '' : ` to ${to}`;
    const message = `${raw.url} answered with a redirect${where}. Use the final address.`;
    throw new BudgetdError('unexpected_answer', message, facts);
  }
  if (text === undefined) {
    const found = `${describe(raw)} with more than ${ANSWER_BYTES / 1024 ** 2} MiB`;
    const message = `${found}: no answer of budgetd is so large. ${hintFor(response.status)}`;
    throw new BudgetdError('unexpected_answer', message, facts);
  }
  const type = response.headers.get('content-type') ?? 'no content type';
  if (!/^application\/json\b/i.test(type)) {
    const begin = text.trim().replace(/\s+/g, ' ').slice(0, 60);
    const body = begin === '' ? 'an empty body' : `a body that begins "${begin}"`;
    const found = `${describe(raw)} as ${type}, with ${body}: this is not budgetd.`;
    throw new BudgetdError('unexpected_answer', `${found} ${hintFor(response.status)}`, facts);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `${describe(raw)} with JSON that is cut off or garbled.`;
    throw new BudgetdError('unexpected_answer', message, { ...facts, cause });
  }
}

/** What to do when another program answered, most likely a proxy. */
function hintFor(status: number): string {
  if (status === 413) return 'A proxy in between refuses bodies of this size: let it accept 4 MiB.';
  if (status < 500) return WHAT_TO_CHECK;
  return 'A proxy seems to have answered: check that the service behind it is running.';
}

function describe({ url, response }: RawAnswer): string {
  return `${url} answered ${response.status}`;
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details: ErrorDetail[];
}

function readRefusal(parsed: unknown): Refusal | undefined {
  const body = membersOf(parsed);
  const { code, message, details } = body ?? {};
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  return { code, message, details: Array.isArray(details) ? details : [] };
}
