import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  readSettings,
  readSettingsFile,
  SETTING_NAMES,
  type SettingSources,
  SettingsError,
  variableOf,
  warnUnknown,
} from '../../src/settings/settings.ts';

/** A file of settings. */
const fileOf = (text: string) => readSettingsFile('b.conf', text);

async function find(name: string, sources: Partial<SettingSources>) {
  const settings = await readSettings({ flags: {}, env: {}, ...sources });
  const { value, from } = settings.find((each) => each.name === name) ?? {};
  return [value, from];
}

describe('11 settings', () => {
  it('a flag counts most, then a variable, the file and the default', async () => {
    const sources = {
      flags: { port: '1' },
      env: { BUDGETD_PORT: '2' },
      file: fileOf('\nBUDGETD_PORT=9\nBUDGETD_PORT=3\n'),
    };
    assert.deepEqual(await find('port', sources), [1, '--port']);
    assert.deepEqual(await find('port', { ...sources, flags: {} }), [2, 'BUDGETD_PORT']);
    const { file } = sources;
    assert.deepEqual(await find('port', { file }), [3, 'b.conf, line 3']);
    assert.deepEqual(await find('port', { file, env: { BUDGETD_PORT: '' } }), [
      3,
      'b.conf, line 3',
    ]);
    assert.deepEqual(await find('port', {}), [8080, 'default']);
  });

  it('reads a list', async () => {
    const env = { BUDGETD_TRUSTED_PROXIES: '10.0.0.5, fd00::/8' };
    assert.deepEqual(await find('trusted-proxies', { env }), [
      ['10.0.0.5', 'fd00::/8'],
      'BUDGETD_TRUSTED_PROXIES',
    ]);
  });

  for (const text of ['', 'x', '-1', '65536', '1e3', '80.5', '0x50', '９']) {
    it(`refuses the port "${text}" wherever it is`, async () => {
      const message = (where: string) => {
        return { message: `${where} must be a whole number, 0 to 65535, not "${text}".` };
      };
      await assert.rejects(find('port', { flags: { port: text } }), message('--port'));
      if (text === '') return;
      const env = { BUDGETD_PORT: text };
      await assert.rejects(find('port', { env }), message('BUDGETD_PORT'));
      const file = fileOf(`BUDGETD_PORT=${text}`);
      await assert.rejects(find('port', { file }), message('b.conf, line 1: BUDGETD_PORT'));
    });
  }

  it('names the setting that is wrong, not one whose name it begins with', async () => {
    const wrong = ['trusted-proxies', 'backup-at', 'backup-keep', 'min-free-disk', 'public-url'];
    for (const name of [...wrong, 'log', 'log-addresses', 'metrics']) {
      const message = new RegExp(`^--${name}\\b.*"x"`);
      await assert.rejects(find(name, { flags: { [name]: 'x' } }), { message });
    }
    const proxies = { 'trusted-proxies': '10.0.0.5,' };
    const message = /^--trusted-proxies/;
    await assert.rejects(find('trusted-proxies', { flags: proxies }), { message });
  });

  it('a command that lacks a setting does not refuse it', async () => {
    const env = { BUDGETD_PORT: 'x', BUDGETD_DB: 'a.db' };
    const settings = await readSettings({ flags: {}, env }, ['db']);
    assert.deepEqual(settings.map(({ name, value, from }) => [name, value, from]).slice(0, 3), [
      ['db', 'a.db', 'BUDGETD_DB'],
      ['host', '127.0.0.1', 'default'],
      ['port', 8080, 'default'],
    ]);
  });

  it('reads what systemd reads from an EnvironmentFile', () => {
    const text =
      '\ufeff# a comment\r\n; another\r\n  BUDGETD_HOST = "a b"  \r\n\r\n' +
      "BUDGETD_DB='/var/lib/a.db'\nBUDGETD_PORT=\n";
    assert.deepEqual(fileOf(text).lines, [
      { line: 3, variable: 'BUDGETD_HOST', value: 'a b' },
      { line: 5, variable: 'BUDGETD_DB', value: '/var/lib/a.db' },
      { line: 6, variable: 'BUDGETD_PORT', value: '' },
    ]);
    for (const line of ['port 80', '=80', 'BUDGETD_DB="a', 'export BUDGETD_DB=a', '9A=1']) {
      assert.throws(
        () => fileOf(`\n${line}\n`),
        /^SettingsError: b\.conf, line 2 is not a setting\./,
      );
    }
  });

  it('refuses an unknown name in the file, and warns of one in the environment', () => {
    assert.throws(
      () => fileOf('BUDGETD_DB=a\nBUDGETD_PROT=1'),
      (error) => {
        assert.ok(error instanceof SettingsError);
        const advice = 'Did you mean BUDGETD_PORT?';
        assert.equal(error.message, `b.conf, line 2: BUDGETD_PROT is not a setting. ${advice}`);
        return true;
      },
    );
    const env = { BUDGETD_KEY: 'x', BUDGETD_PORT: '1', BUDGETD_COLOUR: '1', HOME: '/' };
    const hint = '`budgetd config` lists them. It is ignored.';
    assert.deepEqual(warnUnknown(env), [`BUDGETD_COLOUR is not a setting. ${hint}`]);
    for (const name of SETTING_NAMES)
      assert.deepEqual(warnUnknown({ [variableOf(name)]: '1' }), []);
  });
});
