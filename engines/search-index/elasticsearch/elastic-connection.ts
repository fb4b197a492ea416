import { type Client, errors } from '@elastic/elasticsearch'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { EngineRefusal } from '../../../foundation/engine-start/engine-opening.ts'
import { EngineUnavailable, Fault, messageOf } from '../../../foundation/fault.ts'
import { type ElasticAddress, elasticClient } from './elastic-client.ts'
import { WriteRefused } from './elastic-writes.ts'

/** time limits of a query with a waiting client, and of a write or count */
export const requestLimitMs = 3000
const workLimitMs = 15_000
/** duration of failing fast after a query timeout */
const restMs = 1000

/** Elasticsearch with time limits; missing indices are created by `ensure` and the request is repeated. */
export class ElasticConnection {
  readonly client: Client
  readonly #ensure: () => Promise<void>
  #restsUntil = 0

  /** @param ensure - creates what is missing; safe to call concurrently */
  constructor(address: ElasticAddress, ensure: () => Promise<void>) {
    this.client = elasticClient(address, workLimitMs)
    this.#ensure = ensure
  }

  /** @throws {EngineUnavailable} also shortly after a timeout */
  async question<Answer>(ask: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    if (performance.now() < this.#restsUntil) throw new EngineUnavailable('search index', new Error('the last query timed out'))
    return this.#ask(ask, requestLimitMs, signal)
  }

  /** @throws {EngineUnavailable} */
  work<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    return this.#ask(ask, workLimitMs, undefined)
  }

  async #ask<Answer>(ask: () => Promise<Answer>, limitMs: number, signal: AbortSignal | undefined): Promise<Answer> {
    const timeoutError = (): Error => {
      if (!signal?.aborted) this.#restsUntil = performance.now() + restMs
      return new Error(`no response within ${limitMs} ms`)
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
      return await withTimeout(twice(), limitMs, signal, timeoutError)
    } catch (error) {
      throw failureOf(error)
    }
  }
}

/** The index was deleted, by hand or because another has replaced it. */
const isMissing = (error: unknown): boolean => statusOf(error) === 404

const statusOf = (error: unknown): number | undefined =>
  error instanceof errors.ResponseError || error instanceof WriteRefused
    ? error instanceof WriteRefused
      ? error.status
      : error.statusCode
    : undefined

/** Client errors contain the request with texts of citizens; only the message is kept. */
function failureOf(error: unknown): Error {
  if (error instanceof Fault || error instanceof EngineRefusal) return error
  const sentence = new Error(messageOf(error))
  return statusOf(error) === 400 ? sentence : new EngineUnavailable('search index', sentence)
}

export const isConflict = (error: unknown): boolean =>
  error instanceof errors.ResponseError && messageOf(error).includes('resource_already_exists')
