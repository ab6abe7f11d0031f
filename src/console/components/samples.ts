/** Programs that try a key, which the build makes of those at `/docs`. */

import { PACKAGE_FOLDER, readPackageFile } from '../../package-folder.ts';

/** A program in one language that pushes one row without storing it. */
interface Sample {
  readonly language: string;
  readonly title: string;
  readonly code: string;
}

const FILE = new URL('dist/src/console/samples.json', PACKAGE_FOLDER);
let built: readonly Sample[] | undefined;

/** The programs with an address and a key in them. */
export function fillSamples(address: string, key: string): Sample[] {
  built ??= JSON.parse(readPackageFile(FILE).toString()) as Sample[];
  return built.map((sample) => {
    const code = sample.code.replace('«address»', () => address).replace('«key»', () => key);
    return { ...sample, code };
  });
}
