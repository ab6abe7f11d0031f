/** The readers of statements, each loaded at its first use. */

import type { FileKind } from '../text/foreign-files.ts';
import type { Statements } from './payments.ts';

const READERS: Readonly<Record<Exclude<FileKind, 'zip'>, (bytes: Buffer) => Promise<Statements>>> =
  {
    ofx: async (bytes) => (await import('./ofx.ts')).readOfx(bytes),
    mt940: async (bytes) => (await import('./mt940.ts')).readMt940(bytes),
    camt: async (bytes) => (await import('./camt.ts')).readCamt(bytes),
  };

/** What reads the statements in these bytes. */
export function readStatements(kind: Exclude<FileKind, 'zip'>, bytes: Buffer): Promise<Statements> {
  return READERS[kind](bytes);
}
