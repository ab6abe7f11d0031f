/** How many results are kept: a file has fewer days, and most of its words repeat. */
const KEPT = 1_000;

/** A function of a text that keeps its last results: the dates of a file occur many times. */
export function remembered<Result>(compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, { readonly text: string; readonly result: Result }>();
  let last: { readonly text: string; readonly result: Result } | undefined;
  return (text) => {
    // Comparing two texts takes less time than finding one among many.
    if (last?.text === text) return last.result;
    last = known.get(text);
    if (last !== undefined) return last.result;
    last = { text, result: compute(text) };
    if (known.size >= KEPT) known.clear();
    known.set(text, last);
    return last.result;
  };
}
