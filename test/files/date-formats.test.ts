import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDateFormat } from '../../src/files/values/date-formats.ts';

describe('1 a date in a file becomes its day, by the format that was stated', () => {
  const days: readonly [format: string, text: string, day: string | undefined][] = [
    ['DD/MM/YYYY', '07/04/2015', '2015-04-07'],
    ['MM/DD/YYYY', '07/04/2015', '2015-07-04'],
    ['DD/MM/YYYY', '7/4/2015', undefined],
    ['D/M/YYYY', '7/4/2015', '2015-04-07'],
    ['D/M/YYYY', '17/12/2015', '2015-12-17'],
    ['DD.MM.YY', '31.12.15', '2015-12-31'],
    ['YYYYMMDD', '20160229', '2016-02-29'],
    ['YYYYMMDD', '20150229', undefined],
    ['YYYY-MM-DD', '2015-04-31', undefined],
    ['DD/MM/YYYY', '2015-04-07', undefined],
    ['DD/MM/YYYY', '07/04/2015 ', undefined],
    ['DD/MM/YYYY', '07/04/1899', undefined],
    ['DD/MM/YYYY HH:mm', '07/04/2015 23:59', '2015-04-07'],
    ['DD/MM/YYYY HH:mm', '07/04/2015 9:05', '2015-04-07'],
    ['YYYY-MM-DDTHH:mm:ss', '2015-04-07T00:00:00', '2015-04-07'],
    ['DD.MM.YYYY', '07x04x2015', undefined],
    ['[DD](MM)*YYYY', '[07](04)*2015', '2015-04-07'],
  ];
  for (const [format, text, day] of days) {
    it(`${format}: "${text}" is ${day ?? 'not a date'}`, () => {
      assert.equal(readDateFormat(format)?.read(text), day);
    });
  }

  for (const text of ['', 'DD/MM', 'DD/MM/YYYY/DD', 'dd/mm/yyyy', 'MMM YYYY', 'Date', 'D1MYYYY']) {
    it(`"${text}" is not a format`, () => {
      assert.equal(readDateFormat(text), undefined);
    });
  }
});

describe('1 days in other writings', () => {
  const days: readonly [format: string, text: string, day: string | undefined][] = [
    ['YYYY-MM-DD HH:mm:ss z', '2016-01-05 10:15:32 EST', '2016-01-05'],
    ['YYYY-MM-DD HH:mm:ss z', '2016-01-05 10:15:32 UTC+2', '2016-01-05'],
    ['YYYY-MM-DD HH:mm z', '2016-01-05 10:15 America/Argentina/Salta', '2016-01-05'],
    ['YYYY-MM-DD HH:mm z', '2016-01-05 10:15 GMT+0100 (CET)', '2016-01-05'],
    ['YYYY-MM-DD HH:mm z', '2016-01-05 10:15 (CET)', '2016-01-05'],
    ['YYYY-MM-DD HH:mm z', '2016-01-05 10:15 МСК', '2016-01-05'],
    ['YYYY-MM-DDTHH:mmZ', '2016-01-05T10:15+02:00[Europe/Tallinn]', '2016-01-05'],
    ['YYYY-MM-DDTHH:mmZ', '2016-01-05T10:15Z[UTC]', '2016-01-05'],
    ['YYYY-MM-DDTHH:mmZ', '2016-01-05T10:15Z[see below]', undefined],
    ['YYYY-MM-DD z', '2016-01-05 GMT', '2016-01-05'],
    ['YYYY-MM-DD HH:mm z', '2016-01-05 10:15 noon', undefined],
    ['DD/MM/YYYY', "'05/01/2016'", '2016-01-05'],
    ['D MMM YYYY', '1 févr. 2016', '2016-02-01'],
    ['DD-MMM-YY', '31-DIC-15', '2015-12-31'],
    ['D. MMM YYYY', '31. März 2016', '2016-03-31'],
    ['DD MMM YYYY', '05 paź 2016', '2016-10-05'],
    ['MMM D, YYYY', 'Sept 9, 2016', '2016-09-09'],
    ['DD MMM YYYY', '31 Foo 2016', undefined],
    ['YYYY年M月D日', '2016年1月31日', '2016-01-31'],
    ['DDMM@2016', '2902', '2016-02-29'],
    ['D. MMM YYYY@hr', '5. listopada 2016', '2016-10-05'],
    ['D. MMM YYYY@pl', '5. listopada 2016', '2016-11-05'],
    ['DDMM@2015', '2902', undefined],
    ['YYYY-MM-DDTHH:mm:ssZ', '2016-01-31T23:30:00Z', '2016-01-31'],
    ['YYYY-MM-DDTHH:mm:ss.SSSZ', '2016-01-31T23:30:00.123+02:00', '2016-01-31'],
    ['M/D/YYYY H:mm A', '1/31/2016 9:05 PM', '2016-01-31'],
    ['D MMM YYYY', '1\u00a0mars 2016', '2016-03-01'],
    ['ddd DD.MM.YYYY', 'Mo 01.02.2016', '2016-02-01'],
    ['ddd MMM D, YYYY', 'Sun, Jan 31, 2016', '2016-01-31'],
  ];
  for (const [format, text, day] of days) {
    it(`${format}: "${text}" is ${day ?? 'not a date'}`, () => {
      assert.equal(readDateFormat(format)?.read(text), day);
    });
  }
});
