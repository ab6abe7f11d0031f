// What the bundles of `bundle.js` and `executable.js` have in common.

import { existsSync, readFileSync } from 'node:fs';

/** The options for the input; `edit` changes the code of a module within its lines. */
export function input(edit = (code) => code) {
  return {
    platform: 'node',
    plugins: [{ name: 'with-source-map', load: (file) => load(file, edit) }],
    // Whether the machine was busy says nothing about the bundle.
    checks: { bundlerTimings: false },
    onLog(level, { message }) {
      if (level === 'warn') throw new Error(message);
    },
  };
}

// A module with its source map, so that the maps of the bundle lead to the TypeScript.
function load(file, edit) {
  if (!existsSync(`${file}.map`)) return null;
  const [code, map] = [file, `${file}.map`].map((path) => readFileSync(path, 'utf8'));
  return { code: edit(code), map };
}

export const output = {
  sourcemap: true,
  sourcemapExcludeSources: true,
};
