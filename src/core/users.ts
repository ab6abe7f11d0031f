/** Users: their roles, what each role may do (contract 12), and email addresses. */

import { Failure } from './failures.ts';
import { CHARACTERS } from './limits.ts';
import { foldCase, isNotEmpty, normalized } from './text.ts';

/** Roles in an organisation, from the one that may do most. */
export const ROLES = ['owner', 'admin', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** What people may do, and the least role that may. */
export const PERMISSIONS = {
  read: 'member',
  allocate: 'member',
  review: 'member',
  exclude: 'member',
  import: 'admin',
  projects: 'admin',
  rules: 'admin',
  keys: 'admin',
  backups: 'admin',
  activity: 'admin',
  users: 'owner',
  organisation: 'owner',
  plan: 'owner',
} as const satisfies Record<string, Role>;
export type Permission = keyof typeof PERMISSIONS;

/** What each role may do besides what the roles below it may, as the end of a sentence. */
export const ROLE_DUTIES: Readonly<Record<Role, string>> = {
  owner: 'manages users, the organisation and its plan',
  admin: 'imports, manages projects, rules, keys and backups, and sees the activity',
  member: 'reads, allocates, reviews and excludes',
};

/** `a member`, `an owner`. */
export function aRole(role: Role): string {
  return role === 'member' ? `a ${role}` : `an ${role}`;
}

/** A write is refused because the role of who is signed in does not allow it. */
export class RoleForbids extends Failure {
  readonly permission: Permission;

  constructor(permission: Permission) {
    super('not_allowed', 'Your role does not allow this.');
    this.permission = permission;
  }
}

/** Everything that a role may do. */
export function listPermissions(role: Role): Permission[] {
  const all = Object.keys(PERMISSIONS) as Permission[];
  return all.filter((each) => ROLES.indexOf(role) <= ROLES.indexOf(PERMISSIONS[each]));
}

/** Throws {@link RoleForbids} if the role does not allow something. */
export function requirePermission({ role }: { readonly role: Role }, permission: Permission): void {
  if (!listPermissions(role).includes(permission)) throw new RoleForbids(permission);
}

/** Whether a change of the role (undefined: a removal) would leave nobody who is an owner. */
export function endsOwnership(from: Role, to: Role | undefined, owners: number): boolean {
  return from === 'owner' && to !== 'owner' && owners === 1;
}

/** What is invisible, or separates addresses in a list. */
const NOT_IN_EMAIL = /[\p{C}\p{Z}<>()[\]"\\,;:]/u;

/** Whether a text can be an email address. Whether it is one, only a message to it would tell. */
export function isEmail(text: string): boolean {
  if (text.length > CHARACTERS.email || NOT_IN_EMAIL.test(text)) return false;
  const [local = '', domain = '', ...more] = text.split('@');
  return local !== '' && domain.split('.').every(isNotEmpty) && more.length === 0;
}

/** The form in which addresses compare: whatever their case, and however accents were typed. */
export function foldEmail(email: string): string {
  return foldCase(normalized(email, 'NFC'));
}
