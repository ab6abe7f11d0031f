// The last step of `npm run build`: bundles the compiled modules into few files in dist/bundle,
// because Node takes its time to find each one (docs/decisions/0009).

import { build } from 'rolldown';
import * as bundling from './bundling.js';

const common = {
  ...bundling.input(),
  // Packages and modules of Node, but no path, not even on Windows.
  external: /^[^./][^:]/,
};

const output = {
  ...bundling.output,
  dir: 'dist/bundle',
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
};

await build({
  ...common,
  input: {
    main: 'dist/src/cli/main.js',
    driver: 'dist/src/database/driver.js',
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
    minifyInternalExports: false,
    codeSplitting: {
      // What is always loaded together. The rest is split by what loads it on demand.
      groups: [
        { name: 'driver', test: /database[\\/]driver\.js$/, priority: 4 },
        {
          name: 'database',
          test: /(?:database[\\/]database|core[\\/](?:links|counts|text-width))\.js$/,
          priority: 3,
        },
        { name: 'main', test: /cli[\\/](?:main|options|serving|log)\.js$/, priority: 2 },
        { name: 'service', test: /src[\\/]service\.js$/, priority: 1 },
      ],
    },
  },
});

// In one file, for browsers.
await build({ ...common, input: { client: 'dist/src/client/index.js' }, output });

// A script of pages, without source maps.
await build({
  ...common,
  input: 'dist/src/console/browser/console.js',
  output: { file: 'dist/src/console/console.js', format: 'iife', comments: false },
});
