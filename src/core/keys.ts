/**
 * The text of an API key (contract 7): a prefix, 40 random hexadecimal characters, then the CRC-32
 * of all that as 8 more. The checksum finds typing mistakes without a look-up.
 */

/** The start of every live key (Spec 5.2). */
export const KEY_PREFIX = 'bdg_live_';
/** Random bytes in a key. */
export const KEY_BYTES = 20;

const KEY = new RegExp(`^${KEY_PREFIX}[0-9a-f]{48}$`);

/** Builds a key from 20 random bytes. */
export function formatKey(random: Uint8Array): string {
  let text = KEY_PREFIX;
  for (const byte of random) text += hex(byte, 2);
  return text + hex(crc32(text), 8);
}

/** Whether the text looks like a key and its checksum is right. */
export function isKey(text: string): boolean {
  return KEY.test(text) && text.slice(-8) === hex(crc32(text.slice(0, -8)), 8);
}

/** The part of a key that can be shown: the first 6 of its 48 characters. */
export function displayPartOf(key: string): string {
  return key.slice(KEY_PREFIX.length, KEY_PREFIX.length + 6);
}

/** What a key is at a time. A revoked key stays revoked after the time when it would expire. */
export function keyState(
  { revokedAtMs, expiresAtMs }: { revokedAtMs: number | null; expiresAtMs: number | null },
  nowMs: number,
): 'live' | 'expired' | 'revoked' {
  if (revokedAtMs !== null) return 'revoked';
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'live';
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1 ? 0xedb88320 : 0) ^ (value >>> 1);
  return value;
});

function crc32(ascii: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < ascii.length; index += 1) {
    crc = (CRC_TABLE[(crc ^ ascii.charCodeAt(index)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}
