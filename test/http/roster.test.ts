import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Roster } from '../../src/http/roster.ts';

const LIMITS = { connections: 3, connectionsPerAddress: 2 };
const nobody = () => false;

test('at the limit, the member that was idle longest is dropped', () => {
  const roster = new Roster<string>(LIMITS, nobody);
  for (const name of ['a', 'b', 'c']) assert.equal(roster.admit(name, undefined), undefined);
  roster.touch('a');
  assert.equal(roster.admit('d', undefined), 'b');
  assert.equal(roster.admit('e', undefined), 'c');
  assert.equal(roster.admit('f', undefined), 'a');
});

test('members without a valid key are dropped first', () => {
  const roster = new Roster<string>(LIMITS, nobody);
  for (const name of ['a', 'b', 'c']) roster.admit(name, undefined);
  roster.trust('a');
  roster.trust('a');
  for (const [name, leaving] of [
    ['d', 'b'],
    ['e', 'c'],
    ['f', 'd'],
  ] as const) {
    assert.equal(roster.admit(name, undefined), leaving);
  }
  assert.deepEqual([roster.isTrusted('a'), roster.isTrusted('f')], [true, false]);
});

test('if all have sent a valid key, an idle one is dropped, otherwise the newcomer', () => {
  const busy = new Set(['a']);
  const roster = new Roster<string>(LIMITS, (name) => busy.has(name));
  for (const name of ['a', 'b', 'c']) {
    roster.admit(name, undefined);
    roster.trust(name);
  }
  assert.equal(roster.admit('d', '192.0.2.1'), 'b');
  roster.trust('d');
  busy.add('c').add('d');
  assert.equal(roster.admit('e', '192.0.2.2'), 'e');
  roster.touch('e');
  roster.trust('e');
  assert.equal(roster.isTrusted('e'), false);
  busy.delete('c');
  assert.equal(roster.admit('f', '192.0.2.2'), 'c');
});

test('an address at its limit drops one of its own members', () => {
  const roster = new Roster<string>({ ...LIMITS, connections: 10 }, nobody);
  roster.admit('other', '192.0.2.9');
  roster.admit('local', undefined);
  for (const [name, leaving] of [
    ['a', undefined],
    ['b', undefined],
    ['c', 'a'],
    ['d', 'b'],
  ] as const) {
    assert.equal(roster.admit(name, '192.0.2.1'), leaving);
  }
  roster.remove('d');
  assert.equal(roster.admit('e', '192.0.2.1'), undefined);
  roster.trust('c');
  assert.equal(roster.admit('f', '192.0.2.1'), 'e');
});

test('members that left no longer count', () => {
  const roster = new Roster<string>(LIMITS, nobody);
  for (let round = 0; round < 10; round += 1) {
    assert.equal(roster.admit('a', '192.0.2.1'), undefined);
    roster.trust('a');
    roster.remove('a');
    roster.remove('a');
    assert.equal(roster.isTrusted('a'), false);
  }
});

test('of thousands of members, only few are looked at when one comes', () => {
  let looks = 0;
  const isBusy = () => {
    looks += 1;
    return false;
  };
  const roster = new Roster<number>({ connections: 2000, connectionsPerAddress: 200 }, isBusy);
  let left = 0;
  for (let member = 0; member < 200_000; member += 1) {
    if (roster.admit(member, `192.0.2.${member % 20}`) !== undefined) left += 1;
    roster.trust(member);
  }
  assert.equal(left, 200_000 - 2000);
  assert.ok(looks > 0 && looks <= 200_000, `${looks}`);
});
