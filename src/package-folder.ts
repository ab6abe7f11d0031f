/**
 * The folder of the package as a URL, for the files that are read from it. This file is two folders
 * below it: compiled in `dist/src`, bundled in `dist/bundle`.
 */
export const PACKAGE_FOLDER = new URL('../../', import.meta.url);
