/**
 * The header fields that this room looks at, as bits. Node gives every name as a new string, and a
 * map would have to hash each: comparing lengths first halves the time, as measured.
 */

const NAMES = [
  'Host',
  'Content-Type',
  'Authorization',
  'Content-Length',
  'Transfer-Encoding',
  'Connection',
  'X-Request-Id',
  'Set-Cookie',
  'Cache-Control',
  'X-Content-Type-Options',
  'Content-Security-Policy',
  'Referrer-Policy',
] as const;

/** The bit of each field, by its name. */
export const FIELD = Object.fromEntries(NAMES.map((name, at) => [name, 1 << at])) as Readonly<
  Record<(typeof NAMES)[number], number>
>;

/** Names in lower case and their bits, by the length of the name. */
const BY_LENGTH: [name: string, bit: number][][] = [];
for (const name of NAMES) {
  BY_LENGTH[name.length] ??= [];
  BY_LENGTH[name.length]?.push([name.toLowerCase(), FIELD[name]]);
}

/** The bit of a name in any case; 0 for all other fields. */
export function bitOf(name: string): number {
  const sameLength = BY_LENGTH[name.length];
  if (sameLength === undefined) return 0;
  const lowered = name.toLowerCase();
  for (const [known, bit] of sameLength) {
    if (known === lowered) return bit;
  }
  return 0;
}

/** The name of a field as it is usually written. */
export function nameOf(bit: number): string {
  return NAMES[31 - Math.clz32(bit)] ?? '';
}
