/** Reads the body of an answer, up to a bound: anything may answer at a mistyped address. */

/**
 * Twice the largest answer of the interface, in bytes: a page of 1,000 allocations at their longest
 * has 16 MB, and 500 rows with 20 errors of 1 KB each, beside their externalIds, have 14 MB.
 */
export const ANSWER_BYTES = 32 * 1024 * 1024;

/** The body as text; undefined, the rest unread, when it is over {@link ANSWER_BYTES}. */
export async function readBody(response: Response): Promise<string | undefined> {
  // Not every fetch has streams: React Native's has none.
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
