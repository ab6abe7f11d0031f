/** Another page of the console, asked for by the script; undefined if it cannot be had. */
export async function fetchPage(path: string): Promise<Document | undefined> {
  const answer = await fetch(path).catch(() => undefined);
  if (!answer?.ok || answer.redirected) return undefined;
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}
