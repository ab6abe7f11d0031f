import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainPassword } from '../../src/operations/passwords.ts';

const OWN = ['ada.king@example.org', 'Harbour Trust', '2026'];
// From published lists of the most used passwords, each with eight characters or more.
const WIDESPREAD = [
  'babygirl',
  'chocolate',
  'samantha',
  'elizabeth',
  '11223344',
  'barcelona',
  'metallica',
  'zaq12wsx',
  'london123',
  'mypassword',
  'tinkerbell',
  'Chocolate2026!',
  'b4rcelona1',
];
const whyNot = (password: string) => explainPassword(password, OWN);

describe('which passwords are refused', () => {
  const fine = [
    'tall green ladder',
    'k7$Qx!m2',
    'zzyzx-road',
    'ödön šüß ',
    '🐙🐡🦑🐠🐟🐬🐳🐋',
    '長いパスワードです',
    'password is a word like others',
    'adaking and the harbour',
    'x'.repeat(10) + 'y'.repeat(10) + 'z'.repeat(108),
    '  k7 Qx m2 v',
    'river 84 kettle 62',
    'monkey 7391846',
  ];
  for (const password of fine) {
    it(`accepts ${password.slice(0, 40)}`, () => assert.equal(whyNot(password), undefined));
  }

  const cases: [why: RegExp, passwords: string[]][] = [
    [/shorter than 8/, ['', 'short', 'seven77', '🐙🐡🦑🐠', '       ']],
    [/longer than 128/, ['long'.repeat(32).concat('x'), 'x'.repeat(5_000_000)]],
    [/control character/, ['tall\ngreen ladder', 'tall\u0000green', 'tall \ud800 green']],
    [
      /too easy to guess/,
      [
        '        ',
        'password',
        'PassWord123!',
        'P@ssw0rd2026',
        'Pa$$w0rd',
        'passwordpassword',
        '12345678',
        '987654321',
        '1234512345',
        'abcabcabc',
        'hgfedcba',
        'aaaaaaaa',
        'abababababab',
        'qwertyuiop',
        'qwerty123',
        '1q2w3e4r',
        '1qaz2wsx',
        'letmein!!',
        'iloveyou',
        'I love you',
        'Summer2026',
        'admin1234',
        'Welcome01',
        'budgetd1',
        'trustno1',
        'passphrase1',
        'budgetd2026!',
        ...WIDESPREAD,
      ],
    ],
    [
      /too much like/,
      [
        'ada.king@example.org',
        'ADA.KING@EXAMPLE.ORG1',
        'Harbour Trust',
        'harbourtrust1',
        'Harbour2026!',
        'example1',
      ],
    ],
  ];
  for (const [why, passwords] of cases) {
    for (const password of passwords) {
      it(`refuses ${JSON.stringify(password.slice(0, 40))}`, () => {
        assert.match(whyNot(password) ?? 'accepted', why);
      });
    }
  }

  it('never repeats the password', () => {
    for (const password of ['seven77', 'Summer2026', 'Harbour Trust', 'tall\ngreen']) {
      assert.equal(whyNot(password)?.includes(password), false);
    }
  });
});
