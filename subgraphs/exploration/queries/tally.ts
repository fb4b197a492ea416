import type { Sentiment } from '../../../foundation/filter/expression-filter.ts'
import { unpackCounts } from '../roll-ups/packed-counts.ts'
import type { RollUpKey } from '../roll-ups/roll-up-keys.ts'

const sentiments: readonly (Sentiment | null)[] = [null, 'positive', 'neutral', 'negative']

/** Sums of packed counts. */
export class Tally {
  /** number of all expressions, selected or not */
  all = 0
  count = 0
  /** sum of keys weighted by count: when one expression remains, this is its key */
  keySum = 0
  /** none, positive, neutral, negative */
  readonly sentiments: [number, number, number, number] = [0, 0, 0, 0]
  /** by number of the domain */
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

/** Adds up packed counts of the selected keys. Properties of keys are stored in arrays, because a large answer adds a million counts. */
export class CountTally {
  /** domains of keys, in order */
  readonly domains: readonly string[]
  /** numbers of the selected keys; undefined selects all */
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

  /** @param times - 1 to add, -1 to subtract  @returns the number of selected expressions */
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
