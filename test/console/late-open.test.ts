/** Forms that anyone may send, whose user is removed between their head and their end. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, it } from 'node:test';
import { OPEN_PAGES } from '../../src/console/routes.ts';
import { createResetLink, removeUser } from '../../src/operations/users.ts';
import { addUser } from '../../src/store/users.ts';
import { CHEAP, PASSWORD } from '../operations/users.ts';
import { openOffice } from './office.ts';

const LATE = { email: 'late@example.org', name: null, role: 'owner', password: CHEAP } as const;

/** The form of a code is tried with the second factor. */
const FORMS: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = {
  '/sign-in': { email: LATE.email, password: PASSWORD },
  '/set-up': { password: 'four other words here' },
  '/sign-in/code': undefined,
};

describe('an open form that arrives in pieces', () => {
  for (const [path, fields] of Object.entries(FORMS)) {
    if (fields === undefined) continue;
    it(`does nothing for someone who is removed before its end: ${path}`, async (test) => {
      const office = await openOffice(test);
      const { service } = office;
      const access = service.access(office.org);
      addUser(access, { ...LATE, email: 'other@example.org' }, service.actor());
      const body = new URLSearchParams(fields).toString();
      const sendWhile = async (happen: () => void): Promise<string> => {
        const cookie = `budgetd-link=${createResetLink(access, LATE.email, service.actor())}`;
        const headers = {
          ...{ cookie, 'content-length': body.length, expect: '100-continue' },
          ...{ 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
          'sec-fetch-site': 'same-origin',
        };
        const sent = request(office.url + path, { method: 'POST', headers });
        sent.flushHeaders();
        await once(sent, 'continue');
        sent.write(body.slice(0, 5));
        happen();
        sent.end(body.slice(5));
        const [answer]: IncomingMessage[] = await once(sent, 'response');
        answer?.resume();
        return `${answer?.statusCode} ${answer?.headers.location ?? ''}`;
      };
      addUser(access, LATE, service.actor());
      assert.match(await sendWhile(() => {}), /^303 \/(?:$|\?done=)/);
      const late = await sendWhile(() => removeUser(access, LATE.email, service.actor()));
      assert.match(late, /^4\d\d $/);
    });
  }

  it('has a case for every one', () => {
    const open = OPEN_PAGES.filter(({ method }) => method === 'POST').map(({ path }) => path);
    assert.deepEqual(open.sort(), Object.keys(FORMS).sort());
  });
});
