/** Counters, histograms and gauges in the text format of Prometheus, version 0.0.4. */

/** The labels of a series, such as `{ result: 'created' }`. Their values must be bounded. */
export type Labels = Readonly<Record<string, string>>;

/** A family of samples: a counter if its name says so. Without samples it is omitted. */
export function writeFamily(
  name: string,
  help: string,
  samples: readonly { readonly labels?: Labels; readonly value: number }[],
): string {
  if (samples.length === 0) return '';
  const type = name.endsWith('_total') ? 'counter' : 'gauge';
  const lines = samples.map(({ labels = {}, value }) => writeSample(name, labels, value));
  return writeHead(name, type, help) + lines.join('');
}

export class Counter {
  readonly #name: string;
  readonly #help: string;
  readonly #series = new Map<string, { readonly labels: Labels; value: number }>();

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  /** Adds to the series with these labels; `key` identifies them. */
  add(key: string, count: number, labels: () => Labels): void {
    const series = this.#series.get(key);
    if (series === undefined) this.#series.set(key, { labels: labels(), value: count });
    else series.value += count;
  }

  write(): string {
    return writeFamily(this.#name, this.#help, [...this.#series.values()]);
  }
}

/** Seconds, of a request as of a large batch. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** How long things took, by labels. */
export class Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #series = new Map<
    string,
    { readonly labels: Labels; readonly counts: number[]; sum: number }
  >();

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  /** Adds a time to the series with these labels; `key` identifies them. */
  observe(key: string, seconds: number, labels: () => Labels): void {
    let series = this.#series.get(key);
    if (series === undefined) {
      const counts = new Array<number>(BOUNDS.length + 1).fill(0);
      series = { labels: labels(), counts, sum: 0 };
      this.#series.set(key, series);
    }
    const found = BOUNDS.findIndex((bound) => seconds <= bound);
    const at = found < 0 ? BOUNDS.length : found;
    series.counts[at] = (series.counts[at] ?? 0) + 1;
    series.sum += seconds;
  }

  write(): string {
    if (this.#series.size === 0) return '';
    const name = this.#name;
    let text = writeHead(name, 'histogram', this.#help);
    for (const { labels, counts, sum } of this.#series.values()) {
      let total = 0;
      for (const [at, count] of counts.entries()) {
        total += count;
        const le = at < BOUNDS.length ? String(BOUNDS[at]) : '+Inf';
        text += writeSample(`${name}_bucket`, { ...labels, le }, total);
      }
      text += writeSample(`${name}_sum`, labels, sum) + writeSample(`${name}_count`, labels, total);
    }
    return text;
  }
}

function writeHead(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function writeSample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => {
    const escaped = text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
    return `${label}="${escaped}"`;
  });
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
}
