/** All pages of imports, which are loaded together. */

export { showImport, takeFile } from './choose-page.ts';
export { showFile } from './file-page.ts';
export { sendRejected, takeImport } from './result-page.ts';
