const everyMs = 1000

/** Calls it at most once a second; what comes between is left out. */
export function throttled<Words extends readonly unknown[]>(call: (...words: Words) => unknown): (...words: Words) => void {
  let next = performance.now() + everyMs
  return (...words) => {
    if (performance.now() < next) return
    next = performance.now() + everyMs
    call(...words)
  }
}
