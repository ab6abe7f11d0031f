/**
 * A separate process for `browser.test.ts`: loads the client like a page, in a context with the
 * globals of the web and nothing from Node. Prints the results of the page.
 */

import { readFileSync } from 'node:fs';
import { createContext, type Module, SourceTextModule } from 'node:vm';

/** The globals that the client can use: every browser has them. */
const WEB = {
  AbortController,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  clearTimeout,
  fetch,
  performance,
  setTimeout,
};

const PAGE = `
  import { BudgetdError, createClient } from './client.mjs';

  export async function run(url, key) {
    const client = createClient({ url, key });
    const rows = Array.from({ length: 1203 }, (_, index) => {
      return { externalId: 'B-' + index, date: '2026-01-31', description: 'Tea', amount: index };
    });
    rows[7].date = 'yesterday';
    const batches = [];
    const onBatch = ({ firstIndex }) => void batches.push(firstIndex);
    const counts = await client.push(rows, { onBatch });
    let listed = 0;
    for await (const _ of client.transactions.iterate({ limit: 500 })) listed += 1;
    let failure;
    try {
      await client.projects.get('prj_none');
    } catch (error) {
      const { name, code, status, requestId } = error;
      failure = { isOne: error instanceof BudgetdError, name, code, status, requestId };
    }
    const ending = new AbortController();
    setTimeout(() => ending.abort(), 0);
    const endless = createClient({ url, key, fetch: (_, { signal }) => new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    }) });
    const listing = endless.projects.list({}, { signal: ending.signal });
    const aborted = await listing.catch(({ code }) => code);
    const globals = ['process', 'Buffer', 'require', 'global'].filter((name) => name in globalThis);
    return JSON.stringify({ counts, batches, listed, failure, aborted, globals });
  }
`;

const context = createContext({ ...WEB });
const folder = new URL('../../bundle/', import.meta.url);
const modules = new Map<string, SourceTextModule>();

function load(specifier: string): Module {
  if (!specifier.startsWith('./')) throw new Error(`A browser cannot load "${specifier}".`);
  const known = modules.get(specifier);
  if (known !== undefined) return known;
  const source = readFileSync(new URL(specifier, folder), 'utf8');
  const loaded = new SourceTextModule(source, { context, identifier: specifier });
  modules.set(specifier, loaded);
  return loaded;
}

const page = new SourceTextModule(PAGE, { context, identifier: 'page.js' });
await page.link(load);
await page.evaluate();
const [url = '', key = ''] = process.argv.slice(2);
const { run } = page.namespace as { run: (url: string, key: string) => Promise<string> };
process.stdout.write(await run(url, key));
