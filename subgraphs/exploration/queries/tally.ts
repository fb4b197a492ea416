import type { Sentiment } from '../../../foundation/filter/expression-filter.ts'
import { unpackCounts } from '../roll-ups/packed-counts.ts'
import type { RollUpKey } from '../roll-ups/roll-up-keys.ts'

const sentiments: readonly (Sentiment | null)[] = [null, 'positive', 'neutral', 'negative']

/** What packed counts add up to. */
export class Tally {
  /** all there was, wanted or not */
  all = 0
  count = 0
  /** of keys, each as often as it counts: where one expression is left, this is its key */
  keySum = 0
  /** without a sentiment, positive, neutral, negative */
  readonly sentiments: [number, number, number, number] = [0, 0, 0, 0]
  /** by the number of a domain */
  readonly domains: number[]

  constructor(domains: number) {
    this.domains = new Array<number>(domains).fill(0)
  }

  get positive(): number {
    return this.sentiments[1]
  }
  get neutral(): number {
    return this.sentiments[2]
  }
  get negative(): number {
    return this.sentiments[3]
  }
}

/** Adds packed counts of the keys that are wanted. What it needs of each key stands in arrays: a large answer adds up a million of them. */
export class Tallying {
  /** the domains that keys have, in order */
  readonly domains: readonly string[]
  /** the keys that are wanted; undefined: all there are */
  readonly wantedKeys: readonly number[] | undefined
  readonly #wanted: Uint8Array
  readonly #sentiment: Uint8Array
  readonly #domain: Int16Array

  constructor(keys: readonly (RollUpKey | undefined)[], wanted: readonly boolean[]) {
    this.domains = [...new Set(keys.flatMap((key) => key?.domain ?? []))].sort()
    const numbers = new Map(this.domains.map((id, index) => [id, index]))
    this.#wanted = Uint8Array.from(wanted, Number)
    this.#sentiment = Uint8Array.from(keys, (key) => Math.max(0, sentiments.indexOf(key?.sentiment ?? null)))
    this.#domain = Int16Array.from(keys, (key) => numbers.get(key?.domain ?? '') ?? -1)
    const isAll = keys.every((key, index) => key === undefined || wanted[index])
    this.wantedKeys = isAll ? undefined : wanted.flatMap((is, key) => (is ? [key] : []))
  }

  wants(key: number): boolean {
    return this.#wanted[key] === 1
  }

  fresh(): Tally {
    return new Tally(this.domains.length)
  }

  /** @param times - 1, or -1 to take them away   @returns how many were wanted */
  add(tally: Tally, packed: string, times: number): number {
    const before = tally.count
    unpackCounts(packed, (key, count) => this.addOne(tally, key, times * count))
    return tally.count - before
  }

  addOne(tally: Tally, key: number, count: number): void {
    tally.all += count
    if (this.#wanted[key] !== 1) return
    tally.count += count
    tally.keySum += key * count
    const sentiment = this.#sentiment[key] ?? 0
    tally.sentiments[sentiment] = (tally.sentiments[sentiment] ?? 0) + count
    const domain = this.#domain[key] ?? -1
    if (domain >= 0) tally.domains[domain] = (tally.domains[domain] ?? 0) + count
  }
}
