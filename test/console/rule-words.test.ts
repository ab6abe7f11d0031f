import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importProjects } from '../../src/operations/projects.ts';
import { importRules } from '../../src/operations/rules.ts';
import { openDesk, textOf } from './desk.ts';

describe('the pages of the rules', () => {
  it('15 say that a project has ended, and which line would be furthest over', async (test) => {
    const { browser, access, service } = await openDesk(test, 'admin');
    const days = { startDate: '2020-01-01', endDate: '2020-12-31' };
    const club = { name: 'Club', ...days, budgetLines: [{ code: 'C', name: 'Hire' }] };
    importProjects(access, club, service.actor());
    const rule = (name: string, shares: object[]) => {
      return { name, conditions: { provider: 'api' }, shares };
    };
    const rules = [
      rule('Gone', [{ line: 'C', rest: true }]),
      rule('All', [
        { line: 'A', percent: 30 },
        { line: 'B', rest: true },
      ]),
    ];
    importRules(access, rules, service.actor());
    const said = textOf((await browser.get('/rules')).text);
    assert.match(said, /Gone Project ended source is pushed by a program/);
    const run = textOf((await browser.get('/rules/run')).text);
    assert.match(run, /2 lines over budget Furthest over: B Heat, by 284\.20\./);
    assert.match(run, /B Heat · Youth work 4 284\.20 .*A Rent · Youth work 4 121\.80/);
  });
});
