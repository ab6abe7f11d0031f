// `npm run release`, on Linux on x64: writes the files of a release to dist/release, from a tag:
// the archive for npm, and for x64 and arm64 one file and a Debian package, a bill of materials and
// SHA256SUMS. Two runs from one commit write the same bytes (docs/releasing.md).

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { pack, packPublic } from './archive.js';
import { buildDebianPackage } from './debian.js';
import { findKnownFaults } from './known-faults.js';
import { BUNDLED, listMaterials } from './materials.js';

const FOLDER = 'dist/release';
const WORK = 'dist/release-work';

/** The Node inside: its version, and the archive of npm for each processor. */
const NODE_VERSION = '24.21.0';
const TARGETS = [
  {
    arch: 'x64',
    sha256: '61ecf27ad70afee991b671c28561eb497028294a67d132f9bbaac9ad73f81d3b',
  },
  {
    arch: 'arm64',
    sha256: 'fba3076c16d21e5d814577436bdcb782b9b66bed09c6fa8278298e8933288bbb',
  },
];

const { version, dependencies, optionalDependencies } = JSON.parse(
  fs.readFileSync('package.json', 'utf8'),
);

const problem = findProblem(process.argv.includes('--untagged'));
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

execFileSync('npm', ['run', 'build'], { stdio: 'inherit' });
const [seconds, author] = say('git', 'log', '-1', '--format=%ct%n%an <%ae>').split('\n');
for (const folder of [FOLDER, WORK]) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
}
packPublic(FOLDER);
const nodes = TARGETS.map((target) => ({ ...target, home: fetchNode(target) }));
const [{ home }] = nodes;
for (const { arch, home: target } of nodes) {
  const program = `${FOLDER}/budgetd-${version}-linux-${arch}`;
  const driver = `node_modules/better-sqlite3/prebuilds/linux-${arch}.node`;
  const inside = ['--node', `${target}/bin/node`, '--driver', driver, '--output', program];
  // By the same version, on this machine: it writes what the other reads.
  run(`${home}/bin/node`, 'executable.js', ...inside);
  buildDebianPackage({
    ...{ program, version, seconds, arch, author },
    folder: `${WORK}/debian-${arch}`,
    nodeLicence: `${target}/LICENSE`,
    output: `${FOLDER}/budgetd_${version}_${arch === 'x64' ? 'amd64' : arch}.deb`,
  });
}
fs.writeFileSync(`${FOLDER}/budgetd-${version}.cdx.json`, listMaterials(seconds, NODE_VERSION));
const names = fs.readdirSync(FOLDER).sort();
const sums = names.map((name) => `${sumOf(`${FOLDER}/${name}`)}  ${name}\n`);
fs.writeFileSync(`${FOLDER}/SHA256SUMS`, sums.join(''));
fs.rmSync(WORK, { recursive: true });
process.stdout.write(`Wrote to ${FOLDER}:\n${[...names, 'SHA256SUMS'].join('\n')}\n`);

/** Why there can be no release; undefined if there can. */
function findProblem(isUntagged) {
  const { platform, arch, versions } = process;
  if (platform !== 'linux' || arch !== 'x64' || Number.parseInt(versions.node, 10) < 24) {
    const found = `This is Node ${versions.node} on ${platform} (${arch}).`;
    return `A release is made with Node 24 or later on Linux on x64. ${found}`;
  }
  if (say('git', 'status', '--porcelain') !== '') return 'Commit your changes first.';
  const tag = `v${version}`;
  if (isUntagged) return undefined;
  if (!say('git', 'tag', '--points-at', 'HEAD').split('\n').includes(tag)) {
    return `This commit has no tag ${tag}: git tag ${tag}. To try it without one: --untagged`;
  }
  return findKnownFaults([
    ...Object.keys({ ...dependencies, ...optionalDependencies }),
    ...BUNDLED,
  ]);
}

/** Gets a Node from npm, compares it with what this file expects, and returns its folder. */
function fetchNode({ arch, sha256 }) {
  const wanted = `node-linux-${arch}@${NODE_VERSION}`;
  const archive = pack(WORK, wanted);
  if (sumOf(archive) !== sha256) {
    throw new Error(`${wanted} is not what build/release/release.js names.`);
  }
  const folder = `${WORK}/node-${arch}`;
  fs.mkdirSync(folder);
  run('tar', 'xzf', archive, '--strip-components=1', '-C', folder);
  return folder;
}

function sumOf(file) {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}

function say(program, ...argv) {
  return execFileSync(program, argv, { encoding: 'utf8', maxBuffer: 1e8 }).trim();
}

function run(program, ...argv) {
  execFileSync(program, argv, { stdio: ['ignore', 'ignore', 'inherit'] });
}
