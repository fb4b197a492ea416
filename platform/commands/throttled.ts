const everyMs = 1000

/** Calls it at most once a second. */
export function seldom<Words extends readonly unknown[]>(call: (...words: Words) => unknown): (...words: Words) => void {
  let next = performance.now() + everyMs
  return (...words) => {
    if (performance.now() < next) return
    next = performance.now() + everyMs
    call(...words)
  }
}
