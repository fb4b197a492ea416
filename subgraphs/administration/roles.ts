import { type AuthorisationRule, userWith } from '../../foundation/graphql/authorisation.ts'
import type { Principal } from '../../foundation/principal.ts'

/** Roles of this component; other roles in a token are ignored. */
const knownRoles = ['super_admin', 'group_admin', 'reviewer'] as const
export type AdministratorRole = (typeof knownRoles)[number]
/** roles that may sign in */
export const staff = [userWith(...knownRoles)] as const
export const administrators = [userWith('super_admin', 'group_admin')] as const

const loggedIn = new WeakSet<object>()

/** Allows the caller that has just signed in to read this administrator: the credentials are in the response. */
export function readableByLogin<Shown extends object>(administrator: Shown): Shown {
  loggedIn.add(administrator)
  return administrator
}

export const loginCaller: AuthorisationRule = {
  who: 'the login that returned it',
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

/** Returns the permissions of these roles, for a user interface that hides other actions. The authorisation rules on the fields decide. */
export function permissionsWith(roles: readonly string[]): readonly Permission[] {
  return [...new Set(rolesOf(roles).flatMap((role) => permissionsOf[role]))]
}

/** Returns the groups whose delegations a caller may see: all for a super_admin, their groups for a group_admin, otherwise none. */
export function visibleGroups({ user }: Principal): readonly string[] | 'all' {
  if (user?.roles.includes('super_admin')) return 'all'
  return user?.roles.includes('group_admin') ? user.groups : []
}

/** Returns the visible groups that a filter requests. @param group - undefined: all visible ones */
export function groupsWithin({
  groups,
  group,
}: {
  readonly groups: readonly string[] | 'all'
  readonly group?: string | undefined
}): readonly string[] | 'all' {
  if (group === undefined) return groups
  return groups === 'all' || groups.includes(group) ? [group] : []
}
