/** Pseudo-random numbers, the same for the same seed. */
export interface SeededRandom {
  /** 0 (inclusive) to 1 (exclusive) */
  next(): number
  between(from: number, to: number): number
  /** Returns one of the items; @throws if there are no items */
  pick<Item>(items: readonly Item[]): Item
}

/** Mulberry32 (Ettinger, 2017): 32 bits of state, sufficient for drawings. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  return {
    next,
    between: (from, to) => from + (to - from) * next(),
    pick(items) {
      const item = items[Math.floor(next() * items.length)]
      if (item === undefined) throw new RangeError('Nothing to pick from')
      return item
    },
  }
}
