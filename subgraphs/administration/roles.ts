import { type AuthorisationRule, userWith } from '../../foundation/graphql/authorisation.ts'
import type { Principal } from '../../foundation/principal.ts'

/** Roles that this component knows; what else a token may hold means nothing here. */
const knownRoles = ['super_admin', 'group_admin', 'reviewer'] as const
export type AdministratorRole = (typeof knownRoles)[number]
/** who logs in here */
export const staff = [userWith(...knownRoles)] as const
export const administrators = [userWith('super_admin', 'group_admin')] as const

const loggedIn = new WeakSet<object>()

/** Lets whoever has just logged in as this administrator read it: their credentials come with the answer. */
export function shownToWhoLoggedIn<Shown extends object>(administrator: Shown): Shown {
  loggedIn.add(administrator)
  return administrator
}

export const whoLoggedIn: AuthorisationRule = {
  who: 'the login that answers it',
  allows: (_, root) => typeof root === 'object' && root !== null && loggedIn.has(root),
}

export const permissions = [
  'delegations:read',
  'citizens:read',
  'citizens:erase',
  'content:write',
  'taxonomy:write',
  'expressions:moderate',
  'verifications:review',
] as const
export type Permission = (typeof permissions)[number]

const permissionsOf = {
  super_admin: permissions,
  group_admin: ['delegations:read', 'content:write'],
  reviewer: ['verifications:review'],
} as const satisfies Record<AdministratorRole, readonly Permission[]>

export function rolesOf(roles: readonly string[]): readonly AdministratorRole[] {
  return knownRoles.filter((role) => roles.includes(role))
}

/** What somebody with these roles may do, for a user interface that shows only what works. The rules on the fields decide. */
export function permissionsWith(roles: readonly string[]): readonly Permission[] {
  return [...new Set(rolesOf(roles).flatMap((role) => permissionsOf[role]))]
}

/** Which groups' delegations a caller sees: a super_admin all, a group_admin those of its groups, others none. */
export function visibleGroups({ user }: Principal): readonly string[] | 'all' {
  if (user?.roles.includes('super_admin')) return 'all'
  return user?.roles.includes('group_admin') ? user.groups : []
}
