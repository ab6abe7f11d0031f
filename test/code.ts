/** TypeScript as a tree, for tests about the words and the sizes of the code. */

import ts from 'typescript-5.0';

/** The tree of a file of TypeScript or JavaScript. */
export function parse(text: string): ts.SourceFile {
  return ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest);
}

/** Every node of a tree, from the outside in. */
export function* walk(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  for (const child of children) yield* walk(child);
}

/**
 * The comments and texts of a file. A template is one text: `…` for each value in it, and without
 * the tags of its markup. Texts within a value are texts of their own.
 */
export function listProse(text: string): string[] {
  const texts: string[] = [];
  // What is left of the code once its texts are blank: names, signs and comments.
  let rest = text;
  const tree = parse(text);
  for (const node of walk(tree)) {
    const isText = ts.isStringLiteralLike(node) || TEMPLATE_PARTS.has(node.kind);
    if (!isText && !ts.isRegularExpressionLiteral(node)) continue;
    const [start, end] = [node.getStart(tree), node.end];
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  }
  for (const node of walk(tree)) {
    if (ts.isStringLiteralLike(node)) texts.push(withoutTags(node.text));
    if (ts.isTemplateExpression(node)) {
      const parts = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
      texts.push(withoutTags(parts.map((part) => part.text).join('…')));
    }
  }
  const comments = rest.match(/\/\*[\s\S]*?\*\/|\/\/.*(?:\n *\/\/.*)*/g) ?? [];
  return [...comments.map((each) => each.replace(/^\s*(?:\*|\/\/)/gm, ' ')), ...texts];
}

const TEMPLATE_PARTS = new Set([
  ts.SyntaxKind.TemplateHead,
  ts.SyntaxKind.TemplateMiddle,
  ts.SyntaxKind.TemplateTail,
]);

function withoutTags(text: string): string {
  return text.replace(/<\/?\w[^>]*>/g, ' ');
}
