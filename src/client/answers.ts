/**
 * Reads an answer: a document of the interface, a refusal, or an answer of another program, which
 * the error describes.
 */

import type { ErrorDetail } from './documents.ts';
import { BudgetdError, type ErrorFacts } from './errors.ts';

/** An answer with its body read. */
interface RawAnswer {
  readonly url: string;
  readonly response: Response;
  /** Undefined if it is larger than any answer of the interface. */
  readonly text: string | undefined;
}

/**
 * Twice the largest answer of the interface, in bytes: a page of the 1,000 longest allocations has
 * 16 MB, and the results of 500 rows with 20 errors of 1 KB each have 14 MB.
 */
const ANSWER_BYTES = 32 * 1024 * 1024;

/** The body as text. Stops and returns undefined after {@link ANSWER_BYTES}. */
export async function readBody(response: Response): Promise<string | undefined> {
  // Not every fetch has streams: React Native does not.
  if (!response.body) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > ANSWER_BYTES) {
      await reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Which answers to a request are not errors. */
export interface Expectation<Document> {
  /** The document if it has the right shape, else undefined. */
  read(document: unknown): Document | undefined;
  /** Codes of refusals that contain a document (`all_rows_rejected`). */
  readonly codes?: readonly string[];
  /** The name of the document, for the message about a wrong one. */
  readonly name?: string;
}

/** The document of an answer. Throws the refusal, or `unexpected_answer`. */
export function readAnswer<Document>(raw: RawAnswer, expected: Expectation<Document>): Document {
  const { response } = raw;
  const facts = { status: response.status, requestId: response.headers.get('x-request-id') };
  const parsed = parse(raw, facts);
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

const WHAT_TO_CHECK =
  'Check the address: use the one that `budgetd serve` prints, or the address of its proxy.';

function parse(raw: RawAnswer, facts: ErrorFacts): unknown {
  const { response, text } = raw;
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    const to = response.headers.get('location');
    const where = to === null ? '' : ` to ${to}`;
    const message = `${raw.url} answered with a redirect${where}. Use the final address.`;
    throw new BudgetdError('unexpected_answer', message, facts);
  }
  if (text === undefined) {
    const found = `${describe(raw)} with more than ${ANSWER_BYTES / 1024 ** 2} MiB`;
    const message = `${found}: this is not budgetd. ${hintFor(response.status)}`;
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
    const message = `${describe(raw)} with JSON that is truncated or corrupted.`;
    throw new BudgetdError('unexpected_answer', message, { ...facts, cause });
  }
}

/** What to do if another program answered, most likely a proxy. */
function hintFor(status: number): string {
  if (status === 413) return 'A proxy refuses bodies of this size. Set its limit to 4 MiB or more.';
  if (status < 500) return WHAT_TO_CHECK;
  return 'A proxy probably answered. Check that the service behind it is running.';
}

function describe({ url, response }: RawAnswer): string {
  return `${url} answered ${response.status}`;
}

function readRefusal(parsed: unknown) {
  const body = membersOf(parsed);
  const { code, message, details } = body ?? {};
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  return { code, message, details: Array.isArray(details) ? (details as ErrorDetail[]) : [] };
}
