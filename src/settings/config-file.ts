/**
 * Reads a file of settings: lines such as `BUDGETD_PORT=8080`, as systemd reads an EnvironmentFile.
 * Lines that begin with `#` or `;` are comments, and a value can be in quotation marks.
 */

/** One setting of the file. */
export interface ConfigLine {
  /** Its line, from 1. */
  readonly line: number;
  readonly variable: string;
  readonly value: string;
}

/** The settings in the order of the file, or the first line that is not one. */
export function readConfigFile(text: string): readonly ConfigLine[] | { readonly wrong: number } {
  const found: ConfigLine[] = [];
  for (const [at, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = raw.trim();
    if (line === '' || /^[#;]/.test(line)) continue;
    const [, variable, value] = LINE.exec(line) ?? [];
    if (variable === undefined || value === undefined) return { wrong: at + 1 };
    found.push({ line: at + 1, variable, value: unquote(value) });
  }
  return found;
}

/** A name, and a value without quotation marks, or wholly within them. */
const LINE = /^([A-Za-z_][A-Za-z0-9_]*)\s*=\s*("[^"]*"|'[^']*'|[^"'].*|)$/;

function unquote(value: string): string {
  return /^["']/.test(value) ? value.slice(1, -1) : value;
}
