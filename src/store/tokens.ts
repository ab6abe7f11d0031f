/** Random texts that open something: a link, a session. Only their hash is stored. */

import { hash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A new token, of which nobody can guess any part. */
export function createToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** The SHA-256 of a token, as it is stored. */
export function hashToken(token: string): Buffer {
  return Buffer.from(hash('sha256', token), 'hex');
}
