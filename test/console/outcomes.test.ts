import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Outcomes } from '../../src/console/session/outcomes.ts';
import { OUTCOMES } from '../../src/core/limits.ts';
import { redirectReply } from '../../src/http/pages.ts';
import { fieldsOf, openDesk } from './desk.ts';
import { Browser, openOffice } from './office.ts';

const FORMAT = '/account/format';

it('a user who sends many forms pushes out no outcome of another user', async (test) => {
  const desk = await openDesk(test);
  const lead = test.mock.method(Outcomes.prototype, 'lead');
  const send = async (browser: Browser, locale: string) => {
    const form = fieldsOf((await browser.get('/account')).text, FORMAT);
    return (await browser.send(FORMAT, { ...form, locale, keys: 'on' })).location ?? '';
  };
  const mine = await send(desk.browser, 'en-GB');
  assert.match(mine, /done=/);
  const call = lead.mock.calls[0];
  const outcomes = call?.this;
  assert.ok(outcomes instanceof Outcomes);
  const [sender] = call?.arguments ?? [];
  assert.ok(sender !== undefined);
  const session = { ...sender.session, id: -1, userId: -1 };
  const form = { ...sender.form, value: () => undefined };
  for (let at = 0; at < 2 * OUTCOMES.kept; at += 1) {
    outcomes.lead({ request: sender.request, session, form }, { to: '/', message: '' });
  }
  assert.match((await desk.browser.get(mine)).text, /role="status"/);
});

it('keeps no answer to a code without a password, which anyone can send', async (test) => {
  const office = await openOffice(test);
  const once = test.mock.method(Outcomes.prototype, 'onceByLink');
  const { status } = await new Browser(office).send('/sign-in/code', { code: '123456' });
  assert.equal(status, 303);
  const call = once.mock.calls[0];
  assert.ok(call !== undefined && call.this instanceof Outcomes);
  const [request, form, token] = call.arguments;
  const answer = test.mock.fn(async () => redirectReply('/', { 'Set-Cookie': 'a=b' }));
  for (const _click of [1, 2]) await call.this.onceByLink(request, form, token, answer);
  assert.equal(answer.mock.callCount(), 1);
});
