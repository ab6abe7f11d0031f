// Known faults of packages that are inside a release, as `npm audit` says of the lock file.

import { spawnSync } from 'node:child_process';

/**
 * Why these packages cannot be released: a line for each known fault, or what npm says if it gets
 * no answer. Undefined if no fault is known.
 */
export function findKnownFaults(packages) {
  const argv = ['audit', '--json', '--package-lock-only'];
  const { stdout, stderr } = spawnSync('npm', argv, { encoding: 'utf8', maxBuffer: 1e8 });
  const { vulnerabilities } = JSON.parse(stdout === '' ? '{}' : stdout);
  if (vulnerabilities === undefined) return `npm audit has no answer:\n${stderr.trim()}`;
  const faults = Object.values(vulnerabilities)
    .filter(({ name }) => packages.includes(name))
    .flatMap(({ name, via }) => via.map((fault) => ({ name, ...fault })))
    .map(({ name, severity, title, url }) => `${name}: ${title} (${severity}), ${url}`);
  if (faults.length === 0) return undefined;
  const heading = 'Known faults of packages inside (SECURITY.md says how fast they go):';
  return [heading, ...faults].join('\n');
}
