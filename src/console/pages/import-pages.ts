/** All pages of imports, which are loaded together. */

export { showImport, takeFile } from './import.ts';
export { showFile } from './import-file.ts';
export { sendRejected, takeImport, takeImportExclusion } from './import-result.ts';
