import { pause } from './lifecycle.ts'

/** a reason that is there already: without one each abort makes an exception with its stack */
const over = 'over'

/**
 * The outcome of `work`, or what `late` makes, thrown once `ms` are over or the signal is aborted. The work itself is not stopped, and what
 * becomes of it afterwards is ignored.
 */
export async function within<Result>(
  work: Promise<Result>,
  ms: number,
  signal: AbortSignal | undefined,
  late: () => unknown,
): Promise<Result> {
  const settled = new AbortController()
  const limit = pause(ms, signal === undefined ? settled.signal : AbortSignal.any([signal, settled.signal])).then(() => {
    if (!settled.signal.aborted) throw late()
    return work
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    settled.abort(over)
    limit.catch(() => undefined)
  }
}
