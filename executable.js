// `npm run executable`: writes dist/budgetd, a copy of this Node with budgetd inside
// (docs/decisions/0012). A release (build/release/release.js) names the Node of the same version to
// copy, for another processor, with its driver, and the file to write.

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { build } from 'rolldown';
import * as bundling from './bundling.js';

const FOLDER = 'dist/executable';

const { node: version } = process.versions;
const major = Number(version.split('.')[0]);
if (major < 24 || process.platform !== 'linux') {
  const found = `This is Node ${version} on ${process.platform}.`;
  process.stderr.write(`The executable is built with Node 24 or later on Linux. ${found}\n`);
  process.exit(1);
}

const { values } = parseArgs({
  options: { node: { type: 'string' }, driver: { type: 'string' }, output: { type: 'string' } },
});
const { node = process.execPath, driver = findDriver(), output: result = 'dist/budgetd' } = values;

/** Bundles a module of src/executable, with all that it loads, into a CommonJS script. */
async function bundle(name) {
  // By this name the script finds the files of the package, and its map for a stack.
  const url = `file:///dist/bundle/${name}.js`;
  // So that the bundler sees what is loaded with require().
  const own = 'const require = createRequire(import.meta.url);';
  await build({
    ...bundling.input((code) => code.replace(own, '')),
    input: `dist/src/executable/${name}.js`,
    // Never loaded: the package for another Node.
    external: 'better-sqlite3-node20',
    transform: { define: { 'import.meta.url': JSON.stringify(url) } },
    output: {
      ...bundling.output,
      file: `${FOLDER}/${name}.js`,
      format: 'cjs',
      codeSplitting: false,
      postFooter: `//# sourceURL=${url}`,
    },
  });
}

/** Every file that the package has beside its code, and what belongs to the bundle. */
function listAssets() {
  const { files } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
  const code = ['bin', 'bin/**', 'dist/{bundle,types}', 'dist/{bundle,types}/**'];
  const names = fs.globSync(['package.json', ...files, ...files.map((path) => `${path}/**`)], {
    exclude: code,
  });
  return {
    ...Object.fromEntries(
      names.filter((name) => fs.statSync(name).isFile()).map((name) => [name, name]),
    ),
    'driver.node': driver,
    'dist/bundle/main.js.map': `${FOLDER}/main.js.map`,
    'dist/bundle/checkpoint-worker.js': `${FOLDER}/checkpoint-worker.js`,
  };
}

/** The binary that the driver loads on this machine. */
function findDriver() {
  const require = createRequire(import.meta.url);
  const Driver = require('better-sqlite3');
  new Driver(':memory:').close();
  return Object.keys(require.cache).find((file) => /better-sqlite3.*\.node$/.test(file));
}

/** Writes a copy of the Node, with the script and the files inside. */
function inject(output) {
  const config = `${FOLDER}/config.json`;
  const blob = `${FOLDER}/blob`;
  const builds = major >= 26 && values.node === undefined;
  const options = {
    main: `${FOLDER}/main.js`,
    output: builds ? output : blob,
    disableExperimentalSEAWarning: true,
    // It is of one processor.
    useCodeCache: values.node === undefined,
    assets: listAssets(),
  };
  fs.writeFileSync(config, JSON.stringify(options));
  if (builds) return run('--build-sea', config);
  run('--experimental-sea-config', config);
  fs.copyFileSync(node, output);
  // The names are Node's.
  const fuse = ['--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'];
  run('node_modules/postject/dist/cli.js', output, 'NODE_SEA_BLOB', blob, ...fuse);
}

/** Runs Node, and shows what it prints only if it fails. */
function run(...args) {
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

fs.rmSync(FOLDER, { recursive: true, force: true });
await bundle('main');
await bundle('checkpoint-worker');
const unfinished = `${FOLDER}/budgetd`;
inject(unfinished);
// A running one keeps its own file.
fs.renameSync(unfinished, result);
const megabytes = Math.round(fs.statSync(result).size / 1e6);
process.stdout.write(`Wrote ${result}: Node ${version} with budgetd, ${megabytes} MB.\n`);
