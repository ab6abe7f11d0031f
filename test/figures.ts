/**
 * `npm run figures`: the lines, functions and exported names of each room, without generated files.
 * A function is a named one of a module or a class; the lines of templates count.
 */

import ts from 'typescript-5.0';
import { roomOf } from './arrows.ts';
import { isFunction, parse } from './code.ts';
import { listFiles, readText } from './repository.ts';

const COLUMNS = ['files', 'lines', 'functions', 'exported names'] as const;

type Figures = Record<(typeof COLUMNS)[number], number>;

const rooms = new Map<string, Figures>();
for (const file of listFiles('src').filter((each) => /(?<!\.d)\.ts$/.test(each))) {
  const text = readText(file);
  const { statements } = parse(text);
  const figures = {
    files: 1,
    lines: text.split('\n').length - 1,
    functions: statements.reduce((sum, each) => sum + countFunctions(each), 0),
    'exported names': statements.reduce((sum, each) => sum + countNames(each), 0),
  };
  for (const room of [roomOf(file.slice('src/'.length)), 'all']) {
    const sums = rooms.get(room);
    const added = COLUMNS.map((column) => [column, (sums?.[column] ?? 0) + figures[column]]);
    rooms.set(room, Object.fromEntries(added));
  }
}

const byLines = [...rooms].sort(([, one], [, two]) => two.lines - one.lines);
const entries = byLines.map(([room, figures]) => [room, ...COLUMNS.map((each) => figures[each])]);
for (const cells of [['room', ...COLUMNS], ['---', ...COLUMNS.map(() => '--:')], ...entries]) {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

/** The functions that a statement of a module names, in a constant, class or object too. */
function countFunctions(statement: ts.Statement): number {
  if (ts.isVariableStatement(statement)) {
    const values = statement.declarationList.declarations.map(({ initializer }) => initializer);
    return values.reduce((sum, value) => sum + countValue(value), 0);
  }
  if (!ts.isClassDeclaration(statement)) return isFunction(statement) ? 1 : 0;
  const parts = statement.members.map((each) => {
    return ts.isPropertyDeclaration(each) ? countValue(each.initializer) : Number(isFunction(each));
  });
  return parts.reduce((sum, each) => sum + each, 0);
}

function countValue(value: ts.Expression | undefined): number {
  if (value === undefined) return 0;
  if (!ts.isObjectLiteralExpression(value)) return isFunction(value) ? 1 : 0;
  return value.properties.filter(ts.isMethodDeclaration).length;
}

/** The names that a statement of a module exports. */
function countNames(statement: ts.Statement): number {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause } = statement;
    return exportClause !== undefined && ts.isNamedExports(exportClause)
      ? exportClause.elements.length
      : 1;
  }
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return 0;
  return ts.isVariableStatement(statement) ? statement.declarationList.declarations.length : 1;
}
