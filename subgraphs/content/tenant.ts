import { Forbidden, InvalidInput } from '../../foundation/fault.ts'
import { serviceWith, userWith } from '../../foundation/graphql/authorisation.ts'
import type { Principal } from '../../foundation/principal.ts'
import { isTenant } from '../../foundation/validation/tenant.ts'

/** Who may change content at all; of which tenants, `writableTenant` says. */
export const editors = [userWith('super_admin', 'group_admin'), serviceWith('admin')] as const

/**
 * The tenant that a caller means: the one that is named, else the token's, else `default`.
 * @param argument - what names it
 * @throws {InvalidInput} for a name that is none  @throws {Forbidden} when the token belongs to another tenant
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

/** Likewise, for a change: a super_admin and a service may write any tenant, a group_admin those of its groups. @throws {Forbidden} */
export function writableTenant(principal: Principal, named: string | null | undefined): string {
  const tenant = tenantOf(principal, named)
  const { user, service } = principal
  const may = service?.scopes.includes('admin') || user?.roles.includes('super_admin') || user?.groups.includes(tenant)
  if (!may) throw new Forbidden('None of your groups administers this tenant')
  return tenant
}
