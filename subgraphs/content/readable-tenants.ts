import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { parse as bytesOfUuid, stringify as uuidOf } from 'uuid'
import type { Clock } from '../../foundation/clock.ts'
import { InvalidInput } from '../../foundation/fault.ts'
import type { Principal } from '../../foundation/principal.ts'
import { readUrl } from '../../foundation/text/normal-form.ts'
import { isUuid } from '../../foundation/validation/values.ts'
import { outOfRange } from '../../foundation/validation/violation.ts'
import type { RevokedLinks } from './revoked-links.ts'
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
  readonly revoked: Pick<RevokedLinks, 'has'>
}

/** A signed link with the key by which it can be revoked. */
interface SignedLink {
  readonly access: string
  readonly key: string
}

/**
 * Decides which tenants a caller may read: public ones, and private ones with a role or a signed link. A private tenant of another caller is read as a
 * tenant without a tree, by the same steps, so that neither the response nor its time reveals whether it exists.
 */
export class ReadableTenants {
  readonly #private: ReadonlySet<string>
  readonly #keys: ReadableTenantsOptions['keys']
  readonly #clock: Clock
  readonly #revoked: ReadableTenantsOptions['revoked']

  constructor({ privateTenants, keys, clock, revoked }: ReadableTenantsOptions) {
    this.#private = new Set(privateTenants)
    this.#keys = keys
    this.#clock = clock
    this.#revoked = revoked
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
  async link(tenant: string, expiresAt: Date): Promise<SignedLink> {
    if (!this.isPrivate(tenant)) {
      const message = 'The tenant is public: its address needs no link'
      throw new InvalidInput(message, [{ code: 'not_private', path: ['tenantId'], message }])
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
    const key = linkKey(tenant, randomBytes(8), this.#keys[0])
    const access = await new SignJWT({ tenant })
      .setProtectedHeader({ alg: 'HS256', typ: type })
      .setAudience(audience)
      .setJti(key)
      .setIssuedAt(now)
      .setExpirationTime(end)
      .sign(this.#keys[0])
    return { access, key }
  }

  /**
   * Returns the key of a link that this component signed for a tenant, which may have ended.
   * @param link - its address, its signed part, or its key
   * @returns the problem of anything else: `mismatch` for a link to another tenant, and for a key that no link of the tenant has
   */
  async keyOf(link: string, tenant: string): Promise<{ readonly key: string } | { readonly problem: 'wrong_pattern' | 'mismatch' }> {
    const access = readUrl(link)?.searchParams.get('access') ?? link
    const named = access.toLowerCase()
    for (const secret of this.#keys) {
      if (isUuid(named)) {
        if (isLinkKey(named, tenant, secret)) return { key: named }
        continue
      }
      try {
        const { payload } = await jwtVerify(access, secret, { algorithms: ['HS256'], typ: type, audience, currentDate: new Date(0) })
        if (payload.tenant !== tenant) return { problem: 'mismatch' }
        if (payload.jti !== undefined && isUuid(payload.jti)) return { key: payload.jti }
      } catch {
        // of an earlier key, or forged
      }
    }
    return { problem: isUuid(named) ? 'mismatch' : 'wrong_pattern' }
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
        const { tenant, jti } = payload
        if (typeof tenant !== 'string') return undefined
        // links of earlier releases have no key
        return jti !== undefined && (await this.#revoked.has(`${tenant} ${jti}`)) ? undefined : tenant
      } catch {
        // of an earlier key, expired, or forged
      }
    }
    return undefined
  }
}

/** Latest end of a link that exists now. */
export const latestEnd = (clock: Clock): Date => new Date(clock.now() + maxLinkSeconds * 1000)

/**
 * Returns a key that only the signer of links can create, so that only keys of links are revoked: a UUID of version 8 (RFC 9562), the second half
 * of which authenticates the first.
 */
function linkKey(tenant: string, random: Uint8Array, secret: Uint8Array): string {
  const key = new Uint8Array(16)
  key.set(random.subarray(0, 8))
  key[6] = ((key[6] ?? 0) & 0x0f) | 0x80
  const mac = createHmac('sha256', secret).update(`key of a link\n${tenant}\n`).update(key.subarray(0, 8)).digest()
  key.set(mac.subarray(0, 8), 8)
  key[8] = ((key[8] ?? 0) & 0x3f) | 0x80
  return uuidOf(key)
}

function isLinkKey(key: string, tenant: string, secret: Uint8Array): boolean {
  const bytes = bytesOfUuid(key)
  return timingSafeEqual(bytes, bytesOfUuid(linkKey(tenant, bytes, secret)))
}
