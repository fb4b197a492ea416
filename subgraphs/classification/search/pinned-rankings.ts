import { createHash, randomBytes } from 'node:crypto'
import type { KeyValue } from '../../../engines/key-value/key-value.ts'
import type { Hit } from '../../../engines/search-index/search-index.ts'
import { type Clock, systemClock } from '../../../foundation/clock.ts'
import { EngineUnavailable, InvalidInput } from '../../../foundation/fault.ts'

/** lifetime of a ranking since its first page */
export const pinnedMs = 10 * 60_000
/** maximum number of rankings that one client stores in ten minutes: a further one replaces the oldest of them */
const maxPerClient = 100

/** characters in base64url */
const nonceLength = 12
const idBytes = 16
const hitBytes = idBytes + 4

/**
 * Stores the ranking of a search since its first page, so that its later pages show the same results in the same order whatever is written
 * meanwhile. The key-value store limits the number of all rankings.
 */
export class PinnedRankings {
  readonly #keyValue: KeyValue
  readonly #clock: Clock

  /** @param keyValue - shared by all replicas */
  constructor(keyValue: KeyValue, clock: Clock = systemClock) {
    this.#keyValue = keyValue
    this.#clock = clock
  }

  /** Stores a ranking. @param client - identifies the client that searches  @returns its token; empty while the store is unavailable: such pages cannot be continued */
  async pin(hits: readonly Hit[], client: string): Promise<string> {
    // two periods alternate: rankings of the one before the last have expired
    const period = Math.floor(this.#clock.now() / pinnedMs) % 2
    const owner = `${createHash('sha256').update(client).digest('base64url').slice(0, 16)}${period}`
    const nonce = randomBytes((nonceLength / 4) * 3).toString('base64url')
    try {
      const slot = (await this.#keyValue.increment(`count:${owner}`, pinnedMs)) % maxPerClient
      const place = `${owner}:${slot}`
      await this.#keyValue.set(place, `${nonce}${packed(hits)}`, pinnedMs)
      return `${place}:${nonce}`
    } catch (error) {
      if (error instanceof EngineUnavailable) return ''
      throw error
    }
  }

  /** Returns the ranking of a token. @throws {InvalidInput} if it has expired or was replaced  @throws {EngineUnavailable} */
  async read(token: string): Promise<readonly Hit[]> {
    const [owner, slot, nonce = ''] = token.split(':')
    const stored = nonce.length === nonceLength ? await this.#keyValue.get(`${owner}:${slot}`) : undefined
    if (!stored?.startsWith(nonce)) throw expired()
    return unpacked(stored.slice(nonce.length))
  }
}

function expired(): InvalidInput {
  const message = `The results have expired: they are stored for ${pinnedMs / 60_000} minutes after the first page. Search again without \`after\``
  return new InvalidInput(message, [{ code: 'expired', path: ['after'], message }])
}

/** Packs ids (UUIDs) and scores as base64. */
function packed(hits: readonly Hit[]): string {
  const bytes = Buffer.alloc(hits.length * hitBytes)
  for (const [index, { id, score }] of hits.entries()) {
    bytes.write(id.replaceAll('-', ''), index * hitBytes, 'hex')
    bytes.writeFloatBE(score, index * hitBytes + idBytes)
  }
  return bytes.toString('base64')
}

function unpacked(text: string): readonly Hit[] {
  const bytes = Buffer.from(text, 'base64')
  return Array.from({ length: bytes.length / hitBytes }, (_, index) => {
    const at = index * hitBytes
    const hex = bytes.toString('hex', at, at + idBytes)
    const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    return { id, score: bytes.readFloatBE(at + idBytes) }
  })
}
