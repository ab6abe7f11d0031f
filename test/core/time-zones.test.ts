/** Time zones: their names, the day of an instant, and where a day begins and ends. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { boundsOfDay, dayIn, isTimeZone, listTimeZones } from '../../src/core/time-zones.ts';

describe('time zones', () => {
  test('are those that this Node knows, UTC first, and each once', () => {
    const zones = listTimeZones();
    assert.equal(zones[0], 'UTC');
    assert.equal(new Set(zones).size, zones.length);
    assert.ok(zones.includes('Europe/London'));
    for (const zone of zones) assert.ok(isTimeZone(zone), zone);
  });

  test('have older names too; nothing else is a time zone', () => {
    for (const name of ['Asia/Calcutta', 'Asia/Kolkata', 'Etc/GMT+5', 'utc']) {
      assert.ok(isTimeZone(name), name);
    }
    for (const name of ['', ' ', '+01:00', 'Europe', 'Europe/London ', 'London', '__proto__']) {
      assert.ok(!isTimeZone(name), name);
    }
  });

  test('say on which day an instant is', () => {
    const instantMs = Date.parse('2026-06-30T23:30:00Z');
    assert.equal(dayIn('UTC', instantMs), '2026-06-30');
    assert.equal(dayIn('Europe/London', instantMs), '2026-07-01');
    assert.equal(dayIn('America/New_York', instantMs), '2026-06-30');
  });

  test('say where a day begins and ends, also when the clocks change', () => {
    const boundsIn = (zone: string, date: string) => {
      return boundsOfDay(zone, date).map((ms) => new Date(ms).toISOString());
    };
    const cases = [
      ['UTC', '2026-01-31', '2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
      ['Europe/London', '2026-03-29', '2026-03-29T00:00:00.000Z', '2026-03-29T23:00:00.000Z'],
      ['Europe/London', '2026-10-25', '2026-10-24T23:00:00.000Z', '2026-10-26T00:00:00.000Z'],
      ['Pacific/Kiritimati', '2026-05-05', '2026-05-04T10:00:00.000Z', '2026-05-05T10:00:00.000Z'],
      ['Asia/Kathmandu', '2026-05-05', '2026-05-04T18:15:00.000Z', '2026-05-05T18:15:00.000Z'],
      ['Etc/GMT+12', '2026-05-05', '2026-05-05T12:00:00.000Z', '2026-05-06T12:00:00.000Z'],
      // Midnight does not exist on this day.
      ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
    ] as const;
    for (const [zone, date, start, end] of cases) {
      assert.deepEqual(boundsIn(zone, date), [start, end], `${zone} ${date}`);
    }
  });
});
