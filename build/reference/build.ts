/** A step of `npm run build`: writes the files that other rooms read. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadCommands } from '../../src/cli/catalogue.ts';
import { readBuild } from '../../src/package-folder.ts';
import { listCommonPasswords } from './common-passwords.ts';
import { recordExamples } from './examples.ts';
import { listHelp } from './help.ts';
import { buildManual } from './manual.ts';
import { buildOpenApi } from './openapi.ts';
import { buildPage } from './page.ts';
import { buildKeySamples } from './samples.ts';

// Compiled, this file is in dist/build/reference.
const SOURCES = new URL('../../../src/', import.meta.url);

const document = buildOpenApi(await recordExamples());
write('docs/openapi.json', JSON.stringify(document));
write('docs/page.html', buildPage(document).text);
write('docs/docs.css', joinStyle('docs'));
write('console/samples.json', JSON.stringify(buildKeySamples()));
write('console/console.css', joinStyle('console'));
write('operations/common-passwords.txt', listCommonPasswords());

write('cli/commands.json', JSON.stringify(await loadCommands()));
write('cli/help.json', JSON.stringify(listHelp()));
mkdirSync(new URL('../../man/', import.meta.url), { recursive: true });
write('../man/budgetd.1', buildManual(readBuild().version));

/** The style of a room, after what all styles share. */
function joinStyle(room: string): string {
  return ['style/', `${room}/style/`]
    .map((folder) => new URL(folder, SOURCES))
    .flatMap((folder) =>
      readdirSync(folder)
        .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
        .map((name) => new URL(name, folder)),
    )
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

function write(name: string, text: string): void {
  writeFileSync(new URL(`../../src/${name}`, import.meta.url), text);
}
