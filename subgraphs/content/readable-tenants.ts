import { jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../../foundation/clock.ts'
import { InvalidInput } from '../../foundation/fault.ts'
import type { Principal } from '../../foundation/principal.ts'
import { invalid, outOfRange } from '../../foundation/validation/violation.ts'
import { administers, tenantOf } from './tenant.ts'

const audience = 'civigraph:content'
const type = 'content-link+jwt'
/** longest lifetime of a link */
const maxLinkDays = 30
const maxLinkSeconds = maxLinkDays * 86_400
/** longer than any link that this component signs */
const maxLinkLength = 1000

/** The tenant of a read. */
interface ReadableTenant {
  /** as requested */
  readonly id: string
  /** name under which the tree is looked up: for a private tenant that the caller may not read one that no tenant has */
  readonly tree: string
}

interface ReadableTenantsOptions {
  readonly privateTenants: readonly string[]
  /** sign links, 32 bytes each; the first one signs, the others are earlier keys */
  readonly keys: readonly [Uint8Array, ...Uint8Array[]]
  readonly clock: Clock
}

/**
 * Decides which tenants a caller may read: public ones, and private ones with a role or a signed link. A private tenant of another caller is read as a
 * tenant without a tree, by the same steps, so that neither the response nor its time reveals whether it exists.
 */
export class ReadableTenants {
  readonly #private: ReadonlySet<string>
  readonly #keys: ReadableTenantsOptions['keys']
  readonly #clock: Clock

  constructor({ privateTenants, keys, clock }: ReadableTenantsOptions) {
    this.#private = new Set(privateTenants)
    this.#keys = keys
    this.#clock = clock
  }

  isPrivate(tenant: string): boolean {
    return this.#private.has(tenant)
  }

  /**
   * Returns the tenant to read, by default that of the token, otherwise `default`. @throws as `tenantOf`
   * @param argument - name of the argument for errors
   */
  async of(principal: Principal, named: string | null | undefined, argument?: string): Promise<ReadableTenant> {
    const id = tenantOf(principal, named, argument)
    // verified also for public tenants, so that a link takes the same time for each
    const linked = await this.#linked(principal.accessLink)
    const mayRead = !this.isPrivate(id) || linked === id || administers(principal, id)
    // no tenant name contains a dot
    return { id, tree: mayRead ? id : `.${id}` }
  }

  /** Signs a link to a private tenant. @throws {InvalidInput} for a public tenant, and for an end in the past or more than 30 days ahead */
  async link(tenant: string, expiresAt: Date): Promise<string> {
    if (!this.isPrivate(tenant)) {
      const message = 'The tenant is public: its address needs no link'
      throw new InvalidInput(message, [invalid(['tenantId'], message)])
    }
    const now = Math.floor(this.#clock.now() / 1000)
    const end = Math.floor(expiresAt.getTime() / 1000)
    if (end <= now || end > now + maxLinkSeconds) {
      const violation = {
        ...outOfRange(['expiresAt'], now + 1, now + maxLinkSeconds),
        message: `should be within the next ${maxLinkDays} days`,
      }
      throw new InvalidInput(`expiresAt ${violation.message}`, [violation])
    }
    return new SignJWT({ tenant })
      .setProtectedHeader({ alg: 'HS256', typ: type })
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(end)
      .sign(this.#keys[0])
  }

  /** Returns the tenant of a valid link. */
  async #linked(link: string | undefined): Promise<string | undefined> {
    if (link === undefined || link.length > maxLinkLength) return undefined
    for (const key of this.#keys) {
      try {
        const { payload } = await jwtVerify(link, key, {
          algorithms: ['HS256'],
          typ: type,
          audience,
          requiredClaims: ['tenant', 'iat', 'exp'],
          currentDate: new Date(this.#clock.now()),
          maxTokenAge: maxLinkSeconds,
        })
        return typeof payload.tenant === 'string' ? payload.tenant : undefined
      } catch {
        // of an earlier key, expired, or forged
      }
    }
    return undefined
  }
}
