// Loads the SQLite driver, or says in one sentence why this Node cannot run budgetd and what to do.
// `npm ci` and `npm run build` run this file; bin/budgetd, the library and src/database/driver.ts
// load it. Only old syntax, so that a Node that is too old can read it. See docs/decisions/0002.
'use strict';

const fs = require('fs');
const path = require('path');

const HOME = path.dirname(__dirname);

/** Why budgetd cannot run on this Node with this driver, installed here; undefined if it can. */
exports.problemOf = (node, driver, home) => {
  if (!isSupported(node)) return tooOld(node);
  const advice = adviceFor(node, home);
  if (driver === undefined) return `The SQLite driver for Node ${node} is not installed. ${advice}`;
  if (hasNodeApi10(node) || isBefore(driver, 13, 0)) return undefined;
  // It would end the process without a message.
  return `better-sqlite3 ${driver} needs Node 22.14 or later, but this is Node ${node}. ${advice}`;
};

/** Throws an Error, whose stack is its message, if this Node is too old. */
exports.checkNode = () => {
  const node = process.versions.node;
  refuse(isSupported(node) ? undefined : tooOld(node));
};

/** Throws if Node is too old, or if the driver for this Node is not there. */
exports.check = () => {
  refuse(exports.problemOf(process.versions.node, installedVersion(), HOME));
};

/** The `Database` class of the driver. Throws like `check`, and if the driver does not load. */
exports.loadDriver = () => {
  exports.check();
  const node = process.versions.node;
  try {
    const Driver = require(driverName(node));
    // Opening the first database loads the native part; require() does not.
    new Driver(':memory:').close();
    return Driver;
  } catch (_) {
    const advice = adviceFor(node, HOME, rebuildOf(HOME));
    return refuse(`The SQLite driver is not built for Node ${node}. ${advice}`);
  }
};

function tooOld(node) {
  const needed = 'budgetd needs Node 20.19 or a later 20, or Node 22.14 or later.';
  return `${needed} This is Node ${node}.`;
}

function refuse(problem) {
  if (problem === undefined) return;
  const error = new Error(problem);
  error.stack = problem;
  throw error;
}

/** package.json installs better-sqlite3 13, and 12.9.0 under another name for Node 20. */
function driverName(node) {
  return hasNodeApi10(node) ? 'better-sqlite3' : 'better-sqlite3-node20';
}

function installedVersion() {
  try {
    return require(`${driverName(process.versions.node)}/package.json`).version;
  } catch (_) {
    return undefined;
  }
}

/** Compiles a driver that is there: npm finds it "up to date", however often it installs it. */
function rebuildOf(home) {
  const isGlobal = !fs.existsSync(path.join(home, '../../package.json'));
  return `npm rebuild ${isGlobal ? '--global ' : ''}better-sqlite3-node20`;
}

/** What to type: how the driver gets there depends on who installed budgetd. */
function adviceFor(node, home, rebuild) {
  const manager = managerOf(home);
  const { version } = JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8'));
  const archive = `./budgetd-${version}.tgz`;
  if (hasNodeApi10(node)) {
    // It includes its binaries. Managers that compile it anyway drop it where that fails.
    const install = {
      clone: 'npm ci',
      npm: `npm install --ignore-scripts ${archive}`,
      pnpm: `pnpm add --ignore-scripts ${archive}`,
      yarn1: `yarn add --ignore-scripts ${archive}`,
      yarn: 'yarn install',
    };
    return `Run \`${install[manager]}\`.`;
  }
  const compile = {
    clone: 'npm ci',
    npm: rebuild || `npm install ${archive}`,
    pnpm: `pnpm add --allow-build=better-sqlite3 ${archive}`,
    yarn1: `yarn add --force ${archive}`,
    yarn: 'YARN_ENABLE_SCRIPTS=1 yarn rebuild better-sqlite3',
  };
  return (
    'Install a C++ compiler, make and Python 3 (on Debian: `apt install build-essential ' +
    `python3\`) and run \`${compile[manager]}\`, which downloads the headers of Node from ` +
    'nodejs.org, or use Node 22.14 or later, which needs none of them.'
  );
}

/** Who installed budgetd in this folder; `clone` if nobody did. */
function managerOf(home) {
  if (process.versions.pnp || /[\\/]\.yarn[\\/]/.test(home)) return 'yarn';
  if (/[\\/]\.?pnpm[\\/]/.test(home)) return 'pnpm';
  const modules = path.dirname(home);
  if (path.basename(modules) !== 'node_modules') return 'clone';
  if (fs.existsSync(path.join(modules, '.yarn-integrity'))) return 'yarn1';
  return fs.existsSync(path.join(modules, '.yarn-state.yml')) ? 'yarn' : 'npm';
}

/** Matches `engines` in package.json. */
function isSupported(node) {
  return /^20\./.test(node) ? !isBefore(node, 20, 19) : hasNodeApi10(node);
}

function hasNodeApi10(node) {
  return /^23\./.test(node) ? !isBefore(node, 23, 6) : !isBefore(node, 22, 14);
}

function isBefore(version, major, minor) {
  const own = version.split('.').map(Number);
  return own[0] < major || (own[0] === major && own[1] < minor);
}

if (require.main === module) {
  try {
    exports.loadDriver();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
