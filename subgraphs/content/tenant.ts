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

/** Returns the tenant for a change: any for a super_admin or a service, those of its groups for a group_admin. @throws {Forbidden} */
export function writableTenant(principal: Principal, named: string | null | undefined): string {
  const tenant = tenantOf(principal, named)
  const { user, service } = principal
  const may = service?.scopes.includes('admin') || user?.roles.includes('super_admin') || user?.groups.includes(tenant)
  if (!may) throw new Forbidden('None of your groups administers this tenant')
  return tenant
}
