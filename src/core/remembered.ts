/** How many results are kept: a file has fewer days, and most of its words repeat. */
const KEPT = 1_000;

/** A function of a text that keeps its last results: the dates of a file occur many times. */
export function remembered<Result>(compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, { readonly result: Result }>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before.result;
    const result = compute(text);
    if (known.size >= KEPT) known.clear();
    known.set(text, { result });
    return result;
  };
}
