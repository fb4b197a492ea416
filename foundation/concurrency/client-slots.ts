import { Fault, Overloaded } from '../fault.ts'
import { networkOf } from '../network-address.ts'
import type { Principal } from '../principal.ts'

/** A slot that one connection or stream of a client occupies. */
export interface ClientSlot {
  /** Also counts the slot for the authenticated caller. @throws {Fault} RATE_LIMITED if the caller has reached its limit */
  assign(principal: Principal): void
  /** Frees the slot; idempotent. */
  release(): void
}

/** Delay after which a refused client may try again, ms. */
export const slotRetryMs = 5000

/** Limits concurrent connections and streams: in total, per address (IPv6: /64) and per authenticated caller. */
export class ClientSlots {
  readonly #total: number
  readonly #perClient: number
  readonly #parent: ClientSlots | undefined
  readonly #counts = new Map<string, number>()
  #size = 0

  /**
   * @param perClient - limit per address and per caller
   * @param parent - slots of the whole process; each slot also counts there
   */
  constructor({
    total,
    perClient,
    parent,
  }: { readonly total?: number; readonly perClient?: number; readonly parent?: ClientSlots | undefined } = {}) {
    this.#total = total ?? Number.POSITIVE_INFINITY
    this.#perClient = perClient ?? Number.POSITIVE_INFINITY
    this.#parent = parent
  }

  get isFull(): boolean {
    return this.#size >= this.#total || this.#parent?.isFull === true
  }

  /** Whether an address has reached its limit. */
  isExhausted(address: string | undefined): boolean {
    return (this.#counts.get(keyOfAddress(address)) ?? 0) >= this.#perClient || this.#parent?.isExhausted(address) === true
  }

  /**
   * @throws {Fault} RATE_LIMITED if the address has reached its limit
   * @throws {Overloaded} if all slots are taken
   */
  take(address: string | undefined): ClientSlot {
    if (this.isExhausted(address)) throw tooMany('address')
    if (this.isFull) throw new Overloaded(slotRetryMs)
    const inProcess = this.#parent?.take(address)
    const held = [keyOfAddress(address)]
    this.#size += 1
    this.#add(keyOfAddress(address), 1)
    let isHeld = true
    return {
      assign: ({ user, service }) => {
        if (!isHeld || (user === undefined && service === undefined)) return
        const caller = JSON.stringify([user?.issuer, user?.subject, service?.name])
        if ((this.#counts.get(caller) ?? 0) >= this.#perClient) throw tooMany('caller')
        held.push(caller)
        this.#add(caller, 1)
      },
      release: () => {
        if (!isHeld) return
        isHeld = false
        this.#size -= 1
        for (const key of held) this.#add(key, -1)
        inProcess?.release()
      },
    }
  }

  #add(key: string, change: 1 | -1): void {
    const count = (this.#counts.get(key) ?? 0) + change
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }
}

const keyOfAddress = (address = 'unknown'): string => networkOf(address)

const tooMany = (holder: 'address' | 'caller'): Fault =>
  new Fault('RATE_LIMITED', `Too many connections from this ${holder}: close one or try again later`, { retryAfterMs: slotRetryMs })
