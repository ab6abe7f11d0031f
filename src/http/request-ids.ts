/**
 * Request ids: a random prefix of the process and a counter. Unique and cheap, which is all that a
 * name to find a request by has to be; nothing is protected by one.
 */

import { randomBytes } from 'node:crypto';

/** A source of request ids. A client's own X-Request-Id is never one. */
export function createRequestIds(): () => string {
  const prefix = `req_${randomBytes(8).toString('hex')}_`;
  let count = 0;
  return () => {
    count += 1;
    return prefix + count;
  };
}
