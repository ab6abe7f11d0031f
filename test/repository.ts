/** The files of the repository, for tests that compare rules and documentation with the code. */

import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository; compiled tests run from dist/test. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const NOT_OURS = new Set(['.git', 'node_modules', 'dist', 'coverage']);

/** Made by the build in a folder of sources. */
const GENERATED = 'src/client/documents.ts';

/** Every file in `folder` that is not generated, as sorted paths relative to the repository. */
export function listFiles(folder = ''): string[] {
  const files = readdirSync(ROOT + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (NOT_OURS.has(entry.name)) return [];
    return entry.isDirectory() ? listFiles(path) : [path];
  });
  return files.filter((file) => file !== GENERATED && !/\.db(-\w+)?$/.test(file)).sort();
}

/** The text of a file of the repository. */
export function readText(file: string): string {
  return readFileSync(ROOT + file, 'utf8');
}

/** The relative links of a document, as paths relative to the repository. */
export function listLinks(file: string): { path: string; heading: string | undefined }[] {
  const folder = posix.dirname(file);
  return [...readText(file).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', heading] = target.split('#', 2);
      return { path: path === '' ? file : posix.join(folder, path), heading };
    });
}

/** The fenced blocks of one language. */
export function listBlocks(text: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm');
  return [...text.matchAll(fence)].map(([, block = '']) => block);
}
