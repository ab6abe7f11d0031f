/**
 * Codes of a second factor: those that an authenticator shows (RFC 6238: SHA-1, 6 digits, a new one
 * every 30 seconds), and recovery codes.
 */

import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { SECOND_FACTOR } from '../core/limits.ts';
import { cutText } from '../core/text-width.ts';

const STEP_MS = SECOND_FACTOR.stepSeconds * 1000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BASE32_BITS = 5;
const HALF = SECOND_FACTOR.recoveryCharacters / 2;

/** A secret that nobody can guess, to share with an authenticator. */
export function createSecret(): Buffer {
  return randomBytes(SECOND_FACTOR.secretBytes);
}

/** The code of a step, which counts 30 seconds since 1970 (RFC 4226, section 5.3). */
export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** SECOND_FACTOR.digits;
  return String(number).padStart(SECOND_FACTOR.digits, '0');
}

/**
 * The step of a code that was typed; undefined if it is wrong. It may be of the step before or
 * after the present one, and has to be later than `lastStep`, the one that was used last.
 */
export function findStep(
  secret: Uint8Array,
  typed: string,
  { nowMs, lastStep }: { readonly nowMs: number; readonly lastStep: number },
): number | undefined {
  const code = Buffer.from(typed.slice(0, 2 * CODE_UNITS).replaceAll(/\s/g, ''));
  const now = Math.floor(nowMs / STEP_MS);
  const steps = [now - 1, now, now + 1].filter((step) => step >= 0 && step > lastStep);
  return steps.find((step) => {
    const right = Buffer.from(codeAt(secret, step));
    return code.length === right.length && timingSafeEqual(code, right);
  });
}

/** With a space in the middle. */
const CODE_UNITS = SECOND_FACTOR.digits + 1;

/** A secret as people type it, in base32 (RFC 4648) without padding. */
export function base32Of(secret: Uint8Array): string {
  const bits = [...secret].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const parts = bits.match(new RegExp(`.{1,${BASE32_BITS}}`, 'g')) ?? [];
  return parts.map((part) => BASE32[Number.parseInt(part.padEnd(BASE32_BITS, '0'), 2)]).join('');
}

/** The address that a QR code has for an authenticator. A long name would not fit into one. */
export function pairingAddress(secret: Uint8Array, organisation: string, email: string): string {
  const issuer = `budgetd, ${cutText(organisation, ISSUER_WIDTH)}`;
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${base32Of(secret)}&issuer=${encodeURIComponent(issuer)}`;
}

const ISSUER_WIDTH = 40;

/** A new set of recovery codes, such as `abcd-2345`. */
export function createRecoveryCodes(): string[] {
  const codes = new Set<string>();
  const { recoveryAlphabet: letters, recoveryCharacters: length, recoveryCodes } = SECOND_FACTOR;
  while (codes.size < recoveryCodes) {
    const text = Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
    codes.add(`${text.slice(0, HALF)}-${text.slice(HALF)}`);
  }
  return [...codes];
}

/** A recovery code as it was made, from what was typed, in any case and with or without hyphen. */
export function readRecoveryCode(typed: string): string {
  const text = typed
    .slice(0, 2 * CODE_UNITS)
    .replaceAll(/[\s-]/g, '')
    .toLowerCase();
  return `${text.slice(0, HALF)}-${text.slice(HALF)}`;
}
