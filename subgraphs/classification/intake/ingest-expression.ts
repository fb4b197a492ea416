import DataLoader from 'dataloader'
import type { OutboxQueue } from '../../../engines/message-queue/outbox-queue.ts'
import type { Database, Transaction } from '../../../engines/relational/database.ts'
import type { SearchIndex } from '../../../engines/search-index/search-index.ts'
import { type Clock, rfc3339 } from '../../../foundation/clock.ts'
import type { CommitWindow, Deadline } from '../../../foundation/concurrency/deadline.ts'
import { GroupCommit } from '../../../foundation/concurrency/group-commit.ts'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { DeadlineExceeded, EngineUnavailable, Fault } from '../../../foundation/fault.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { type Pipeline, pipelineVersion } from '../analysis/pipeline.ts'
import type { ExpressionDocument, QueuedExpression } from '../expression/expression-document.ts'
import { type AcceptedExpression, claimIdentities, type ExpressionIdentity, readAccepted } from '../expression/expression-identities.ts'
import type { NewExpression } from '../expression/expression-input.ts'
import { indexedOf, recordOf } from '../expression/expression-mapping.ts'
import type { ExpressionScreening } from '../screening/screen-expressions.ts'
import type { RecentIndexTimes } from '../search/recently-indexed.ts'
import { enrich, type IdentifiedExpression, identify } from './enrich-expression.ts'
import { digestVersion, type IdentityKeys, type Sender } from './expression-key.ts'
import type { IngestMetrics } from './ingest-metrics.ts'

export interface IngestResult {
  readonly document: ExpressionDocument
  /** false when it was already stored */
  readonly created: boolean
  /** whether it is not public until a person releases it */
  readonly isHeld: boolean
}

export interface IngestEngines {
  readonly database: Database
  readonly queue: OutboxQueue
  readonly index: SearchIndex
  /** records what was put into the index */
  readonly recent: RecentIndexTimes
  /** absent: no expression is flagged or held */
  readonly screening?: ExpressionScreening | undefined
  readonly clock: Clock
  readonly log: Log
}

/** An expression during ingestion. */
interface IngestRequest {
  readonly identified: IdentifiedExpression
  readonly receivedAt: Date
  readonly deadline: Deadline
  /** returns the ms until a fraction of the request's time has passed */
  readonly remainingMs: (share: number) => number
}

/** An expression that was accepted before, held ones with their document. */
interface EarlierExpression extends AcceptedExpression {
  readonly isHeld: boolean
}

/** An enriched expression that waits for its commit. */
interface WaitingExpression {
  readonly row: QueuedExpression
  readonly request: IngestRequest
  /** set by the commit; false when another request has the id */
  isCommitted: boolean
}

const gatherMs = 10
/** how long the first look-up of a batch waits for others */
const lookupMs = 2
const lookupsAtOnce = 200
const rowsInMessage = 500
/** maximum of messages in the queue; beyond it callers are refused */
const maxWaiting = 10_000
const depthTtlMs = 1000
/** after this time the response has status pending */
const indexLimitMs = 2000
/**
 * Fractions of the request's time: after `duplicate`, a duplicate no longer waits for the equal request in this process; after `enriched`,
 * ingestion is refused; after `indexed`, the response no longer waits for the index, nor for another process that is storing the same id. The rest
 * is for the queue, which accepts nothing after the deadline.
 */
const shares = { duplicate: 0.6, enriched: 0.7, indexed: 0.9 }
/** first interval between attempts to claim an id that another process is claiming */
const firstPollMs = 50
const maxPollMs = 500

/** Ingests an expression: durable queue first, then search index, then the response. */
export class IngestExpression {
  readonly #engines: IngestEngines
  readonly #pipeline: Pipeline
  readonly #keys: IdentityKeys
  readonly #metrics: IngestMetrics
  readonly #requestLimitMs: number
  readonly #queued: GroupCommit<WaitingExpression>
  /** repeatable expressions in progress in this process by id: a concurrent duplicate gets the same result */
  readonly #inProgress = new Map<string, { readonly digest: string | null; readonly ingested: Promise<IngestResult> }>()
  readonly #lookups: DataLoader<string, EarlierExpression | undefined>
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
    this.#lookups = new DataLoader(
      async (ids) => {
        const accepted = await readAccepted(engines.database, engines.queue.name, [...new Set(ids)])
        const hidden = [...accepted].flatMap(([id, { document }]) => (document === undefined ? [id] : []))
        const held = hidden.length === 0 ? undefined : await engines.screening?.held(hidden)
        return ids.map((id) => {
          const earlier = accepted.get(id)
          const document = held?.get(id)
          return earlier && { ...earlier, isHeld: document !== undefined, document: document ?? earlier.document }
        })
      },
      { cache: false, maxBatchSize: lookupsAtOnce, batchScheduleFn: (look) => setTimeout(look, lookupMs) },
    )
    this.#queued = new GroupCommit({ gatherMs, maxWeight: rowsInMessage, write: (waiting, window) => this.#commit(waiting, window) })
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
  async ingest(expression: NewExpression, sender: Sender, deadline: Deadline): Promise<IngestResult> {
    const { signal } = deadline
    const end = performance.now() + Math.min(deadline.remainingMs, this.#requestLimitMs)
    const remainingMs = (share: number): number => Math.max(0, end - (1 - share) * this.#requestLimitMs - performance.now())
    if (remainingMs(shares.enriched) === 0) throw new DeadlineExceeded()
    await this.#refuseWhenFull(signal)
    const receivedAt = new Date(this.#engines.clock.now())
    const identified = identify(expression, sender, receivedAt, this.#keys)
    const { id, repeatable, digest } = identified
    const request: IngestRequest = { identified, receivedAt, deadline, remainingMs }
    if (!repeatable) return this.#ingestOne(request, signal)
    const concurrent = this.#inProgress.get(id)
    if (concurrent?.digest === digest) {
      const earlier = await withTimeout(concurrent.ingested, remainingMs(shares.duplicate), signal, () => new DeadlineExceeded()).catch(
        () => undefined,
      )
      if (earlier !== undefined) return this.#repeated(earlier)
      signal.throwIfAborted()
    }
    const ingested = this.#ingestOne(request, signal)
    const inProgress = { digest, ingested }
    this.#inProgress.set(id, inProgress)
    try {
      return await ingested
    } finally {
      if (this.#inProgress.get(id) === inProgress) this.#inProgress.delete(id)
    }
  }

  #repeated({ document, isHeld }: Omit<IngestResult, 'created'>): IngestResult {
    this.#metrics.ingested(document, false)
    return { document, created: false, isHeld }
  }

  async #ingestOne(request: IngestRequest, signal: AbortSignal): Promise<IngestResult> {
    const { identified, receivedAt, deadline, remainingMs } = request
    let row: QueuedExpression | undefined
    let isHeld = false
    for (let waitMs = firstPollMs; ; waitMs = Math.min(2 * waitMs, maxPollMs)) {
      const earlier = identified.repeatable ? await this.#earlier(identified) : undefined
      if (earlier !== undefined) return this.#repeated(earlier)
      row ??= await withTimeout(
        enrich(this.#pipeline, identified, receivedAt, signal),
        remainingMs(shares.enriched),
        signal,
        () => new DeadlineExceeded(),
      )
      const waiting: WaitingExpression = { row, request, isCommitted: false }
      isHeld = this.#engines.screening?.mustHold(row.document) ?? false
      await (isHeld ? this.#hold(waiting, deadline) : this.#queued.add([waiting], deadline))
      if (waiting.isCommitted) break
      if (remainingMs(shares.indexed) < waitMs)
        throw new DeadlineExceeded('The same expression is being stored by another request; try again')
      await pause(waitMs, signal)
      signal.throwIfAborted()
    }
    this.#metrics.ingested(row.document, true)
    const document = isHeld ? row.document : await this.#index(row, Math.min(indexLimitMs, remainingMs(shares.indexed)))
    return { document, created: true, isHeld }
  }

  /** Stores an expression for moderation, with its id unless another request has it. */
  async #hold(waiting: WaitingExpression, window: CommitWindow): Promise<void> {
    const identities = identitiesOf([waiting])
    const mayHold = async (tx: Transaction): Promise<boolean> =>
      identities.length === 0 || (await claimIdentities(tx, identities)).claimed.size > 0
    waiting.isCommitted = (await this.#engines.screening?.hold(waiting.row, { window, mayHold })) ?? false
  }

  /** Stores expressions whose ids no other request has, with their ids, in one message. */
  async #commit(waiting: readonly WaitingExpression[], window: CommitWindow): Promise<void> {
    const { database, queue, screening } = this.#engines
    const first = new Map<string, WaitingExpression>()
    for (const each of waiting) if (!first.has(each.row.document.id)) first.set(each.row.document.id, each)
    const distinct = [...first.values()]
    const identities = identitiesOf(distinct)
    const committed = await database
      .transaction(async (tx) => {
        const { claimed, position } = await claimIdentities(tx, identities)
        const free = distinct.filter(({ request: { identified } }) => !identified.repeatable || claimed.has(identified.id))
        // rolled back: an empty commit would count as an effect of these requests
        if (free.length === 0) throw new NothingFree()
        await queue.sendWithin(tx, 'expressions', { rows: free.map(({ row }) => row) }, position)
        await screening?.flag(
          free.map(({ row }) => row.document),
          tx,
        )
        return free
      }, window)
      .catch((error: unknown) => {
        if (error instanceof NothingFree) return []
        throw error
      })
    for (const each of committed) each.isCommitted = true
  }

  /**
   * Returns the document with its index time; without it when the index is unavailable, and the worker indexes it later.
   */
  async #index(queued: QueuedExpression, limitMs: number): Promise<ExpressionDocument> {
    const { index, clock, log, recent } = this.#engines
    const indexedAt = rfc3339(clock.now())
    const record = recordOf(queued)
    const put = index.put([indexedOf(record, indexedAt, record.embeddingModel ?? '')], { areNew: true, isDelayAllowed: true })
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

  /**
   * Returns the accepted expression under its id or the id of releases before 2.0. Those had no senders: another text under a former id is
   * another expression.
   * @throws {Fault} CONFLICT for another text under its id, or when it was withdrawn
   */
  async #earlier(identified: IdentifiedExpression): Promise<Omit<IngestResult, 'created'> | undefined> {
    const { id, formerId, externalId, text } = identified
    const [present, former] = await Promise.all([this.#lookups.load(id), formerId === null ? undefined : this.#lookups.load(formerId)])
    if (present !== undefined && isSameText(identified, present))
      return { document: await this.#withIndexTime(documentOf(present)), isHeld: present.isHeld }
    const document = former && documentOf(former)
    if (document !== undefined && (externalId === null || document.text === text))
      return { document: await this.#withIndexTime(document), isHeld: former?.isHeld ?? false }
    if (present !== undefined) throw conflict()
    return undefined
  }

  async #withIndexTime(document: ExpressionDocument): Promise<ExpressionDocument> {
    return { ...document, indexedAt: (await this.#engines.recent.of(document.id, document.revision)) ?? document.indexedAt }
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

const identitiesOf = (waiting: readonly WaitingExpression[]): readonly ExpressionIdentity[] =>
  waiting.flatMap(({ request: { identified, receivedAt } }) =>
    identified.repeatable ? [{ id: identified.id, digest: identified.digest, digestVersion, receivedAt }] : [],
  )

class NothingFree extends Error {}

/** @throws {Fault} CONFLICT when it was withdrawn */
function documentOf({ document }: AcceptedExpression): ExpressionDocument {
  // it would be searchable again until the next comparison of index and store
  if (document === undefined) throw new Fault('CONFLICT', 'This expression was withdrawn')
  return document
}

/**
 * Whether an expression repeats an accepted one with its id. Texts that another version of digest or redaction makes incomparable count as equal.
 * @throws {Fault} CONFLICT when that was withdrawn
 */
function isSameText({ externalId, digest, text }: IdentifiedExpression, accepted: AcceptedExpression): boolean {
  const document = documentOf(accepted)
  // without an external id the text is part of the id
  if (externalId === null) return true
  if (accepted.digest !== undefined) return accepted.digest.version !== digestVersion || accepted.digest.value === digest
  return document.pipeline.version !== pipelineVersion || document.text === text
}

const conflict = (): Fault => new Fault('CONFLICT', 'An expression with this externalId exists with another text')
