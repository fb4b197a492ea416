import { Forbidden, InvalidInput } from '../../foundation/fault.ts'
import { serviceWith, userWith } from '../../foundation/graphql/authorisation.ts'
import type { Principal } from '../../foundation/principal.ts'
import { isTenant } from '../../foundation/validation/values.ts'

/** Roles that may change content; `writableTenant` restricts the tenants. */
export const editors = [userWith('super_admin', 'group_admin'), serviceWith('admin')] as const

/**
 * Returns the requested tenant, by default that of the token, otherwise `default`.
 * @param argument - name of the argument for errors
 * @throws {InvalidInput} for a malformed name  @throws {Forbidden} when the token belongs to another tenant
 */
export function tenantOf({ user }: Principal, named: string | null | undefined, argument = 'tenantId'): string {
  const tenant = named ?? user?.tenant ?? 'default'
  if (!isTenant(tenant)) {
    const message = 'The tenant must be 1 to 63 characters of a-z, 0-9 and -'
    throw new InvalidInput(message, [{ code: 'wrong_pattern', path: [argument], message }])
  }
  if (user?.tenant !== undefined && user.tenant !== tenant) throw new Forbidden('The token belongs to another tenant')
  return tenant
}

/** Whether the caller administers a tenant: a super_admin or a service each of them, a group_admin those of its groups. */
export function administers({ user, service }: Principal, tenant: string): boolean {
  if (service?.scopes.includes('admin') || user?.roles.includes('super_admin')) return true
  return user?.roles.includes('group_admin') === true && user.groups.includes(tenant)
}

/** Returns the tenant for a change, by default that of a read. @throws {Forbidden} if the caller does not administer it */
export function writableTenant(principal: Principal, named: string | null | undefined): string {
  const tenant = tenantOf(principal, named)
  if (!administers(principal, tenant)) throw new Forbidden('None of your groups administers this tenant')
  return tenant
}
