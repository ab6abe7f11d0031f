import collection from '../generated/postman.json';

/** What a collection has: folders and requests, with their variables and examples filled in. */
interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: {
    readonly method: string;
    readonly url: {
      readonly path: readonly string[];
      readonly query: Pairs;
      readonly variable: Pairs;
    };
    readonly header?: Pairs;
    readonly body?: { readonly raw?: string };
  };
}

type Pairs = readonly {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}[];

/** Sends every request of the generated collection. The status of each by its name. */
export async function runCollection(url: string, key: string): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  const waiting: Item[] = [collection as unknown as Item];
  for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
    waiting.unshift(...(each.item ?? []));
    if (each.request === undefined) continue;
    const { method, body, header = [], url: target } = each.request;
    const fill = (part: string) => target.variable.find(({ key }) => `:${key}` === part)?.value;
    const query = new URLSearchParams(enabled(target.query));
    const path = target.path.map((part) => fill(part) ?? part).join('/');
    const headers = { ...Object.fromEntries(enabled(header)), Authorization: `Bearer ${key}` };
    const options = { method, headers, ...(body?.raw ? { body: body.raw } : {}) };
    const response = await fetch(`${url}/${path}?${query}`, options);
    await response.text();
    statuses[`${method} /${path}?${query}`] = response.status;
  }
  return statuses;
}

function enabled(pairs: Pairs): [string, string][] {
  return pairs.filter(({ disabled }) => disabled !== true).map(({ key, value }) => [key, value]);
}
