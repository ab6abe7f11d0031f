/**
 * Request ids: a random prefix per process and a counter. They only need to be unique and cheap;
 * they are not secrets.
 */

import { randomBytes } from 'node:crypto';

/** Returns a generator of request ids. A client's X-Request-Id is never used. */
export function createRequestIds(): () => string {
  const prefix = `req_${randomBytes(8).toString('hex')}_`;
  let count = 0;
  return () => {
    count += 1;
    return prefix + count;
  };
}
