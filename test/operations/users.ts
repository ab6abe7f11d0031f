/** Users for tests, with a password whose hash costs next to nothing. */

import type { Access } from '../../src/store/access.ts';
import { addUser, type UserRecord } from '../../src/store/users.ts';
import { Workshop } from '../store/workshop.ts';

/** The password of every user here. */
export const PASSWORD = 'tall green ladder';

/** Its hash: scrypt of it and `salt` with N 16, r 1 and p 1, by another program. */
export const CHEAP = 'scrypt:16:1:1:c2FsdA==:oVLht3hYpEl4a9ii3pNL/fV4fBBQb3qXVT0xT0LLTF0=';

/** Two organisations in one database. */
export function openTwo(file?: string) {
  const shop = new Workshop(file);
  const ours: Access = { db: shop.db, organisation: shop.organisation };
  const theirs: Access = { db: shop.db, organisation: shop.addOrganisation('GBP', 'Theirs') };
  const add = (access: Access, email: string, role: UserRecord['role'] = 'owner') => {
    const draft = { email, name: null, role, password: CHEAP };
    return addUser(access, draft, shop.actor()).user;
  };
  return { shop, ours, theirs, add };
}
