import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  dateTimeOf,
  formatInstant,
  isCalendarDate,
  MONTH_PATTERN,
  monthOf,
  monthsBetween,
  periodsBetween,
  quarterOf,
  readInstant,
} from '../../src/core/calendar.ts';
import { Random } from './random.ts';

describe('contract 1: calendar dates', () => {
  const days: [text: string, real: boolean, why: string][] = [
    ['2026-01-31', true, 'a date'],
    ['1900-01-01', true, 'the first'],
    ['2199-12-31', true, 'the last'],
    ['1899-12-31', false, 'the day before the first'],
    ['2200-01-01', false, 'the day after the last'],
    ['0000-01-01', false, 'year 0'],
    ['9999-12-31', false, 'year 9999'],
    ['2024-02-29', true, 'a leap year'],
    ['2023-02-29', false, 'not a leap year'],
    ['2000-02-29', true, 'divisible by 400'],
    ['1900-02-29', false, 'divisible by 100'],
    ['2100-02-29', false, 'divisible by 100'],
    ['2024-02-30', false, '30 February'],
    ['2026-04-30', true, 'the last of April'],
    ['2026-04-31', false, 'one day more'],
    ['2026-06-31', false, 'June'],
    ['2026-09-31', false, 'September'],
    ['2026-11-31', false, 'November'],
    ['2026-12-32', false, 'December'],
    ['2026-01-00', false, 'day 0'],
    ['2026-00-10', false, 'month 0'],
    ['2026-13-01', false, 'month 13'],
    ['', false, 'nothing'],
    ['2026-1-31', false, 'a month with one digit'],
    ['2026-01-3', false, 'a day with one digit'],
    ['26-01-31', false, 'a year with two digits'],
    ['12026-01-31', false, 'a year with five digits'],
    ['+02026-01-31', false, 'an expanded year'],
    ['-2026-01-31', false, 'a negative year'],
    ['2026/01/31', false, 'slashes'],
    ['31-01-2026', false, 'the day first'],
    ['31/01/2026', false, 'as banks write it'],
    ['20260131', false, 'no hyphens'],
    ['2026-W05-6', false, 'a week date'],
    ['2026-031', false, 'an ordinal date'],
    ['2026-01', false, 'a month'],
    ['2026', false, 'a year'],
    ['2026-01-31T00:00:00Z', false, 'a date-time'],
    [' 2026-01-31', false, 'a space before'],
    ['2026-01-31 ', false, 'a space after'],
    ['2026-01-31\n', false, 'a newline after'],
    ['2026‐01‐31', false, 'typographic hyphens'],
    ['٢٠٢٦-٠١-٣١', false, 'other digits'],
    ['2026-01-3l', false, 'a letter'],
    ['today', false, 'a word'],
  ];
  for (const [text, real, why] of days) {
    it(`1 ${JSON.stringify(text)} is ${real ? 'a' : 'not a'} calendar date: ${why}`, () => {
      assert.equal(isCalendarDate(text), real);
    });
  }

  it('1 the dates of three centuries are exactly those of the calendar', () => {
    for (let year = 1900; year <= 2199; year += 1) {
      for (let month = 1; month <= 12; month += 1) {
        for (let day = 27; day <= 32; day += 1) {
          const text = `${year}-${two(month)}-${two(day)}`;
          const there = new Date(Date.UTC(year, month - 1, day));
          assert.equal(isCalendarDate(text), there.getUTCMonth() === month - 1, text);
        }
      }
    }
  });

  const months: [text: string, real: boolean][] = [
    ['2026-01', true],
    ['1900-01', true],
    ['2199-12', true],
    ['1899-12', false],
    ['2200-01', false],
    ['2026-00', false],
    ['2026-13', false],
    ['2026-1', false],
    ['2026-01-01', false],
    ['2026-Q1', false],
    ['', false],
    ['2026-01\n', false],
  ];
  const month = new RegExp(MONTH_PATTERN);
  for (const [text, real] of months) {
    it(`1 ${JSON.stringify(text)} is ${real ? 'a' : 'not a'} month`, () => {
      assert.equal(month.test(text), real);
    });
  }

  it('1 a project date is shown as midnight UTC', () => {
    assert.equal(dateTimeOf('2026-03-29'), '2026-03-29T00:00:00.000Z');
    assert.equal(monthOf('2026-03-29'), '2026-03');
  });

  it('1 an instant is shown as Date shows it', () => {
    const day = Date.parse('2026-03-29');
    const around = [day - 1, day - 0.5, day, day + 3_599_999, day + 86_399_999, day + 86_400_000];
    for (const instantMs of [...around, 0, -1, -0.5, -62_198_755_200_000, 253_402_300_800_000]) {
      assert.equal(formatInstant(instantMs), new Date(instantMs).toISOString());
    }
    assert.throws(() => formatInstant(Number.NaN), RangeError);
  });
});

describe('contract 4: updatedSince, an RFC 3339 date-time with any offset', () => {
  const right: [text: string, same: string][] = [
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31t12:00:00z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00+00:00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00-00:00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00+05:45', '2026-01-31T06:15:00.000Z'],
    ['2026-01-31T23:30:00-09:30', '2026-02-01T09:00:00.000Z'],
    ['2026-01-01T00:00:00+14:00', '2025-12-31T10:00:00.000Z'],
    ['2026-01-31T12:00:00+23:59', '2026-01-30T12:01:00.000Z'],
    ['2026-01-31T12:00:00.5Z', '2026-01-31T12:00:00.500Z'],
    ['2026-01-31T12:00:00.123Z', '2026-01-31T12:00:00.123Z'],
    ['2026-01-31T12:00:00.123000000Z', '2026-01-31T12:00:00.123Z'],
    ['2026-01-31T12:00:00.1230001Z', '2026-01-31T12:00:00.124Z'],
    ['2026-01-31T12:00:00.9999999Z', '2026-01-31T12:00:01.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2017-01-01T05:29:60+05:30', '2017-01-01T00:00:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['1900-01-01T00:00:00Z', '1900-01-01T00:00:00.000Z'],
    ['2199-12-31T23:59:59.999Z', '2199-12-31T23:59:59.999Z'],
  ];
  for (const [text, same] of right) {
    it(`4 ${text} is ${same}`, () => {
      assert.equal(formatInstant(readInstant(text) ?? Number.NaN), same);
    });
  }

  const wrong: [text: string, why: string][] = [
    ['2026-01-31', 'a bare date'],
    ['2026-01-31T12:00:00', 'no offset'],
    ['2026-01-31T24:00:00Z', 'hour 24 is not in RFC 3339'],
    ['2026-01-31T25:00:00Z', 'hour 25'],
    ['2026-01-31T12:60:00Z', 'minute 60'],
    ['2026-01-31T12:00:61Z', 'second 61'],
    ['2026-01-31T12:00:00+24:00', 'offset hour 24'],
    ['2026-01-31T12:00:00+01:60', 'offset minute 60'],
    ['2026-01-31T12:00:00+0100', 'an offset without a colon'],
    ['2026-01-31T12:00:00+01', 'an offset without minutes'],
    ['2026-01-31T12:00Z', 'no seconds'],
    ['2026-01-31T12:00:00.Z', 'a fraction without digits'],
    ['2026-01-31T12:00:00,5Z', 'a comma'],
    ['2026-01-31 12:00:00Z', 'a space instead of T'],
    ['2026-01-31T12:00:00 01:00', 'a plus that a query turned into a space'],
    ['2026-02-30T12:00:00Z', 'not a real date'],
    ['2025-02-29T12:00:00Z', 'not a leap year'],
    ['1899-12-31T12:00:00Z', 'before 1900'],
    ['2200-01-01T12:00:00Z', 'after 2199'],
    ['2026-1-31T12:00:00Z', 'a month with one digit'],
    ['1769860800', 'a number'],
    ['now', 'a word'],
    ['', 'nothing'],
    ['2026-01-31T12:00:00Z\n', 'a newline after'],
  ];
  for (const [text, why] of wrong) {
    it(`4 ${JSON.stringify(text)} is refused: ${why}`, () => {
      assert.equal(readInstant(text), undefined);
    });
  }

  it('4 property: any moment with any offset is read as JavaScript reads it', () => {
    const random = new Random(4);
    for (let round = 0; round < 2000; round += 1) {
      const instantMs = random.whole(Date.UTC(1901, 0), Date.UTC(2199, 0));
      const minutes = random.whole(-1439, 1439);
      const local = new Date(instantMs + minutes * 60_000).toISOString().slice(0, -1);
      const offset = `${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
      const text = `${local}${minutes < 0 ? '-' : '+'}${offset}`;
      assert.equal(readInstant(text), instantMs, text);
    }
  });
});

describe('contract 4: the periods of a report', () => {
  it('4 quarters are calendar quarters', () => {
    const quarters = Array.from({ length: 12 }, (_, index) => quarterOf(`2025-${two(index + 1)}`));
    const wanted = ['1', '1', '1', '2', '2', '2', '3', '3', '3', '4', '4', '4'];
    assert.deepEqual(
      quarters.map((each) => each.at(-1)),
      wanted,
    );
    assert.equal(quarterOf('2025-04'), '2025-Q2');
  });

  it('4 months continue across years, including both ends', () => {
    const months = ['2025-11', '2025-12', '2026-01', '2026-02'];
    assert.deepEqual(monthsBetween('2025-11-30', '2026-02-01'), months);
    assert.deepEqual(monthsBetween('2025-11-30', '2025-11-30'), ['2025-11']);
    assert.deepEqual(monthsBetween('2025-12-01', '2025-11-30'), []);
    assert.equal(monthsBetween('1900-01-01', '2199-12-31').length, 3600);
  });

  it("4 monthly periods are cut to the project's dates", () => {
    assert.deepEqual(periodsBetween('2024-01-15', '2024-03-10', 'monthly'), [
      { key: '2024-01', startDate: '2024-01-15', endDate: '2024-01-31' },
      { key: '2024-02', startDate: '2024-02-01', endDate: '2024-02-29' },
      { key: '2024-03', startDate: '2024-03-01', endDate: '2024-03-10' },
    ]);
  });

  it("4 quarterly periods are cut to the project's dates", () => {
    assert.deepEqual(periodsBetween('2025-02-15', '2025-12-30', 'quarterly'), [
      { key: '2025-Q1', startDate: '2025-02-15', endDate: '2025-03-31' },
      { key: '2025-Q2', startDate: '2025-04-01', endDate: '2025-06-30' },
      { key: '2025-Q3', startDate: '2025-07-01', endDate: '2025-09-30' },
      { key: '2025-Q4', startDate: '2025-10-01', endDate: '2025-12-30' },
    ]);
  });

  it('4 a project within one month has one period, with the dates of the project', () => {
    for (const granularity of ['monthly', 'quarterly'] as const) {
      const [only, ...more] = periodsBetween('2025-05-10', '2025-05-12', granularity);
      assert.deepEqual([only?.startDate, only?.endDate], ['2025-05-10', '2025-05-12']);
      assert.deepEqual(more, []);
    }
  });

  it('4 property: the periods cover every day of the project once', () => {
    const random = new Random(11);
    for (let round = 0; round < 500; round += 1) {
      const [start, end] = [anyDay(random), anyDay(random)].sort() as [string, string];
      for (const granularity of ['monthly', 'quarterly'] as const) {
        const periods = periodsBetween(start, end, granularity);
        assert.equal(periods[0]?.startDate, start);
        assert.equal(periods.at(-1)?.endDate, end);
        for (const [index, period] of periods.entries()) {
          assert.ok(period.startDate <= period.endDate);
          const next = periods[index + 1];
          if (next !== undefined) assert.equal(next.startDate, dayAfter(period.endDate));
        }
        assert.equal(new Set(periods.map(({ key }) => key)).size, periods.length);
      }
    }
  });
});

function anyDay(random: Random): string {
  const dayMs = random.whole(Date.UTC(2019, 0), Date.UTC(2026, 11, 31));
  return new Date(dayMs).toISOString().slice(0, 10);
}

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
