const everyMs = 1000

/** Returns a function that calls `call` at most once per second and drops calls in between. */
export function throttled<Words extends readonly unknown[]>(call: (...words: Words) => unknown): (...words: Words) => void {
  let next = performance.now() + everyMs
  return (...words) => {
    if (performance.now() < next) return
    next = performance.now() + everyMs
    call(...words)
  }
}
