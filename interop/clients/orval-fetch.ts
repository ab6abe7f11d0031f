/** Sends what orval's functions ask for; the address and the key are set before. */
export const target = { url: '', key: '' };

export async function orvalFetch<Answer>(path: string, options: RequestInit): Promise<Answer> {
  const headers = { ...options.headers, Authorization: `Bearer ${target.key}` };
  const response = await fetch(target.url + path, { ...options, headers });
  const { status } = response;
  return { status, data: await response.json(), headers: response.headers } as Answer;
}
