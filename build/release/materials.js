// The bill of materials of a release: what `npm sbom` lists of the packages inside, and Node.

import { execFileSync } from 'node:child_process';

/**
 * Packages inside that are not dependencies of the archive: the build bundles their code, or, of
 * the last, its list of passwords.
 */
export const BUNDLED = ['typebox', 'qr', '@zxcvbn-ts/language-common'];

/** The text of the bill, with the day of the commit. */
export function listMaterials(seconds, nodeVersion) {
  const argv = [
    'sbom',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
    '--package-lock-only',
  ];
  const all = JSON.parse(say('npm', ...argv));
  const isInside = ({ name, properties }) => {
    return (
      BUNDLED.includes(name) || !properties.some(({ name: each }) => /development$/.test(each))
    );
  };
  const components = all.components.filter(isInside).map((component) => {
    const { externalReferences: _, ...rest } = component;
    return BUNDLED.includes(component.name) ? { ...rest, scope: 'required', properties: [] } : rest;
  });
  const refs = new Set([all.metadata.component, ...components].map((each) => each['bom-ref']));
  const commit = say('git', 'rev-parse', 'HEAD');
  const [, ...id] = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(commit);
  const node = `pkg:generic/node@${nodeVersion}`;
  return `${JSON.stringify(
    {
      ...all,
      // Random and the present moment in what npm writes.
      serialNumber: `urn:uuid:${id.join('-')}`,
      metadata: {
        timestamp: new Date(seconds * 1000).toISOString(),
        component: { ...all.metadata.component, name: 'budgetd' },
      },
      components: [
        ...components,
        { 'bom-ref': node, type: 'platform', name: 'node', version: nodeVersion, purl: node },
      ],
      dependencies: all.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn }) => ({
          ref,
          dependsOn: dependsOn.filter((each) => refs.has(each)),
        })),
    },
    undefined,
    2,
  )}\n`;
}

function say(program, ...argv) {
  return execFileSync(program, argv, { encoding: 'utf8', maxBuffer: 1e8 }).trim();
}
