import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { getProjectPlan } from '../../src/operations/project-plans.ts';
import { fieldsOf, openDesk } from './desk.ts';

const ID = formatId('prj', 1);
const EDIT = `/projects/${ID}/edit`;
const DETAILS = { name: 'Youth', startDate: '2026-01-01', endDate: '2026-12-31', mode: 'monthly' };

describe('codes of projects in the console', () => {
  it('17 keeps codes of the project one on each line, and whatever else is saved', async (test) => {
    const { browser, access } = await openDesk(test, 'admin');
    const codesOf = () => getProjectPlan(access, ID).project.codes;
    const save = async (codes: string) => {
      const hidden = fieldsOf((await browser.get(EDIT)).text, EDIT);
      return browser.send(EDIT, { ...hidden, ...DETAILS, codes });
    };
    assert.equal((await save(' YOU \r\n\r\nA, B\tELD')).status, 303);
    assert.deepEqual(codesOf(), ['YOU', 'A, B', 'ELD']);
    assert.match((await browser.get(EDIT)).text, /<textarea[^>]*>YOU\nA, B\nELD<\/textarea>/);
    const path = `/projects/${ID}/lines/new`;
    const line = { name: 'X', code: 'X', category: '', kind: 'expense', accountCodes: '' };
    const hidden = fieldsOf((await browser.get(path)).text, path);
    assert.equal((await browser.send(path, { ...hidden, ...line })).status, 303);
    const paste = `/projects/${ID}/paste`;
    const table = 'Line\tJan 2026\nRent\t1\nX\t2';
    const given = { ...fieldsOf((await browser.get(paste)).text, paste), table };
    const { text } = await browser.send(paste, given);
    assert.equal((await browser.send(paste, fieldsOf(text, paste))).status, 303);
    assert.equal(getProjectPlan(access, ID).lines.length, 2);
    assert.deepEqual(codesOf(), ['YOU', 'A, B', 'ELD']);
    const many = Array.from({ length: 51 }, (_, at) => at).join('\n');
    for (const [codes, fault] of [
      ['YOU\nYOU', /href="#codes">Project codes: The code &quot;YOU&quot; is listed twice\./],
      ['x'.repeat(65), /href="#codes">Project codes: The text is longer than 64 characters/],
      [many, /href="#codes">Project codes: There are more than 50\. Remove some\./],
    ] as const) {
      const wrong = await save(codes);
      assert.equal(wrong.status, 422);
      assert.match(wrong.text, fault);
      assert.ok(wrong.text.includes(`>${codes}</textarea>`));
    }
    const activity = await browser.get('/activity');
    assert.match(activity.text, /Project codes<\/span> nothing → <bdi>YOU, A, B, ELD<\/bdi>/);
    assert.equal((await save('')).status, 303);
    assert.deepEqual(codesOf(), []);
  });
});
