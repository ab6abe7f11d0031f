import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linkTo, serviceAddress } from '../../src/core/links.ts';
import {
  endsOwnership,
  foldEmail,
  isEmail,
  listPermissions,
  PERMISSIONS,
  ROLE_DUTIES,
  ROLES,
} from '../../src/core/users.ts';
import { readText } from '../repository.ts';

describe('contract 12: roles', () => {
  const member = ['read', 'allocate', 'review', 'exclude'];
  const admin = [...member, 'import', 'projects', 'rules', 'keys', 'backups', 'activity'];
  const wanted = { owner: [...admin, 'users', 'organisation', 'plan'], admin, member };
  for (const role of ROLES) {
    it(`12 what ${role === 'member' ? 'a' : 'an'} ${role} may do`, () => {
      assert.deepEqual(listPermissions(role), wanted[role]);
    });
  }

  it('12 the words of a role, also in operating.md, name each permission that it adds', () => {
    const text = readText('docs/operating.md');
    for (const role of ROLES) {
      const [, row = ''] = new RegExp(`^\\| \`${role}\` \\|(.*)`, 'm').exec(text) ?? [];
      for (const [permission, least] of Object.entries(PERMISSIONS)) {
        assert.equal(ROLE_DUTIES[role].includes(permission), least === role, permission);
        assert.equal(row.includes(permission), least === role, `operating.md: ${permission}`);
      }
    }
  });

  it('12 an owner can go, or become less, while there is another', () => {
    assert.equal(endsOwnership('owner', undefined, 1), true);
    assert.equal(endsOwnership('owner', 'admin', 1), true);
    assert.equal(endsOwnership('owner', 'member', 2), false);
    assert.equal(endsOwnership('owner', 'owner', 1), false);
    assert.equal(endsOwnership('admin', undefined, 1), false);
  });
});

describe('8: email addresses', () => {
  const right = [
    'ada@example.org',
    'root@localhost',
    "o'neil+budget@mail.example.co.uk",
    'jürgen@müller.example',
    '用户@例子.广告',
    `${'a'.repeat(242)}@example.org`,
  ];
  for (const email of right) {
    it(`8 accepts ${email.slice(0, 40)}`, () => assert.equal(isEmail(email), true));
  }

  const wrong = [
    '',
    'ada',
    '@example.org',
    'ada@',
    'ada@@example.org',
    'ada@example.org, bob@example.org',
    'Ada <ada@example.org>',
    'ada @example.org',
    'ada@example..org',
    'ada@.example.org',
    'ada@example.org.',
    'ada@example.org\n',
    'ada\u0000@example.org',
    'ada\u200b@example.org',
    'ada\u202e@example.org',
    'ada\u00a0@example.org',
    'ada\ud800@example.org',
    `${'a'.repeat(243)}@example.org`,
    `${'.a'.repeat(500_000)}@`,
    `a@${'a.'.repeat(500_000)}`,
  ];
  for (const email of wrong) {
    it(`8 refuses ${JSON.stringify(email.slice(0, 40))}`, () => {
      assert.equal(isEmail(email), false);
    });
  }

  it('8 are the same whatever their case, and however an accent was typed', () => {
    assert.equal(foldEmail('Ada@Example.ORG'), foldEmail('ada@example.org'));
    assert.equal(foldEmail('JOS\u00c9@x.org'), foldEmail('jose\u0301@x.org'));
    assert.notEqual(foldEmail('ada@example.org'), foldEmail('ad@example.org'));
  });
});

describe('11: links', () => {
  it('11 begin with the address of the service, or the one that people use', () => {
    assert.equal(serviceAddress('127.0.0.1', 80), 'http://127.0.0.1:80');
    assert.equal(serviceAddress('::1', 8080), 'http://[::1]:8080');
    for (const base of ['https://b.example.org', 'https://b.example.org/']) {
      assert.equal(linkTo(base, 'T'), 'https://b.example.org/set-up?token=T');
    }
  });
});
