import { type Client, errors } from '@elastic/elasticsearch'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { EngineRefusal } from '../../../foundation/engine-start/engine-refusal.ts'
import { EngineUnavailable, Fault, messageOf } from '../../../foundation/fault.ts'
import { type ElasticAddress, elasticClient } from './elastic-client.ts'
import { WriteRefused } from './elastic-writes.ts'

/** longest answers: of a question that somebody waits for, of a write or a count */
export const questionLimitMs = 3000
const workLimitMs = 15_000
/** after a question that was not answered in time nobody waits for as long as this */
const restMs = 1000

/** Elasticsearch, asked with a time limit; indices that are missing are made by `ensure`, and the question is asked again. */
export class ElasticConnection {
  readonly client: Client
  readonly #ensure: () => Promise<void>
  #restsUntil = 0

  /** @param ensure - makes what is missing; may be called by many at once */
  constructor(address: ElasticAddress, ensure: () => Promise<void>) {
    this.client = elasticClient(address, workLimitMs)
    this.#ensure = ensure
  }

  /** @throws {EngineUnavailable} also when it did not answer a moment ago */
  async question<Answer>(ask: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    if (performance.now() < this.#restsUntil) throw new EngineUnavailable('search index', new Error('it did not answer a moment ago'))
    return this.#ask(ask, questionLimitMs, signal)
  }

  /** @throws {EngineUnavailable} */
  work<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    return this.#ask(ask, workLimitMs, undefined)
  }

  async #ask<Answer>(ask: () => Promise<Answer>, limitMs: number, signal: AbortSignal | undefined): Promise<Answer> {
    const late = (): Error => {
      if (!signal?.aborted) this.#restsUntil = performance.now() + restMs
      return new Error(`no answer within ${limitMs} ms`)
    }
    const twice = async (): Promise<Answer> => {
      try {
        return await ask()
      } catch (error) {
        if (!isMissing(error)) throw error
        await this.#ensure()
        return await ask()
      }
    }
    try {
      return await withTimeout(twice(), limitMs, signal, late)
    } catch (error) {
      throw failureOf(error)
    }
  }
}

/** An index was removed, by hand or because another has taken its place. */
const isMissing = (error: unknown): boolean => statusOf(error) === 404

const statusOf = (error: unknown): number | undefined =>
  error instanceof errors.ResponseError || error instanceof WriteRefused
    ? error instanceof WriteRefused
      ? error.status
      : error.statusCode
    : undefined

/** The client's own errors hold the request, which holds what citizens have said: only their sentence goes on. */
function failureOf(error: unknown): Error {
  if (error instanceof Fault || error instanceof EngineRefusal) return error
  const sentence = new Error(messageOf(error))
  return statusOf(error) === 400 ? sentence : new EngineUnavailable('search index', sentence)
}

export const isConflict = (error: unknown): boolean =>
  error instanceof errors.ResponseError && messageOf(error).includes('resource_already_exists')
