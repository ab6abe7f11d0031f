/** The summary of what is wrong with a form, which says it far from the fields. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { fieldsOf, openDesk, push, textOf } from './desk.ts';
import { openOffice } from './office.ts';
import { useForms } from './walk-forms.ts';

const LONG = 'x'.repeat(2100);
const CONTROL = 'a\u0001b';
const WRONG = ['', LONG, CONTROL, '2026-02-31', '-5'];

/** What is not typed, and what decides what a form does. */
const GIVEN =
  /^(?:form|seen|do|next|shown|figures|plan|rule|act|id|tr.*|scope|on|mode|parent|until|below)$/;

/** Forms that would end the walk, and those with one field or question. */
const OTHERS = /sign-out|second-factor|organisations|rules\/run|import|paste|review/;

/** Each fault of the summary, with the words of the field to which it leads. */
function summaryOf(text: string): readonly (readonly [words: string, message: string])[] {
  const [summary = ''] = /class="problem"[\s\S]*?<\/div>/.exec(text) ?? [];
  return [...summary.matchAll(/<a href="#([^"]*)">([\s\S]*?)<\/a>/g)].map(([, id, message]) => {
    const [, label = ''] =
      new RegExp(`<label for="${id}"[^>]*>([\\s\\S]*?)</label>`).exec(text) ?? [];
    const [, unseen = ''] = new RegExp(`id="${id}"[^>]*aria-label="([^"]*)"`).exec(text) ?? [];
    const [, legend = ''] =
      new RegExp(`<legend>([^<]*)</legend>(?:(?!</fieldset>)[\\s\\S])*id="${id}"`).exec(text) ?? [];
    return [textOf(`${label} ${unseen} ${legend}`), textOf(message ?? '')];
  });
}

describe('the summary of faults', () => {
  it('names the field of each, or repeats what was typed', async (test) => {
    const office = await openOffice(test);
    const seen = new Set<string>();
    const unnamed = new Set<string>();
    await useForms(office, async ({ route, action, fields }, browser) => {
      if (OTHERS.test(route)) return;
      for (const wrong of WRONG) {
        const sent = fields.map(
          ([name, value]) => [name, GIVEN.test(name) ? value : wrong] as const,
        );
        const { status, text } = await browser.send(action, sent);
        if (status !== 422) continue;
        for (const [words, message] of summaryOf(text)) {
          seen.add(route);
          const named = words.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
          const said = message
            .toLowerCase()
            .replace('reason', 'reason, why')
            .replace('email', 'email');
          const isNamed = named.some((word) => said.includes(word)) || /&quot;.*&quot;/.test(said);
          if (!isNamed) unnamed.add(`${route}, ${words}: ${message}`);
        }
      }
    });
    assert.deepEqual([...unnamed].sort(), []);
    assert.ok(seen.size > 10, [...seen].join());
  });

  it('leads to controls that are tied to it', async (test) => {
    const desk = await openDesk(test, 'admin');
    const { browser, access, service, rows } = desk;
    const [transactionId, budgetLineId] = [formatId('txn', 1), formatId('bln', 1)];
    allocate(access, { transactionId, allocations: [{ budgetLineId }] }, service.actor());
    push(desk, [{ ...rows[0], amount: 5 }]);
    const send = async (path: string, action: string, typed: Readonly<Record<string, string>>) => {
      const fields = fieldsOf((await browser.get(path)).text, action);
      const { status, text } = await browser.send(action, { ...fields, ...typed });
      assert.equal(status, 422);
      const links = [...text.matchAll(/<li id="[^"]*-said"><a href="#([^"]*)">([^<]*)/g)];
      assert.notEqual(links.length, 0, path);
      for (const [, id, said = ''] of links) {
        const [tag = ''] = new RegExp(`<(?:input|select)[^>]* id="${id}"[^>]*>`).exec(text) ?? [];
        assert.notEqual(tag, '', id);
        const [, by] = /aria-invalid="true" aria-describedby="([^"]*)"/.exec(tag) ?? [];
        assert.ok(textOf(text.split(` id="${by}">`)[1] ?? '').startsWith(textOf(said)), tag);
      }
      return textOf(text);
    };
    const panel = `/transactions?open=${formatId('txn', 2)}`;
    await send(panel, '/transactions/allocate', { line: '', amount: 'x', do: 'save' });
    await send('/transactions', '/transactions/bulk', { do: 'allocate', scope: 'selected' });
    await send('/review', '/review', {});
    const edit = `/projects/${formatId('prj', 1)}/edit`;
    const cells = { [`${budgetLineId}.2026-02`]: 'x', name: 'Youth work' };
    const days = { startDate: '2026-01-01', endDate: '2026-12-31', mode: 'monthly' };
    const said = await send(edit, edit, { ...cells, ...days });
    assert.match(said, /Rent, Feb 2026: &quot;x&quot; is not an amount/);
  });
});
