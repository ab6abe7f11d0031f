import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildText } from '../../src/package-folder.ts';
import { addUser, Browser, openOffice } from './office.ts';

describe('help', () => {
  it('says what the words mean, and what each role may do', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'owner');
    await addUser(office, 'member');
    const member = await Browser.of(office, 'member@example.org');
    const { text, status } = await member.get('/help');
    assert.equal(status, 200);
    assert.match(text, /Needs review/);
    assert.doesNotMatch(text, /href="\/activity"/);
    assert.match(
      text,
      /You are a member\. Owners can change your role: <bdi>owner@example\.org<\/bdi>\./,
    );
    const row =
      /Make and revoke API keys<\/th>(.*)<\/tr>/s.exec(text)?.[1]?.split('</tr>')[0] ?? '';
    assert.deepEqual(row.match(/yes|no/g), ['yes', 'yes', 'no']);
    const owner = await Browser.of(office, 'owner@example.org');
    assert.match((await owner.get('/help')).text, /You are an owner\.<\/p>/);
  });

  it('is at the foot of every page, with the version', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'member');
    const { text } = await (await Browser.of(office, 'member@example.org')).get('/projects');
    const [, foot = ''] = text.split('<footer');
    assert.ok(foot.includes(`budgetd ${buildText()}<`));
    for (const path of ['/docs', '/help']) assert.ok(foot.includes(`href="${path}"`), path);
    assert.doesNotMatch(foot, /Keys of this page/);
  });

  it('has the keys of a page at its foot, for the script to show', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'member');
    const browser = await Browser.of(office, 'member@example.org');
    const footOf = async () => (await browser.get('/transactions')).text.split('<footer')[1] ?? '';
    assert.match(await footOf(), /<details class="keys" data-script hidden>.*<kbd>j<\/kbd>/s);
    await browser.send('/account/format', { locale: 'browser', keys: 'off' });
    const foot = await footOf();
    assert.match(foot, /Keys in lists are off\. <a href="\/account#keys">/);
    assert.doesNotMatch(foot, /<kbd>/);
  });
});
