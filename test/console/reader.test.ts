import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Reader } from '../../src/console/session/reader.ts';

const GBP = { code: 'GBP', places: 2 };
const JPY = { code: 'JPY', places: 0 };
const KWD = { code: 'KWD', places: 3 };

/** Amounts in minor units up to the largest, most with zeros behind. */
const MINORS = Array.from({ length: 12 }, (_, exponent) => 10 ** exponent).flatMap((unit) => {
  return [unit - 1, unit, unit + 1, 2 * unit, 5 * unit, Math.floor(1.2345678 * unit)];
});

describe('the reader of a page', () => {
  it('reads amounts as the reader types them', () => {
    const read = (locale: string, text: string, currency = GBP) =>
      Reader.of(locale, { currency: currency, timeZone: 'UTC' }).readMoney(text);
    for (const [locale, text, minor] of [
      ['en-GB', '1,234.5', 123450],
      ['en-GB', ' 1234.50 ', 123450],
      ['en-GB', '1,234,567', 123456700],
      ['en-GB', '−0.01', -1],
      ['en-GB', '.5', 50],
      ['en-GB', '5.', 500],
      ['en-GB', '12,50', 1250],
      ['en-GB', '1.234.567,89', 123456789],
      ['de', '1.234,50', 123450],
      ['de', '1.234', 123400],
      ['de', '12.50', 1250],
      ['de-CH', '1’234.50', 123450],
      ['de-CH', "1'234.50", 123450],
      ['fr', '1\u202f234,50', 123450],
      ['fr', '1 234,50', 123450],
      ['en-IN', '1234567.00', 123456700],
    ] as const) {
      assert.equal(read(locale, text), minor, `${locale} ${text}`);
    }
    assert.equal(read('en-GB', '1,000'), 100_000);
    assert.equal(read('de', '1.000'), 100_000);
    assert.equal(read('en-GB', '0.500'), 50);
    assert.equal(read('en-GB', '0,5'), 50);
    assert.equal(read('en-GB', '1 000'), 100_000);
    assert.equal(read('en-GB', '12.345', KWD), 12345);
    assert.equal(read('en-GB', '500.000', KWD), 500_000);
    assert.equal(read('fr', '12,345', KWD), 12345);
    assert.equal(read('en-GB', '1,000', JPY), 1000);
    assert.equal(read('en-GB', '1,234', JPY), 1234);
    assert.equal(read('de', '1.234', JPY), 1234);
    assert.equal(read('de', '1.234,5', KWD), 1234500);
  });

  it('writes sums of documents that are larger than any amount, and shares below 0', () => {
    const reader = Reader.of('en-GB', { currency: GBP, timeZone: 'UTC' });
    assert.deepEqual([reader.share(-35, 1000), reader.share(-1, 1000)], ['−3%', '0%']);
    assert.equal(reader.major(-19_999_999_999.98), '−19,999,999,999.98');
  });

  it('refuses what is not an amount, and what could be two', () => {
    const refused = (locale: string, text: string, currency: typeof GBP, message: RegExp) => {
      assert.throws(
        () => Reader.of(locale, { currency: currency, timeZone: 'UTC' }).readMoney(text),
        {
          code: 'invalid_input',
          message,
        },
      );
    };
    for (const text of ['', ' ', '-', 'x', '1e5', '0x10', '1,2,3', '1.2.3', '12 50', '£5', '١٢']) {
      refused('en-GB', text, GBP, /is not an amount\. Write it like 1234\.50\.$/);
    }
    refused('en-GB', '1.005', GBP, /has too many decimal places: GBP has 2\.$/);
    refused('en-GB', '1.5', JPY, /has too many decimal places: JPY has 0\.$/);
    refused('en-GB', '99999999999999999', GBP, /is too large\.$/);
    refused('de', '1.234', KWD, /can be two amounts\. Write 1234,000 or 1,234\.$/);
    refused('en', '1,234', KWD, /can be two amounts\. Write 1234\.000 or 1\.234\.$/);
    refused('en-GB', '1.000', JPY, /can be two amounts\. Write 1 or 1000\.$/);
    refused('en-GB', '1.000', GBP, /can be two amounts\. Write 1\.00 or 1000\.00\.$/);
    refused('de', '1,000', GBP, /can be two amounts\. Write 1,00 or 1000,00\.$/);
  });

  for (const locale of ['en-GB', 'de-DE', 'fr-FR', 'de-CH', 'en-IN']) {
    for (const currency of [GBP, JPY, KWD]) {
      it(`reads back every amount that it writes, ${locale}, ${currency.code}`, () => {
        const reader = Reader.of(locale, { currency: currency, timeZone: 'UTC' });
        for (const minor of MINORS.flatMap((each) => [each, -each])) {
          for (const text of [reader.money(minor), reader.field(minor)]) {
            const simple = text.replace(/[\u00a0\u202f]/g, ' ').replace('\u2212', '-');
            for (const typed of [text, simple]) {
              assert.equal(reader.readMoney(typed), 0 + minor, `"${typed}"`);
            }
          }
        }
      });
    }
  }

  it('writes into a form what it reads back, whatever the locale', () => {
    for (const locale of ['en', 'de', 'fr', 'pt-BR', 'ar-EG', 'hi', 'fa', 'sv', 'de-CH']) {
      const reader = Reader.of(locale, { currency: GBP, timeZone: 'UTC' });
      for (const minor of [0, 1, -1, 123456, -99999999, 100000]) {
        const shown = reader.money(minor);
        for (const text of [reader.field(minor), shown]) {
          assert.equal(reader.readMoney(text), minor, `${locale} ${text}`);
        }
      }
    }
  });
});
