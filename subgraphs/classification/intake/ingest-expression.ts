import type { KeyValue } from '../../../engines/key-value/key-value.ts'
import type { MessageQueue } from '../../../engines/message-queue/message-queue.ts'
import { type Clock, rfc3339 } from '../../../foundation/clock.ts'
import type { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { GroupCommit } from '../../../foundation/concurrency/group-commit.ts'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { DeadlineExceeded, EngineUnavailable, Fault } from '../../../foundation/fault.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import type { Pipeline } from '../analysis/pipeline.ts'
import type { ExpressionDocument, QueuedExpression } from '../expression/expression-document.ts'
import type { NewExpression } from '../expression/expression-input.ts'
import { indexedOf, recordOf } from '../expression/expression-mapping.ts'
import { batchedLookups, type ExpressionSources } from '../search/find-expressions.ts'
import type { RecentlyIndexed } from '../search/recently-indexed.ts'
import { enrich, type IdentifiedExpression, identify } from './enrich-expression.ts'
import { hashOfText, type IdentityKeys, type Sender } from './expression-key.ts'
import type { IngestMetrics } from './ingest-metrics.ts'

export interface Ingested {
  readonly document: ExpressionDocument
  /** false when it was already stored */
  readonly created: boolean
}

export interface IngestEngines extends ExpressionSources {
  readonly queue: MessageQueue
  readonly keyValue: KeyValue
  /** records what was put into the index */
  readonly recent: RecentlyIndexed
  readonly clock: Clock
  readonly log: Log
}

/** An expression during ingestion. */
interface IngestRequest {
  readonly identified: IdentifiedExpression
  readonly receivedAt: Date
  /** hash of the text when the external id is the key */
  readonly hash: string | undefined
  /** value that identifies equal expressions among those that claim the id */
  readonly claim: string
  readonly deadline: Deadline
  /** returns the ms until a fraction of the request's time has passed */
  readonly remainingMs: (share: number) => number
}

const claimTtlMs = 48 * 3_600_000
const gatherMs = 10
const rowsInMessage = 500
/** maximum of messages in the queue; beyond it callers are refused */
const maxWaiting = 10_000
const depthTtlMs = 1000
/** after this time the response has status pending */
const indexLimitMs = 2000
/**
 * Fractions of the request's time: after `duplicate`, a duplicate no longer waits for the holder of the claim; after `enriched`, ingestion
 * is refused; after `indexed`, the response no longer waits for the index. The rest is for the queue, which accepts nothing after the deadline.
 */
const shares = { duplicate: 0.6, enriched: 0.7, indexed: 0.9 }
/** first interval of a duplicate's polling; short, because most claims are released soon */
const firstPollMs = 50
const maxPollMs = 500

/** Ingests an expression: durable queue first, then search index, then the response. */
export class IngestExpression {
  readonly #engines: IngestEngines
  readonly #pipeline: Pipeline
  readonly #keys: IdentityKeys
  readonly #metrics: IngestMetrics
  readonly #requestLimitMs: number
  readonly #queued: GroupCommit<QueuedExpression>
  /** repeatable expressions in progress in this process by id: a concurrent duplicate gets the same result */
  readonly #inProgress = new Map<string, { readonly claim: string; readonly ingested: Promise<Ingested> }>()
  readonly #lookups: ReturnType<typeof batchedLookups>
  #depth: { readonly value: number; readonly at: number } = { value: 0, at: 0 }

  /** @param settings.requestLimitMs - time limit of a request */
  constructor(
    engines: IngestEngines,
    pipeline: Pipeline,
    settings: IdentityKeys & { readonly requestLimitMs: number },
    metrics: IngestMetrics,
  ) {
    this.#engines = engines
    this.#pipeline = pipeline
    this.#keys = settings
    this.#requestLimitMs = settings.requestLimitMs
    this.#metrics = metrics
    this.#lookups = batchedLookups(engines, withdrawn)
    this.#queued = new GroupCommit({
      gatherMs,
      maxWeight: rowsInMessage,
      write: (rows, window) => engines.queue.send('expressions', { rows }, window),
    })
  }

  /** Returns the longest current wait for the queue in ms. */
  get oldestWaitMs(): number {
    return this.#queued.oldestWaitMs
  }

  /**
   * @param sender - namespace of the id
   * @throws {Fault} CONFLICT: the external id has another text, or the expression was withdrawn; RATE_LIMITED: the queue is full
   * @throws {EngineUnavailable} when the queue is unavailable: nothing was written
   * @throws {DeadlineExceeded} when the analysis took too long: nothing was written
   * @throws {OutcomeUnknown} when it is unknown whether the queue has it
   */
  async ingest(expression: NewExpression, sender: Sender, deadline: Deadline): Promise<Ingested> {
    const { signal } = deadline
    const end = performance.now() + Math.min(deadline.remainingMs, this.#requestLimitMs)
    const remainingMs = (share: number): number => Math.max(0, end - (1 - share) * this.#requestLimitMs - performance.now())
    if (remainingMs(shares.enriched) === 0) throw new DeadlineExceeded()
    await this.#refuseWhenFull(signal)
    const receivedAt = new Date(this.#engines.clock.now())
    const identified = identify(expression, sender, receivedAt, this.#keys)
    const { id, repeatable, text } = identified
    // without an external id the text is part of the key, except for case and spaces
    const hash = expression.externalId === null ? undefined : hashOfText(text)
    const claim = hash ?? id
    const request: IngestRequest = { identified, receivedAt, hash, claim, deadline, remainingMs }
    if (!repeatable) return this.#ingestOne(request, signal)
    const concurrent = this.#inProgress.get(id)
    if (concurrent?.claim === claim) {
      const earlier = await withTimeout(concurrent.ingested, remainingMs(shares.duplicate), signal, () => new DeadlineExceeded()).catch(
        () => undefined,
      )
      if (earlier !== undefined) return this.#repeated(earlier.document)
      signal.throwIfAborted()
    }
    const ingested = this.#ingestOne(request, signal)
    const inProgress = { claim, ingested }
    this.#inProgress.set(id, inProgress)
    try {
      return await ingested
    } finally {
      if (this.#inProgress.get(id) === inProgress) this.#inProgress.delete(id)
    }
  }

  #repeated(document: ExpressionDocument): Ingested {
    this.#metrics.ingested(document, false)
    return { document, created: false }
  }

  async #ingestOne(request: IngestRequest, signal: AbortSignal): Promise<Ingested> {
    const { identified, receivedAt, deadline, remainingMs } = request
    const { id, repeatable } = identified
    const duplicate = repeatable ? await this.#duplicateOf(request, signal) : undefined
    if (duplicate !== undefined) return this.#repeated(duplicate)
    const enqueue = async (): Promise<QueuedExpression> => {
      const enriched = enrich(this.#pipeline, identified, receivedAt, signal)
      const enrichedRow = await withTimeout(enriched, remainingMs(shares.enriched), signal, () => new DeadlineExceeded())
      await this.#queued.add([enrichedRow], deadline)
      return enrichedRow
    }
    const queued = await enqueue().catch(async (error) => {
      // the claim would delay a repeated request
      if (repeatable) await this.#engines.keyValue.delete(claimOf(id)).catch(() => undefined)
      throw error
    })
    this.#metrics.ingested(queued.document, true)
    return { document: await this.#index(queued, !repeatable, Math.min(indexLimitMs, remainingMs(shares.indexed))), created: true }
  }

  /**
   * Returns the document with its index time; without it when the index is unavailable, and the worker indexes it later.
   * @param isNew - the id is unused
   */
  async #index(queued: QueuedExpression, isNew: boolean, limitMs: number): Promise<ExpressionDocument> {
    const { index, clock, log, recent } = this.#engines
    const indexedAt = rfc3339(clock.now())
    const record = recordOf(queued)
    const put = index.put([indexedOf(record, indexedAt, record.embeddingModel ?? '')], { areNew: isNew, isSoonEnough: true })
    const indexed = withTimeout(
      put,
      limitMs,
      undefined,
      () => new EngineUnavailable('search index', new Error(`no response within ${limitMs} ms`)),
    )
    recent.note(
      record.id,
      queued.document.revision,
      indexed.then(
        () => indexedAt,
        () => undefined,
      ),
    )
    try {
      await indexed
      return { ...queued.document, indexedAt }
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error
      log.warn({ reason: error.message }, 'an expression is queued but not indexed yet')
      return queued.document
    }
  }

  /** Returns the stored expression if it was sent before. The first to claim the id writes it; a concurrent duplicate waits for it. */
  async #duplicateOf(request: IngestRequest, signal: AbortSignal): Promise<ExpressionDocument | undefined> {
    const { keyValue } = this.#engines
    const { identified, claim, remainingMs } = request
    const { id } = identified
    const duplicateLimitMs = remainingMs(shares.duplicate)
    const claimed = await this.#orUndefined(() => keyValue.setIfAbsent(claimOf(id), claim, claimTtlMs))
    if (claimed === false) {
      const holder = await this.#orUndefined(() => keyValue.get(claimOf(id)))
      if (holder !== undefined && holder !== claim) {
        const duplicate = await this.#stored(request)
        if (duplicate === undefined) throw conflict()
        return duplicate
      }
    }
    // a claim that stays unfulfilled belongs to a process that ended: then this request ingests the expression
    const until = performance.now() + (claimed === false ? duplicateLimitMs : 0)
    let wait = firstPollMs
    for (;;) {
      const stored = await this.#stored(request).catch(async (error) => {
        if (claimed) await this.#orUndefined(() => keyValue.delete(claimOf(id)))
        throw error
      })
      // the former id stays in use; the current one is free for another text
      if (claimed && stored !== undefined && stored.id !== id) await this.#orUndefined(() => keyValue.delete(claimOf(id)))
      if (stored !== undefined || performance.now() >= until) return stored
      await pause(wait, signal)
      wait = Math.min(2 * wait, maxPollMs)
      signal.throwIfAborted()
    }
  }

  /**
   * Returns the stored expression under its id or the id of releases before 2.0. Those had no senders: another text under a former id is
   * another expression.
   * @throws {Fault} CONFLICT for another text under its id, or when it was withdrawn
   */
  async #stored({ identified: { id, formerId }, hash }: IngestRequest): Promise<ExpressionDocument | undefined> {
    const load = (each: string | null) => (each === null ? undefined : this.#orUndefined(() => this.#lookups.load(each)))
    const [present, former] = await Promise.allSettled([load(id), load(formerId)])
    if (present.status === 'rejected') throw present.reason
    const isSame = (document: ExpressionDocument): boolean => hash === undefined || hashOfText(document.text) === hash
    if (present.value !== undefined && isSame(present.value)) return present.value
    if (former.status === 'rejected') throw former.reason
    if (former.value !== undefined && isSame(former.value)) return former.value
    if (present.value !== undefined) throw conflict()
    return undefined
  }

  /** Returns undefined while the engine is unavailable: the upsert by id removes duplicates later. */
  async #orUndefined<Answer>(request: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await request()
    } catch (error) {
      if (error instanceof EngineUnavailable) return undefined
      throw error
    }
  }

  async #refuseWhenFull(signal: AbortSignal): Promise<void> {
    const { queue, clock } = this.#engines
    // also after the clock was set back
    if (Math.abs(clock.now() - this.#depth.at) > depthTtlMs) {
      // concurrent requests use the previous value meanwhile
      this.#depth = { value: this.#depth.value, at: clock.now() }
      this.#depth = { value: await queue.depth(signal), at: clock.now() }
    }
    if (this.#depth.value > maxWaiting)
      throw new Fault('RATE_LIMITED', 'Too many expressions wait to be written; try again', { retryAfterMs: 5000 })
  }
}

const claimOf = (id: string): string => `expression:${id}`
const conflict = (): Fault => new Fault('CONFLICT', 'An expression with this externalId exists with another text')
/** A withdrawn expression would be searchable again until the next comparison of index and store. */
const withdrawn = (): Fault => new Fault('CONFLICT', 'This expression was withdrawn')
