// The last step of `npm run build`: bundles the compiled modules into few files in dist/bundle,
// because Node takes its time to find each one, and copies the types of the package
// (docs/decisions/0009).

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { build } from 'rolldown';
import * as bundling from './bundling.js';

const common = {
  ...bundling.input(),
  // Packages and modules of Node, but no path, not even on Windows. TypeBox and qr are included,
  // because Jest cannot load their ES modules.
  external: /^(?!typebox|qr$)[^./][^:]/,
};

const output = {
  ...bundling.output,
  dir: 'dist/bundle',
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  format: 'cjs',
  strict: true,
};

const CHECK_NODE = "require('../../bin/check-node.js').checkNode();";

await build({
  ...common,
  input: {
    main: 'dist/src/cli/main.js',
    index: 'dist/src/index.js',
    // Loaded with require(), which Rolldown does not see.
    'project-errors': 'dist/src/operations/project-errors.js',
    // A thread, which `service.js` starts from its own folder.
    'checkpoint-worker': 'dist/src/database/checkpoint-worker.js',
  },
  // Entries may export more than before, or each would need a second file.
  preserveEntrySignatures: 'allow-extension',
  output: {
    ...output,
    cleanDir: true,
    // Before the rest, which a Node that is too old cannot load.
    intro: ({ name }) => (name === 'index' ? CHECK_NODE : ''),
    minifyInternalExports: false,
    codeSplitting: {
      // What is always loaded together. The rest is split by what loads it on demand.
      groups: [
        { name: 'driver', test: /database[\\/]driver\.js$/, priority: 7 },
        // What every command needs, the limits of a database among it.
        {
          name: 'words',
          test: /(?:core[\\/](?:counts|limits|links|suggestions|system|text-width)|addresses)\.js$/,
          priority: 6,
        },
        { name: 'database', test: /database[\\/]database\.js$/, priority: 3 },
        { name: 'core', test: /src[\\/]core[\\/]/, priority: 5 },
        { name: 'main', test: /cli[\\/](?:main|options|serving|log)\.js$/, priority: 2 },
        { name: 'service', test: /src[\\/](?:service|operations[\\/]links)\.js$/, priority: 1 },
      ],
    },
  },
});

// The client in one file: for Node, and for browsers.
const client = { ...common, input: { client: 'dist/src/client/index.js' } };
await build({ ...client, output });
await build({ ...client, output: { ...output, entryFileNames: '[name].mjs', format: 'esm' } });

// A script of pages, without source maps.
await build({
  ...common,
  input: 'dist/src/console/browser/console.js',
  output: { file: 'dist/src/console/console.js', format: 'iife', comments: false },
});

const CONTRACT = `import type { Transaction } from '../client/documents.ts';
export type * from '../client/documents.ts';
/** One transaction, which only the library returns. */
export interface TransactionDocument {
  /** The transaction. */
  data: Transaction;
}
`;

// The types that the entries refer to, without the sections of the specification in their comments:
// users have the pages of the package only.
const SECTIONS = /\s(?:\* )?\((?:Spec|contract)\s[^)]*\)/gi;
rmSync('dist/types', { recursive: true, force: true });
const types = new Set(['index.d.ts', 'client/index.d.ts']);
for (const file of types) {
  const text = typesOf(file);
  const folder = posix.dirname(file);
  mkdirSync(`dist/types/${folder}`, { recursive: true });
  writeFileSync(`dist/types/${file}`, text);
  for (const [, path] of text.matchAll(/'(\.{1,2}\/[^']+)\.ts'/g)) {
    types.add(`${posix.join(folder, path)}.d.ts`);
  }
}

// Node and TypeScript read both folders as CommonJS, so require() and import load the same file.
for (const folder of ['bundle', 'types']) {
  writeFileSync(`dist/${folder}/package.json`, '{ "type": "commonjs" }\n');
}

// The schemas of the contract need TypeBox; the types that the client has of them do not.
function typesOf(file) {
  if (file === 'api/contract.d.ts') return CONTRACT;
  return readFileSync(`dist/src/${file}`, 'utf8').replace(SECTIONS, '');
}
