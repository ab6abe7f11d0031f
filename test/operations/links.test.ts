import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { LINK_MINUTES } from '../../src/core/limits.ts';
import { openDatabase } from '../../src/database/database.ts';
import { accessTo } from '../../src/operations/access.ts';
import { listAudit } from '../../src/operations/audit.ts';
import { createSetUpLink, openLink, setUp, usePasswordLink } from '../../src/operations/links.ts';
import { createResetLink, setPassword, signIn } from '../../src/operations/users.ts';
import { listOrganisations } from '../../src/store/organisations.ts';
import { hasUsers, listUsers } from '../../src/store/users.ts';
import { folderFor, refusal } from '../store/workshop.ts';
import { openTwo, PASSWORD } from './users.ts';

const ADA = 'ada@example.org';
const NEW = 'windy hill 77';
const ENDED = refusal('not_found', /^The link was used or replaced, or is too old\./);
const MINUTE_MS = 60_000;

describe('8: a link to set a new password', () => {
  it('8 sets it once, and only for the user it was made for', async () => {
    const { shop, ours, theirs, add } = openTwo();
    const { id } = add(ours, ADA);
    add(theirs, 'bob@example.org');
    const token = createResetLink(ours, ADA, shop.actor());
    const bobs = createResetLink(theirs, 'bob@example.org', shop.actor());
    assert.match(token, /^[\w-]{43}$/);
    assert.deepEqual(openLink(ours, token, shop.actor()), {
      purpose: 'reset',
      userId: id,
      email: ADA,
    });
    assert.equal(await usePasswordLink(ours, { token, password: NEW }, shop.actor()), id);
    assert.equal(await signIn(ours, { email: ADA, password: NEW }), id);
    assert.throws(() => openLink(ours, token, shop.actor()), ENDED);
    await assert.rejects(usePasswordLink(ours, { token, password: NEW }, shop.actor()), ENDED);
    assert.equal(openLink(ours, bobs, shop.actor()).purpose, 'reset');
    const last = listAudit(ours, {}).at(-1);
    assert.deepEqual([last?.action, last?.actor], ['user.password_changed', 'usr_0000000001']);
  });

  it('8 sets it once when two use it at the same moment', async () => {
    const { shop, ours, add } = openTwo();
    add(ours, ADA);
    const token = createResetLink(ours, ADA, shop.actor());
    const passwords = [NEW, 'quiet river 12'];
    const ends = await Promise.allSettled(
      passwords.map((password) => usePasswordLink(ours, { token, password }, shop.actor())),
    );
    assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const won = ends.findIndex(({ status }) => status === 'fulfilled');
    const pair = { email: ADA, password: passwords[won] ?? '' };
    assert.equal(await signIn(ours, pair), 1);
  });

  it('8 still works after a password that was refused', async () => {
    const { shop, ours, add } = openTwo();
    add(ours, ADA);
    const token = createResetLink(ours, ADA, shop.actor());
    const weak = usePasswordLink(ours, { token, password: 'ada@example.org' }, shop.actor());
    await assert.rejects(weak, refusal('invalid_input'));
    assert.equal(openLink(ours, token, shop.actor()).purpose, 'reset');
  });

  it('8 ends after 30 minutes, and when the clock goes back to before it was made', () => {
    const { shop, ours, add } = openTwo();
    add(ours, ADA);
    const madeMs = shop.nowMs;
    const token = createResetLink(ours, ADA, shop.actor());
    const at = (nowMs: number) => () => openLink(ours, token, { ...shop.actor(), nowMs });
    assert.equal(at(madeMs)().purpose, 'reset');
    assert.equal(at(madeMs + LINK_MINUTES * MINUTE_MS - 1)().purpose, 'reset');
    assert.throws(at(madeMs + LINK_MINUTES * MINUTE_MS), ENDED);
    assert.throws(at(madeMs - 1), ENDED);
    shop.nowMs = madeMs - 24 * 60 * MINUTE_MS;
    const later = createResetLink(ours, ADA, shop.actor());
    assert.equal(openLink(ours, later, shop.actor()).purpose, 'reset');
    assert.throws(at(madeMs), ENDED);
  });

  it('8 ends with a newer one, and with a password that the operator sets', async () => {
    const { shop, ours, add } = openTwo();
    add(ours, ADA);
    const [one, two] = [0, 1].map(() => createResetLink(ours, ADA, shop.actor()));
    assert.throws(() => openLink(ours, one ?? '', shop.actor()), ENDED);
    assert.equal(openLink(ours, two ?? '', shop.actor()).purpose, 'reset');
    await setPassword(ours, { email: ADA, password: NEW }, shop.actor());
    assert.throws(() => openLink(ours, two ?? '', shop.actor()), ENDED);
  });

  it('8 cannot be guessed, and sets up nobody', async () => {
    const { shop, ours, add } = openTwo();
    add(ours, ADA);
    const token = createResetLink(ours, ADA, shop.actor());
    const wrong = ['', token.slice(1), `${token}=`, token.toLowerCase(), 'x'.repeat(1_000_000)];
    for (const text of wrong) assert.throws(() => openLink(ours, text, shop.actor()), ENDED);
    const draft = { token, email: 'eve@example.org', password: PASSWORD };
    await assert.rejects(setUp(ours, draft, shop.actor()), refusal('not_found'));
    assert.equal(listUsers(ours).length, 1);
  });

  it('8 only its SHA-256 is stored: neither file nor WAL contains the token', (t) => {
    const folder = folderFor(t);
    const { shop, ours, add } = openTwo(join(folder, 'budgetd.db'));
    add(ours, ADA);
    const token = createResetLink(ours, ADA, shop.actor());
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    const bytes = Buffer.concat(files);
    shop.db.close();
    assert.ok(bytes.includes(createHash('sha256').update(token).digest()));
    for (const part of [token, token.slice(0, 12), Buffer.from(token, 'base64url')]) {
      assert.equal(bytes.includes(part), false);
    }
  });
});

describe('8: a link to set up the first user', () => {
  const draft = { email: ADA, password: PASSWORD };

  it('8 creates an owner of every organisation there is, once', async () => {
    const { shop, ours, theirs } = openTwo();
    assert.equal(hasUsers(ours), false);
    const token = createSetUpLink(ours, shop.actor());
    const wanted = { purpose: 'set-up', needsOrganisation: false } as const;
    assert.deepEqual(openLink(ours, token, shop.actor()), wanted);
    const user = await setUp(ours, { ...draft, token }, shop.actor());
    assert.deepEqual([user.id, user.email, user.name, user.role], [1, ADA, null, 'owner']);
    for (const access of [ours, theirs]) {
      assert.deepEqual(
        listUsers(access).map(({ email, role }) => [email, role]),
        [[ADA, 'owner']],
      );
    }
    assert.equal(hasUsers(ours), true);
    await assert.rejects(setUp(ours, { ...draft, token }, shop.actor()), ENDED);
    assert.throws(() => createSetUpLink(ours, shop.actor()), refusal('conflict'));
    shop.check();
  });

  it('8 creates the organisation in a database without one', async () => {
    const db = openDatabase({ file: ':memory:', create: true, busyTimeoutMs: 20 });
    const source = { db };
    const actor = { name: 'set-up', requestId: null, nowMs: 1 };
    const token = createSetUpLink(source, actor);
    const wanted = { purpose: 'set-up', needsOrganisation: true } as const;
    assert.deepEqual(openLink(source, token, actor), wanted);
    const missing = refusal('invalid_input', /organisation are missing/);
    await assert.rejects(setUp(source, { ...draft, token }, actor), missing);
    const organisation = { name: 'New', baseCurrency: 'GBP' };
    const wrong = { ...organisation, baseCurrency: 'XXX' };
    await assert.rejects(
      setUp(source, { ...draft, token, organisation: wrong }, actor),
      refusal('invalid_input', /XXX/),
    );
    assert.deepEqual([hasUsers(source), listOrganisations(source)], [false, []]);
    await setUp(source, { ...draft, token, organisation }, actor);
    assert.equal(listUsers(accessTo(source, 'org_0000000001')).length, 1);
  });

  it('8 ends with a newer one, and with the first user', () => {
    const { shop, ours, add } = openTwo();
    const [one, two] = [0, 1].map(() => createSetUpLink(ours, shop.actor()));
    assert.throws(() => openLink(ours, one ?? '', shop.actor()), ENDED);
    assert.equal(openLink(ours, two ?? '', shop.actor()).purpose, 'set-up');
    add(ours, ADA);
    assert.throws(() => openLink(ours, two ?? '', shop.actor()), ENDED);
  });

  it('8 sets no password', async () => {
    const { shop, ours } = openTwo();
    const token = createSetUpLink(ours, shop.actor());
    const used = usePasswordLink(ours, { token, password: NEW }, shop.actor());
    await assert.rejects(used, refusal('not_found', /setting up the first user/));
  });
});
