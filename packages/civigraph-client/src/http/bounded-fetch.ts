import { NoAnswerError } from '../errors/civigraph-error.ts'

/**
 * Returns a `fetch` with a time limit for the whole response; the caller's own signal still applies.
 * @throws {NoAnswerError} when no response arrives within `timeoutMs`, or the connection fails
 */
export function boundedFetch(send: typeof fetch, timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const given = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    const late = AbortSignal.timeout(timeoutMs)
    try {
      return await send(input, { ...init, signal: given == null ? late : AbortSignal.any([given, late]) })
    } catch (error) {
      if (given?.aborted === true) throw error
      const sentence = late.aborted ? `No answer within ${timeoutMs} ms` : 'The platform cannot be reached'
      throw new NoAnswerError(sentence, {}, error)
    }
  }
}
