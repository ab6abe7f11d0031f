import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  base32Of,
  codeAt,
  createRecoveryCodes,
  createSecret,
  findStep,
  pairingAddress,
  readRecoveryCode,
} from '../../src/operations/one-time-codes.ts';

/** The secret of the test vectors of RFC 4226 and RFC 6238. */
const SECRET = Buffer.from('12345678901234567890');
const STEP_MS = 30_000;

it('16 codes are those of RFC 4226, appendix D, and RFC 6238, appendix B', () => {
  const counted = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(
    ' ',
  );
  assert.deepEqual(
    counted.map((_, step) => codeAt(SECRET, step)),
    counted,
  );
  // The last six of eight digits.
  const timed = [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ] as const;
  for (const [seconds, code] of timed) assert.equal(codeAt(SECRET, Math.floor(seconds / 30)), code);
});

it('16 a code counts one step either way, once, and with spaces', () => {
  const nowMs = 1_000_000 * STEP_MS + 12_345;
  const find = (code: string, lastStep = 0) => findStep(SECRET, code, { nowMs, lastStep });
  for (const step of [999_999, 1_000_000, 1_000_001]) {
    assert.equal(find(codeAt(SECRET, step)), step);
    assert.equal(find(codeAt(SECRET, step), step), undefined);
    assert.equal(find(codeAt(SECRET, step), step - 1), step);
  }
  // Clocks that are two minutes off.
  for (const step of [999_996, 999_998, 1_000_002, 1_000_004]) {
    assert.equal(find(codeAt(SECRET, step)), undefined);
  }
  const code = codeAt(SECRET, 1_000_000);
  assert.equal(find(` ${code.slice(0, 3)} ${code.slice(3)}`), 1_000_000);
  for (const wrong of [
    '',
    '0',
    `${code}0`,
    code.slice(1),
    'abcdef',
    '１２３４５６',
    '0'.repeat(9_999),
  ]) {
    assert.equal(find(wrong), undefined, wrong.slice(0, 9));
  }
  assert.equal(findStep(SECRET, codeAt(SECRET, 0), { nowMs: 0, lastStep: -1 }), 0);
});

it('16 a secret has 20 bytes, in base32 without padding, in an address for budgetd', () => {
  assert.equal(createSecret().length, 20);
  assert.equal(base32Of(SECRET), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  assert.deepEqual(
    ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => base32Of(Buffer.from(text))),
    ['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'],
  );
  const url = new URL(pairingAddress(SECRET, 'Tea & Töne', 'ada+x@example.org'));
  assert.equal(
    url.protocol + url.host + url.pathname.split(':', 1)[0],
    'otpauth:totp/budgetd%2C%20Tea%20%26%20T%C3%B6ne',
  );
  assert.equal(url.searchParams.get('secret'), base32Of(SECRET));
  assert.equal(url.searchParams.get('issuer'), 'budgetd, Tea & Töne');
  assert.deepEqual([...url.searchParams.keys()], ['secret', 'issuer']);
});

it('16 ten recovery codes, read in any case and without the hyphen', () => {
  const codes = createRecoveryCodes();
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) {
    assert.match(code, /^[2-9a-hjkmnp-tv-z]{4}-[2-9a-hjkmnp-tv-z]{4}$/);
    for (const typed of [
      code.toUpperCase(),
      code.replace('-', ''),
      ` ${code} `,
      code.replace('-', ' '),
    ]) {
      assert.equal(readRecoveryCode(typed), code);
    }
  }
  assert.notEqual(readRecoveryCode('x'.repeat(1_000_000)), codes[0]);
});
