/** A file on the disk as a source. */

import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FileSource } from './text/text.ts';

/** A file that can be read again, under its own name or another. */
export function storedFile(path: string, name = basename(path)): FileSource {
  const stored = {
    size: async () => (await stat(path)).size,
    read: async (start: number, bytes: number) => {
      // Opened for each piece: whoever stops half-way need not close it.
      const file = await open(path);
      try {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, start);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
  };
  return { name, stored, open: () => createReadStream(path) };
}
