/** The stack of an error, for the log and for BUDGETD_DEBUG. */

import { SourceMap } from 'node:module';
import { pathToFileURL } from 'node:url';
import { readPackageFile } from '../package-folder.ts';

/** A place in the bundle, such as `/…/dist/bundle/service.js:12:34`, a URL in the executable. */
const BUNDLED = /((?:file:|\/|[A-Z]:\\)[^(\n]*[/\\]dist[/\\]bundle[/\\][\w-]+\.js):(\d+):(\d+)/g;

/** The source maps of the bundle that were needed. */
const maps = new Map<string, SourceMap>();

/**
 * The stack with places in `src/` instead of the bundle. Node could do that itself, but then it
 * would read all source maps at the start.
 */
export function stackOf(error: Error): string {
  return (error.stack ?? '').replace(
    BUNDLED,
    (place, file: string, line: string, column: string) => {
      try {
        const origin = mapOf(file).findOrigin(Number(line), Number(column));
        if (!('fileName' in origin)) return place;
        const source = origin.fileName.replace(/^(?:\.\.\/)+/, '');
        return `${source}:${origin.lineNumber}:${origin.columnNumber}`;
      } catch {
        // Without its map: a place in the bundle is better than none.
        return place;
      }
    },
  );
}

function mapOf(file: string): SourceMap {
  const known = maps.get(file);
  if (known !== undefined) return known;
  const url = file.startsWith('file:') ? new URL(`${file}.map`) : pathToFileURL(`${file}.map`);
  const map = new SourceMap(JSON.parse(readPackageFile(url).toString()));
  maps.set(file, map);
  return map;
}
