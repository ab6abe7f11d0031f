/** Reads the body of an answer, up to a limit: anything can answer at a mistyped address. */

/**
 * Twice the largest answer of the interface, in bytes: a page of the 1,000 longest allocations has
 * 16 MB, and the results of 500 rows with 20 errors of 1 KB each have 14 MB.
 */
export const ANSWER_BYTES = 32 * 1024 * 1024;

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
