import { NoAnswerError } from '../errors/civigraph-error.ts'

/**
 * Returns a `fetch` with a time limit for the whole response; the caller's own signal still applies.
 * @throws {NoAnswerError} when no response arrives within `timeoutMs`, or the connection fails
 */
export function boundedFetch(send: typeof fetch, timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const callerSignal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      return await send(input, { ...init, signal: callerSignal == null ? timeout : AbortSignal.any([callerSignal, timeout]) })
    } catch (error) {
      if (callerSignal?.aborted === true) throw error
      const sentence = timeout.aborted ? `No response within ${timeoutMs} ms` : 'The platform cannot be reached'
      throw new NoAnswerError(sentence, {}, error)
    }
  }
}
