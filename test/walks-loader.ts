/** Loads the modules of `src` so that each function says that it was called, for `walks.ts`. */

import { readFileSync } from 'node:fs';
import type { LoadHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-5.0';
import { parse } from './code.ts';

/** Rooms of which no walk tells: sockets, and the file with its statements. */
const OTHERS = /^(?:http|database|executable)\//;

export const load: LoadHook = (url, context, next) => {
  const [, file] = /\/dist\/src\/(.*)\.js$/.exec(url) ?? [];
  if (file === undefined || OTHERS.test(file)) return next(url, context);
  const source = mark(file, readFileSync(fileURLToPath(url), 'utf8'));
  return { format: 'module', source, shortCircuit: true };
};

/** Begins the body of each named function with a call that has the file and its place there. */
function mark(file: string, text: string): string {
  const tree = parse(text);
  const starts: number[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    const isNamed =
      ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isConstructorDeclaration(node) ||
      ts.isGetAccessorDeclaration(node);
    if (isNamed && node.body !== undefined) starts.push(node.body.getStart(tree) + 1);
  };
  visit(tree);
  // The last first, so that the places before it stay.
  return starts
    .sort((one, two) => two - one)
    .reduce((marked, start) => {
      const call = `globalThis.walk?.(${JSON.stringify(file)}, ${start});`;
      return marked.slice(0, start) + call + marked.slice(start);
    }, text);
}
