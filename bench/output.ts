/** The human-readable report of a run. */

import { type Detail, type Finding, formatFigure, isMet } from './findings.ts';

/** The findings as a table. */
export function formatFindings(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => [
    finding.line,
    withUnit(finding.value, finding.unit),
    finding.target === undefined ? '' : `at most ${formatTarget(finding.target, finding.unit)}`,
    { true: 'yes', false: 'NO', undefined: '' }[String(isMet(finding))] ?? '',
    formatSpread(finding),
    finding.note ?? '',
  ]);
  return formatTable(['', 'figure', 'target', 'met', 'spread', ''], rows);
}

/** A title and the table below it. */
export function formatDetail({ title, columns, rows }: Detail): string {
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? formatFigure(cell) : cell)),
  );
  return `${title}\n\n${formatTable(columns, cells)}`;
}

/** A text table. All columns but the first and the last are aligned to the right. */
export function formatTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = columns.map((column, at) =>
    Math.max(column.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => {
        const width = widths[at] ?? 0;
        const isText = at === 0 || (at === cells.length - 1 && columns[at] === '');
        return isText ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('──');
  return [line(columns), rule, ...rows.map(line)].join('\n');
}

function withUnit(value: number, unit: Finding['unit']): string {
  return unit === '' ? formatFigure(value) : `${formatFigure(value)} ${unit}`;
}

function formatTarget(value: number, unit: Finding['unit']): string {
  return unit === '' ? String(value) : `${value} ${unit}`;
}

function formatSpread({ spread }: Finding): string {
  if (spread === undefined) return '';
  return `${formatFigure(spread.low)}–${formatFigure(spread.high)}`;
}
