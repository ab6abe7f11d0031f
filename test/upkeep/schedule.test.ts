import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { lastMoment } from '../../src/upkeep/nightly.ts';

const { TZ } = process.env;

afterEach(() => {
  if (TZ === undefined) delete process.env['TZ'];
  else process.env['TZ'] = TZ;
});

describe('the last moment of a time of day', () => {
  const zones: [zone: string, cases: [time: string, now: string, last: string][]][] = [
    [
      'UTC',
      [
        ['02:00', '2026-03-01T02:00:00.000Z', '2026-03-01T02:00:00.000Z'],
        ['02:00', '2026-03-01T01:59:59.999Z', '2026-02-28T02:00:00.000Z'],
        ['23:59', '2026-01-01T00:00:00.000Z', '2025-12-31T23:59:00.000Z'],
      ],
    ],
    [
      'Europe/Berlin',
      [
        ['02:00', '2026-11-22T00:59:00.000Z', '2026-11-21T01:00:00.000Z'],
        ['02:00', '2026-11-22T01:00:00.000Z', '2026-11-22T01:00:00.000Z'],
        // On 29 March clocks jump from 02:00 to 03:00: 02:30 is an hour later.
        ['02:30', '2026-03-29T01:29:00.000Z', '2026-03-28T01:30:00.000Z'],
        ['02:30', '2026-03-29T01:30:00.000Z', '2026-03-29T01:30:00.000Z'],
        // On 25 October they show 02:30 twice, first at 00:30 UTC: once is enough.
        ['02:30', '2026-10-25T00:30:00.000Z', '2026-10-25T00:30:00.000Z'],
        ['02:30', '2026-10-25T02:00:00.000Z', '2026-10-25T00:30:00.000Z'],
      ],
    ],
    ['Pacific/Kiritimati', [['02:00', '2026-06-30T12:00:00.000Z', '2026-06-30T12:00:00.000Z']]],
  ];
  for (const [zone, cases] of zones) {
    it(`is right in ${zone}`, () => {
      process.env['TZ'] = zone;
      for (const [time, now, last] of cases) {
        assert.equal(new Date(lastMoment(time, Date.parse(now))).toISOString(), last, now);
      }
    });
  }
});
