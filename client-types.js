// The first step of `npm run build`: writes src/client/documents.ts, which the compiler needs.

import { build } from 'rolldown';

const { output } = await build({
  input: 'build/client/build.ts',
  platform: 'node',
  external: ['typebox'],
  // Made by a later step, and not called in this one.
  plugins: [{ name: 'no-checks', resolveId: findChecks, load: loadChecks }],
  output: { file: 'dist/client-types.js' },
});
await import(`./dist/${output[0].fileName}`);

function findChecks(path) {
  return path.endsWith('/checks.js') ? path : null;
}

function loadChecks(path) {
  return path.endsWith('/checks.js') ? 'export const checks = {};' : null;
}
