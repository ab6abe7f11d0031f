/** TypeScript as a tree, for tests about the words and the sizes of the code. */

import ts from 'typescript-5.0';

/** The tree of a file of TypeScript or JavaScript. */
export function parse(text: string): ts.SourceFile {
  return ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest);
}

/** Every node of a tree, from the outside in. */
function nodesOf(tree: ts.SourceFile): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return nodes;
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
  const nodes = nodesOf(tree);
  for (const node of nodes) {
    const isText = ts.isStringLiteralLike(node) || TEMPLATE_PARTS.has(node.kind);
    if (!isText && !ts.isRegularExpressionLiteral(node)) continue;
    const [start, end] = [node.getStart(tree), node.end];
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  }
  for (const node of nodes) {
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

/** What the templates of a file say after each value: `${value} words`, without tags. */
export function listValueEndings(text: string): string[] {
  const tree = parse(text);
  return nodesOf(tree).flatMap((node) => {
    if (!ts.isTemplateSpan(node)) return [];
    const { expression, literal } = node;
    return [`\${${expression.getText(tree)}}${withoutTags(literal.text)}`.replace(/\s+/g, ' ')];
  });
}

/** Whether a node is a function with a body. */
export function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

/** The functions with more lines than `most`, from the first line to the last, as sentences. */
export function listLongFunctions(text: string, most: number): string[] {
  const tree = parse(text);
  const lineOf = (position: number) => tree.getLineAndCharacterOfPosition(position).line;
  return nodesOf(tree)
    .filter(isFunction)
    .flatMap((node) => {
      const lines = lineOf(node.end) - lineOf(node.getStart(tree)) + 1;
      const name = node.name?.getText(tree) ?? 'a function';
      return lines > most ? [`${name} has ${lines} lines`] : [];
    });
}

/** The texts with `in` that ask a table of a file, by its name in capitals. */
export function listAskedTables(text: string): string[] {
  const tree = parse(text);
  return nodesOf(tree)
    .filter(ts.isBinaryExpression)
    .filter(({ operatorToken, right }) => {
      return (
        operatorToken.kind === ts.SyntaxKind.InKeyword && /^[A-Z_]+$/.test(right.getText(tree))
      );
    })
    .map((node) => node.getText(tree));
}
