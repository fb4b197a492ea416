/**
 * Returns the outcome of `work`; throws the error of `timeoutError` after `ms`, or the reason of the signal. `work` itself is not cancelled and its later
 * outcome is ignored.
 */
export async function withTimeout<Result>(
  work: Promise<Result>,
  ms: number,
  signal: AbortSignal | undefined,
  timeoutError: () => unknown,
): Promise<Result> {
  // not AbortSignal.any: it costs more than most of the work that waits here
  const limit = Promise.withResolvers<never>()
  const end = (): void => limit.reject(timeoutError())
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
