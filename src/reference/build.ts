/** The last step of `npm run build`: writes the files that `docs/routes.ts` serves. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { recordExamples } from './examples.ts';
import { buildOpenApi } from './openapi.ts';
import { buildPage } from './page.ts';

// Compiled, this file is in dist/src/reference.
const STYLE = new URL('../../../src/docs/style/', import.meta.url);

const document = buildOpenApi(await recordExamples());
const style = readdirSync(STYLE).sort();
write('openapi.json', JSON.stringify(document));
write('page.html', buildPage(document).text);
write('docs.css', style.map((name) => readFileSync(new URL(name, STYLE), 'utf8')).join('\n'));

function write(name: string, text: string): void {
  writeFileSync(new URL(`../docs/${name}`, import.meta.url), text);
}
