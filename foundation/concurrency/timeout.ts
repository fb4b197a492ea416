/**
 * The outcome of `work`, or what `late` makes, thrown once `ms` are over or the signal is aborted. The work itself is not stopped, and what
 * becomes of it afterwards is ignored.
 */
export async function withTimeout<Result>(
  work: Promise<Result>,
  ms: number,
  signal: AbortSignal | undefined,
  late: () => unknown,
): Promise<Result> {
  // by hand: a signal made of others costs more than most work that waits here
  const limit = Promise.withResolvers<never>()
  const end = (): void => limit.reject(late())
  const timer = setTimeout(end, ms)
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  try {
    return await Promise.race([work, limit.promise])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}
