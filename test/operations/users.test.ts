import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainNoUndo } from '../../src/core/audit.ts';
import { Failure } from '../../src/core/failures.ts';
import { formatId } from '../../src/core/ids.ts';
import { INVITATION_DAYS } from '../../src/core/limits.ts';
import { listAudit } from '../../src/operations/audit.ts';
import { createKey } from '../../src/operations/keys.ts';
import { joinWithPassword, openLink } from '../../src/operations/links.ts';
import { setOrganisation } from '../../src/operations/organisations.ts';
import { changeOrganisation, createSession, endSession } from '../../src/operations/sessions.ts';
import {
  changeOwnPassword,
  changeRole,
  createResetLink,
  createUser,
  inviteUser,
  readEmail,
  removeUser,
  setPassword,
  signIn,
} from '../../src/operations/users.ts';
import { findSession } from '../../src/store/sessions.ts';
import { findPassword, listMemberships, listUsers } from '../../src/store/users.ts';
import { refusal } from '../store/workshop.ts';
import { openTwo, PASSWORD } from './users.ts';

const ADA = 'ada@example.org';
const BOB = 'bob@example.org';

/** The roles by address. */
function rolesOf(access: Parameters<typeof listUsers>[0]) {
  return Object.fromEntries(listUsers(access).map(({ email, role }) => [email, role]));
}

describe('8: users of an organisation', () => {
  it('8 are created with a role, a name and a password, and listed', async () => {
    const { shop, ours } = openTwo();
    const draft = { email: ` ${ADA} `, name: ' Ada ', role: 'owner', password: PASSWORD } as const;
    const { user, isNew } = await createUser(ours, draft, shop.actor());
    assert.equal(isNew, true);
    const wanted = { id: 1, email: ADA, name: 'Ada', role: 'owner', lastSignInAtMs: null };
    assert.deepEqual(user, { ...wanted, createdAtMs: shop.nowMs, secondFactor: 0 });
    assert.deepEqual(listUsers(ours), [user]);
    assert.match(findPassword(shop, ADA)?.password ?? '', /^scrypt:32768:8:3:/);
  });

  it('12 invited, added otherwise and removed, does not come back with the link', async () => {
    const { shop, ours, add } = openTwo();
    add(ours, 'owner@example.org', 'owner');
    const owner = { ...shop.actor(), name: 'usr_0000000001' };
    const token = inviteUser(ours, { email: ADA, role: 'owner' }, owner);
    add(ours, ADA, 'member');
    removeUser(ours, ADA, owner);
    const draft = { token, password: 'another four words here' };
    await assert.rejects(joinWithPassword(ours, draft, owner), refusal('not_found', /has ended/));
    assert.equal(listUsers(ours).length, 1);
  });

  it('12 invited, becomes a user by accepting; nothing tells whether they were one', async () => {
    const { shop, ours, theirs, add } = openTwo();
    add(ours, 'owner@example.org', 'owner');
    const owner = { ...shop.actor(), name: 'usr_0000000001' };
    add(theirs, ADA);
    const states = [ADA, 'new@example.org'].map((email) => {
      const token = inviteUser(ours, { email, role: 'member' }, owner);
      const { purpose } = openLink(ours, token, shop.actor());
      return [token.length, purpose, listUsers(ours).length];
    });
    assert.deepEqual(states, [
      [43, 'invitation', 1],
      [43, 'invitation', 1],
    ]);
    const draft = { email: 'owner@example.org', role: 'member' } as const;
    assert.throws(() => inviteUser(ours, draft, owner), refusal('conflict', /already a user here/));
    const token = inviteUser(ours, { email: ADA, role: 'member' }, owner);
    const [at, endMs] = [shop.nowMs, shop.nowMs + INVITATION_DAYS * 86_400_000];
    const openAt = (nowMs: number) => openLink(ours, token, { ...shop.actor(), nowMs }).purpose;
    assert.deepEqual([at, endMs - 1].map(openAt), ['invitation', 'invitation']);
    for (const nowMs of [at - 1, endMs]) assert.throws(() => openAt(nowMs), refusal('not_found'));
    const password = 'another four words here';
    assert.equal(await joinWithPassword(ours, { token, password }, shop.actor()), undefined);
    assert.equal(await signIn(ours, { email: ADA, password }), undefined);
    changeRole(ours, { email: add(ours, BOB, 'owner').email, role: 'owner' }, shop.actor());
    changeRole(ours, { email: 'owner@example.org', role: 'admin' }, shop.actor());
    assert.throws(() => openLink(ours, token, shop.actor()), refusal('not_found'));
  });

  it('8 a second one with the same address, whatever its case, is refused', () => {
    const { ours, add } = openTwo();
    add(ours, ADA);
    assert.throws(() => add(ours, 'ADA@EXAMPLE.ORG', 'member'), refusal('conflict', /as owner/));
    assert.deepEqual(rolesOf(ours), { [ADA]: 'owner' });
  });

  it('8 refuses a wrong address, name, role or password, and stores nothing', async () => {
    const { shop, ours } = openTwo();
    const before = shop.everything();
    const draft = { email: ADA, role: 'member', password: PASSWORD } as const;
    const changes: [change: object, why: RegExp][] = [
      [{ email: 'ada' }, /"ada" is not an email address/],
      [{ email: 'ada@ex\u0430mple.org' }, /"ex\u0430mple" in .* mixes Latin letters with Greek/],
      [{ email: `${'a'.repeat(1_000_000)}@x.org` }, /^This is not an email address/],
      [{ name: '\u0007' }, /control character/],
      [{ name: 'x'.repeat(256) }, /longer than 255/],
      [{ role: 'god' }, /must be one of owner, admin, member/],
      [{ password: 'short' }, /shorter than 8/],
      [{ password: ADA }, /too much like/],
      [{ password: 'Babygirl2026' }, /too easy to guess/],
    ];
    for (const [change, why] of changes) {
      const act = createUser(ours, { ...draft, ...change }, shop.actor());
      await assert.rejects(act, refusal('invalid_input', why));
    }
    assert.equal(shop.everything(), before);
    assert.equal(readEmail(`\t${ADA}\n`), ADA);
  });

  it('8 one who is known from another organisation keeps name and password', async () => {
    const { shop, ours, theirs, add } = openTwo();
    const { id } = add(ours, ADA);
    assert.equal(findPassword(theirs, 'ADA@example.org')?.id, id);
    assert.equal(findPassword(theirs, BOB), undefined);
    const draft = { email: 'Ada@Example.org', name: 'Other', role: 'member' } as const;
    const { user, isNew } = await createUser(
      theirs,
      { ...draft, password: undefined },
      shop.actor(),
    );
    assert.deepEqual([user.id, user.email, user.name, isNew], [id, ADA, null, false]);
    assert.equal(await signIn(ours, { email: ADA, password: PASSWORD }), id);
    assert.deepEqual(
      listMemberships(ours, id).map(({ organisation, role }) => [organisation, role]),
      [
        ['Test', 'owner'],
        ['Theirs', 'member'],
      ],
    );
    const unknown = { email: BOB, role: 'member', password: undefined } as const;
    await assert.rejects(createUser(ours, unknown, shop.actor()), refusal('conflict'));
  });

  it('8 the last owner cannot be removed or demoted', () => {
    const { shop, ours, theirs, add } = openTwo();
    const refused = refusal('conflict', /only owner\. Make another user an owner first/);
    add(ours, ADA);
    add(ours, BOB, 'admin');
    add(theirs, 'eve@example.org');
    for (const role of ['admin', 'member'] as const) {
      assert.throws(() => changeRole(ours, { email: ADA, role }, shop.actor()), refused);
    }
    assert.throws(() => removeUser(ours, ADA, shop.actor()), refused);
    const entries = listAudit(ours, {}).length;
    assert.equal(changeRole(ours, { email: ADA, role: 'owner' }, shop.actor()).role, 'owner');
    assert.equal(listAudit(ours, {}).length, entries, 'nothing changed');
    changeRole(ours, { email: BOB, role: 'owner' }, shop.actor());
    changeRole(ours, { email: ADA, role: 'member' }, shop.actor());
    assert.throws(() => removeUser(ours, BOB, shop.actor()), refused);
    removeUser(ours, ADA, shop.actor());
    assert.deepEqual(rolesOf(ours), { [BOB]: 'owner' });
  });

  it('8 removing one leaves the other organisations; the last one removes the user', async () => {
    const { shop, ours, theirs, add } = openTwo();
    for (const access of [ours, theirs]) for (const email of [ADA, BOB]) add(access, email);
    const pair = { email: ADA, password: PASSWORD };
    removeUser(ours, ADA, shop.actor());
    const userId = (await signIn(ours, pair)) ?? assert.fail();
    const left = listMemberships(ours, userId).map(({ organisation }) => organisation);
    assert.deepEqual(left, ['Theirs']);
    createResetLink(theirs, ADA, shop.actor());
    removeUser(theirs, ADA, shop.actor());
    assert.equal(findPassword(ours, ADA), undefined);
    assert.equal(await signIn(ours, pair), undefined);
    assert.equal(add(ours, ADA).id, 3, 'a number is never given twice');
  });

  it('5.8 of another organisation are not found, as if there were none', async () => {
    const { shop, ours, theirs, add } = openTwo();
    add(ours, ADA);
    add(theirs, BOB);
    const before = shop.everything();
    const [actor, change] = [shop.actor(), { email: BOB, password: PASSWORD }];
    for (const email of [BOB, 'nobody@example.org']) {
      const gone = refusal('not_found', new RegExp(`^There is no user ${email} here\\.$`));
      assert.throws(() => changeRole(ours, { email, role: 'owner' }, actor), gone);
      assert.throws(() => removeUser(ours, email, actor), gone);
      assert.throws(() => createResetLink(ours, email, actor), gone);
      await assert.rejects(setPassword(ours, { ...change, email }, actor), gone);
    }
    assert.deepEqual(Object.keys(rolesOf(ours)), [ADA]);
    assert.equal(shop.everything(), before);
  });

  it('8 an owner cannot take over a user who belongs to an organisation of others', async () => {
    const { shop, ours, theirs, add } = openTwo();
    const [ada, bob] = [add(ours, ADA), add(theirs, BOB)];
    add(ours, BOB, 'member');
    const by = ({ id }: { id: number }) => ({ ...shop.actor(), name: formatId('usr', id) });
    const change = { email: BOB, password: 'windy hill 77' };
    const refused = refusal('conflict', /belongs to an organisation that you do not own/);
    assert.throws(() => createResetLink(ours, BOB, by(ada)), refused);
    await assert.rejects(setPassword(ours, change, by(ada)), refused);
    const own = refusal('conflict', /^Your own password is changed under "Your account"/);
    assert.throws(() => createResetLink(ours, ADA, by(ada)), own);
    assert.throws(() => createResetLink(ours, BOB, by(bob)), own);
    createResetLink(ours, BOB, shop.actor());
    add(theirs, ADA, 'admin');
    assert.throws(() => createResetLink(ours, BOB, by(ada)), refused);
    changeRole(theirs, { email: ADA, role: 'owner' }, shop.actor());
    createResetLink(ours, BOB, by(ada));
  });

  it('5 is in the log of each organisation, without any password', async () => {
    const { shop, ours, theirs, add } = openTwo();
    const { id } = add(ours, ADA);
    add(theirs, ADA, 'member');
    add(ours, BOB);
    changeRole(ours, { email: ADA, role: 'admin' }, shop.actor());
    createResetLink(ours, ADA, shop.actor());
    await setPassword(ours, { email: ADA, password: 'windy hill 77' }, shop.actor());
    removeUser(ours, ADA, shop.actor());
    const subject = formatId('usr', id);
    const logged = (access: typeof ours) => listAudit(access, { subject });
    assert.deepEqual(
      logged(ours).map(({ action }) => action),
      [
        'user.added',
        'user.role_changed',
        'user.link_created',
        'user.password_changed',
        'user.removed',
      ],
    );
    assert.deepEqual(
      logged(theirs).map(({ action }) => action),
      ['user.added', 'user.password_changed'],
    );
    const member = { email: ADA, name: null };
    assert.deepEqual(
      logged(ours).flatMap(({ details }) => details.changes),
      [
        { subject, before: null, after: { ...member, role: 'owner' } },
        { subject, before: { role: 'owner' }, after: { role: 'admin' } },
        { subject, before: { ...member, role: 'admin' }, after: null },
      ],
    );
    for (const { action } of logged(ours)) assert.match(explainNoUndo(action) ?? '', /cannot be/);
    shop.check();
  });
});

describe('12: signing in', () => {
  it('12 is stored by the session that begins', async () => {
    const { shop, ours, add } = openTwo();
    const { id } = add(ours, ADA);
    shop.nowMs += 1000;
    const pair = { email: ' ADA@example.org', password: PASSWORD };
    assert.equal(await signIn(ours, pair), id);
    createSession(ours, { userId: id, agent: null }, shop.nowMs);
    assert.equal(listUsers(ours)[0]?.lastSignInAtMs, shop.nowMs);
  });

  it('12 leads to the organisation where the user was last, and tells only that one', () => {
    const { shop, ours, theirs, add } = openTwo();
    const { id: userId } = add(theirs, ADA);
    const enter = () => {
      shop.nowMs += 1000;
      const token = createSession(ours, { userId, agent: null }, shop.nowMs) ?? '';
      return findSession(ours, token, shop.nowMs) ?? assert.fail();
    };
    const { id } = theirs.organisation;
    enter();
    const atMs = shop.nowMs;
    add(ours, ADA);
    const session = enter();
    assert.equal(session.access.organisation.id, id, 'not the lowest number');
    assert.equal(listUsers(ours)[0]?.lastSignInAtMs, null);
    assert.ok((listUsers(ours)[0]?.createdAtMs ?? 0) >= atMs, 'when they were added here');
    changeOrganisation(session, formatId('org', ours.organisation.id), shop.actor());
    assert.equal(enter().access.organisation.id, ours.organisation.id);
    assert.equal(listUsers(theirs)[0]?.lastSignInAtMs, atMs + 1000);
    assert.equal(listUsers(ours)[0]?.lastSignInAtMs, shop.nowMs);
  });

  it('12 ends in one organisation alone with a change of the role there', () => {
    const { shop, ours, theirs, add } = openTwo();
    add(theirs, BOB);
    const { id: userId } = add(theirs, ADA);
    const token = createSession(ours, { userId, agent: null }, shop.nowMs) ?? '';
    add(ours, BOB);
    add(ours, ADA);
    changeRole(ours, { email: ADA, role: 'member' }, shop.actor());
    assert.ok(findSession(ours, token, shop.nowMs), 'the session in the other organisation');
    changeRole(theirs, { email: ADA, role: 'member' }, shop.actor());
    assert.equal(findSession(ours, token, shop.nowMs), undefined);
  });

  it('12 is refused alike for a wrong password and a wrong or unknown address', async () => {
    const { ours, add } = openTwo();
    add(ours, ADA);
    const wrong = [
      { email: ADA, password: `${PASSWORD}r` },
      { email: BOB, password: PASSWORD },
      { email: `${'a'.repeat(1_000_000)}@x.org`, password: PASSWORD },
    ];
    for (const pair of wrong) assert.equal(await signIn(ours, pair), undefined);
    assert.equal(listUsers(ours)[0]?.lastSignInAtMs, null);
  });

  it('12 fails when the password changes while it is checked', async () => {
    const { shop, ours, add } = openTwo();
    add(ours, ADA);
    const signedIn = signIn(ours, { email: ADA, password: PASSWORD });
    shop.db.exec(`update users set password = 'scrypt:16:1:1::'`);
    assert.equal(await signedIn, undefined);
  });

  it('12 a new password counts at once, and ends the old one', async () => {
    const { shop, ours, add } = openTwo();
    add(ours, ADA);
    const change = { email: ADA, password: 'windy hill 77' };
    await setPassword(ours, change, shop.actor());
    assert.equal(await signIn(ours, { ...change, password: PASSWORD }), undefined);
    assert.equal(await signIn(ours, change), 1);
    await assert.rejects(
      setPassword(ours, { email: ADA, password: 'Ada.2026' }, shop.actor()),
      refusal('invalid_input', /too much like/),
    );
  });
});

describe('12: whoever is signed in writes only while they are, with their role', () => {
  /** Ada, an owner who is signed in, with what her writes carry. */
  function enterAda() {
    const two = openTwo();
    const { shop, ours, add } = two;
    for (const email of ['cat@example.org', BOB]) add(ours, email);
    const { id: userId } = add(ours, ADA);
    const token = createSession(ours, { userId, agent: null }, shop.nowMs) ?? '';
    const session = findSession(ours, token, shop.nowMs) ?? assert.fail();
    const { id: sessionId, role } = session;
    const standing = { sessionId, userId, orgId: ours.organisation.id, role };
    const actor = { ...shop.actor(), name: formatId('usr', userId), standing };
    return { ...two, session, actor };
  }

  const LOSSES: readonly (readonly [string, (ada: ReturnType<typeof enterAda>) => void])[] = [
    ['signed out', ({ ours, session }) => endSession(ours, session)],
    ['is removed', ({ ours, shop }) => removeUser(ours, ADA, shop.actor())],
    [
      'has another role, though the session is left',
      ({ shop }) => shop.db.exec(`update memberships set role = 'admin' where user_id = 3`),
    ],
  ];

  for (const [what, lose] of LOSSES) {
    it(`12 not once she ${what}: users, keys, the plan, her own password`, async () => {
      const ada = enterAda();
      const { shop, ours, session, actor } = ada;
      const refused = refusal('not_allowed', /signed out, or your role has changed/);
      const draft = { email: 'eve@example.org', role: 'owner', password: PASSWORD } as const;
      const pair = { present: PASSWORD, password: 'four words that differ' };
      // What is being hashed at the same time.
      const hashing = Promise.allSettled([
        createUser(ours, draft, actor),
        changeOwnPassword(session, pair, actor),
      ]);
      lose(ada);
      const before = shop.everything();
      const codes = (await hashing).map((each) => {
        return each.status === 'rejected' && each.reason instanceof Failure && each.reason.code;
      });
      assert.deepEqual(codes, ['not_allowed', what === 'is removed' ? 'conflict' : 'not_allowed']);
      const key = { name: 'Bank', scopes: ['reports:read'] } as const;
      assert.throws(() => createKey(ours, key, actor), refused);
      assert.throws(
        () => setOrganisation(ours, { member: 'plan', value: 'starter' }, actor),
        refused,
      );
      assert.throws(() => changeRole(ours, { email: BOB, role: 'admin' }, actor), refused);
      assert.throws(() => removeUser(ours, BOB, actor), refused);
      assert.throws(() => createResetLink(ours, BOB, actor), Failure);
      assert.equal(shop.everything(), before);
    });
  }

  it('12 but she may lower or remove herself', () => {
    const { shop, ours, actor } = enterAda();
    changeRole(ours, { email: ADA, role: 'member' }, actor);
    assert.throws(() => removeUser(ours, BOB, actor), refusal('not_allowed'));
    const again = enterAda();
    removeUser(again.ours, ADA, again.actor);
    shop.check();
  });
});
