import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { AuditedRequest } from '../../../engines/audit/audit-trail.ts'
import {
  type CitizenDataHolder,
  type CitizenDataSurvey,
  type CitizenReferences,
  type ErasedBatch,
  erasableKinds,
  type RemainingData,
} from '../../../engines/citizen-data/citizen-data.ts'
import type { CitizenPseudonyms } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import { openRecord, sealRecord } from '../../../engines/image-vault/sealing.ts'
import type { Database, Transaction } from '../../../engines/relational/database.ts'
import { and, asc, eq, isNull, sql } from '../../../engines/relational/drizzle.ts'
import type { CommitWindow } from '../../../foundation/concurrency/deadline.ts'
import { Fault } from '../../../foundation/fault.ts'
import { keyIdOf } from '../../../foundation/key-id.ts'
import { isUuid } from '../../../foundation/validation/values.ts'
import type { AuditedAccess } from '../access/audited-access.ts'
import { citizenErasure, citizenErasurePart, type ErasedCounts, type ErasurePartRow, type ErasureRow } from './tables.ts'

export interface ErasureDependencies {
  readonly database: Database
  /** in the order of erasure, the verifications first */
  readonly holders: readonly CitizenDataHolder[]
  readonly pseudonyms: CitizenPseudonyms
  /** encrypt code and references while an erasure runs, 32 bytes each, the current one first */
  readonly keys: readonly [Uint8Array, ...Uint8Array[]]
  readonly auditedAccess: AuditedAccess
}

/** An erasure with the results of its components, in order. */
export interface Erasure extends Omit<ErasureRow, 'sealed' | 'wrappedKey' | 'keyId'> {
  readonly parts: readonly ErasurePartRow[]
  /** whether no component had data about the citizen; false while the erasure runs */
  readonly isUnknown: boolean
}

const References = z.object({
  code: z.string(),
  authorRefs: z.array(z.string()),
  voters: z.array(
    z.union([z.object({ service: z.string(), voterRef: z.string() }), z.object({ issuer: z.string(), subject: z.string() })]),
  ),
})

/** reserve for the response of the request that started an erasure */
const answerMs = 1500
/** an erasure without progress for this time has been interrupted */
const interruptedAfter = sql`now() - interval '30 seconds'`
const resumedAtOnce = 10

/**
 * Erases citizens in all components. Each component erases in transactions that also record what they erased, so that an interrupted erasure
 * continues where it stopped, in any process. Code and references are stored encrypted until it is complete; then the pseudonym remains.
 */
export class CitizenErasures {
  readonly #parts: ErasureDependencies

  constructor(parts: ErasureDependencies) {
    this.#parts = parts
  }

  /** Returns what an erasure would remove and what would remain, in the order of components. */
  async preview(citizen: CitizenReferences): Promise<readonly (CitizenDataSurvey & Pick<CitizenDataHolder, 'component'>)[]> {
    return Promise.all(
      this.#parts.holders.map(async (holder) => {
        const { erasable, remaining } = await holder.survey(citizen)
        return { component: holder.component, erasable, remaining: [...remaining, ...idsOf(erasable)] }
      }),
    )
  }

  /**
   * Starts an erasure, or joins a running one of the same request, and runs it until it is complete or the deadline is near.
   * @throws {Fault} CONFLICT while an erasure of the citizen with other references runs
   * @throws {EngineUnavailable} the erasure continues later if it has started
   */
  async erase(citizen: CitizenReferences, request: AuditedRequest & { readonly deadline: CommitWindow }): Promise<Erasure> {
    const { deadline } = request
    const row = await this.#start(citizen, request)
    await this.#run(row, citizen, () => deadline.remainingMs < answerMs)
    const erasure = await this.find(row.id)
    if (erasure === undefined) throw new Error('an erasure was deleted while it ran')
    return erasure
  }

  async find(id: string): Promise<Erasure | undefined> {
    if (!isUuid(id)) return undefined
    const { orm } = this.#parts.database
    const [row] = await orm.select().from(citizenErasure).where(eq(citizenErasure.id, id))
    if (row === undefined) return undefined
    const rows = await orm.select().from(citizenErasurePart).where(eq(citizenErasurePart.erasureId, id))
    const order = this.#parts.holders.map(({ component }) => component)
    const parts = rows.toSorted((one, other) => order.indexOf(one.component) - order.indexOf(other.component))
    const { sealed: _sealed, wrappedKey: _wrappedKey, keyId: _keyId, ...shown } = row
    return { ...shown, parts, isUnknown: row.completedAt !== null && parts.every(isEmpty) }
  }

  /** Continues interrupted erasures. @returns the number of completed ones */
  async resume(signal: AbortSignal): Promise<number> {
    const rows = await this.#parts.database.orm
      .select()
      .from(citizenErasure)
      .where(and(isNull(citizenErasure.completedAt), sql`${citizenErasure.touchedAt} < ${interruptedAfter}`))
      .orderBy(asc(citizenErasure.requestedAt))
      .limit(resumedAtOnce)
    let completed = 0
    for (const row of rows) {
      if (signal.aborted) break
      if (await this.#run(row, this.#open(row), () => signal.aborted)) completed++
    }
    return completed
  }

  async #start(citizen: CitizenReferences, { principal, address, requestId }: AuditedRequest): Promise<ErasureRow> {
    const { database, pseudonyms, keys, holders } = this.#parts
    const id = uuid()
    const pseudonym = pseudonyms.of(citizen.code)
    const started = await database.transaction(async (tx) => {
      const [row] = await tx
        .insert(citizenErasure)
        .values({
          id,
          pseudonym,
          ...sealRecord(keys[0], Buffer.from(JSON.stringify(citizen)), aboutOf(id)),
          issuer: principal.user?.issuer ?? null,
          subject: principal.user?.subject ?? null,
          address: address ?? null,
          requestId,
        })
        .onConflictDoNothing()
        .returning()
      if (row === undefined) return undefined
      const erased: ErasedCounts = { counts: {}, nodes: [] }
      await tx.insert(citizenErasurePart).values(holders.map(({ component }) => ({ erasureId: id, component, erased })))
      return row
    })
    if (started !== undefined) return started
    const [running] = await database.orm
      .select()
      .from(citizenErasure)
      .where(and(eq(citizenErasure.pseudonym, pseudonym), isNull(citizenErasure.completedAt)))
    if (running === undefined) throw conflict('An erasure of this citizen has just been completed; send the request again')
    if (JSON.stringify(this.#open(running)) === JSON.stringify(References.parse(citizen))) return running
    throw conflict('An erasure of this citizen with other references is running; send the request again when it is complete')
  }

  /** @returns whether it is complete */
  async #run({ id, pseudonym, ...row }: ErasureRow, citizen: CitizenReferences, isOver: () => boolean): Promise<boolean> {
    const { database, holders } = this.#parts
    const { orm } = database
    for (const holder of holders) {
      const condition = and(eq(citizenErasurePart.erasureId, id), eq(citizenErasurePart.component, holder.component))
      const read = async () => (await orm.select().from(citizenErasurePart).where(condition))[0]
      for (let part = await read(); part?.erasedAt === null; part = await read()) {
        if (isOver()) return false
        await holder.erase(citizen, (tx, batch) => this.#record(tx, { ...row, id, pseudonym }, holder.component, batch))
      }
      if (isOver()) return false
      const { remaining } = await holder.survey(citizen)
      const counts = (await read())?.erased.counts ?? {}
      await orm
        .update(citizenErasurePart)
        .set({ remaining: [...remaining, ...idsOf(counts)] })
        .where(and(condition, isNull(citizenErasurePart.remaining)))
    }
    await orm
      .update(citizenErasure)
      .set({ sealed: null, wrappedKey: null, keyId: null, completedAt: sql`clock_timestamp()` })
      .where(and(eq(citizenErasure.id, id), isNull(citizenErasure.completedAt)))
    return true
  }

  /** Adds a batch to the report in the transaction that erases it. */
  async #record(
    tx: Transaction,
    row: Omit<ErasureRow, 'sealed'>,
    component: CitizenDataHolder['component'],
    batch: ErasedBatch,
  ): Promise<void> {
    const condition = and(eq(citizenErasurePart.erasureId, row.id), eq(citizenErasurePart.component, component))
    const [part] = await tx.select().from(citizenErasurePart).where(condition).for('update')
    if (part === undefined) throw new Error('a part of an erasure was deleted while it ran')
    const sum = (kind: (typeof erasableKinds)[number]) => (part.erased.counts[kind] ?? 0) + (batch.counts[kind] ?? 0)
    const counts = Object.fromEntries(
      erasableKinds
        .filter((kind) => batch.counts[kind] !== undefined || part.erased.counts[kind] !== undefined)
        .map((kind) => [kind, sum(kind)]),
    )
    const isFirstEnd = batch.isLast && part.erasedAt === null
    await tx
      .update(citizenErasurePart)
      .set({ erased: { counts, nodes: [...part.erased.nodes, ...batch.nodes] }, ...(isFirstEnd && { erasedAt: sql`clock_timestamp()` }) })
      .where(condition)
    await tx.update(citizenErasure).set({ touchedAt: sql`clock_timestamp()` }).where(eq(citizenErasure.id, row.id))
    if (component === 'verification' && isFirstEnd)
      await this.#parts.auditedAccess.citizenErased(requestOf(row), row.pseudonym, { jobs: counts.verifications ?? 0, erasure: row.id }, tx)
  }

  #open({ id, sealed, wrappedKey, keyId }: ErasureRow): CitizenReferences {
    const key = this.#parts.keys.find((each) => keyIdOf(each) === keyId)
    if (key === undefined || sealed === null || wrappedKey === null || keyId === null)
      throw new Fault('INTERNAL', `Erasure ${id} was started with another VAULT_KEY; set that key in VAULT_KEY_PREVIOUS`)
    const content: unknown = JSON.parse(Buffer.from(openRecord(key, { keyId, wrappedKey, sealed }, aboutOf(id))).toString('utf8'))
    return References.parse(content)
  }
}

/** Ids of withdrawn expressions stay reserved. */
const idsOf = ({ expressions = 0 }: CitizenDataSurvey['erasable']): readonly RemainingData[] =>
  expressions === 0 ? [] : [{ kind: 'withdrawn_ids', count: expressions, ids: [] }]

const aboutOf = (id: string): string => `citizen erasure ${id}`
const conflict = (message: string): Fault => new Fault('CONFLICT', message, { retryAfterMs: 1000 })

/** Whether the component had no data; audit records and backups exist for unknown citizens too. */
const isEmpty = ({ component, erased, remaining }: ErasurePartRow): boolean =>
  Object.values(erased.counts).every((count) => count === 0) &&
  (component === 'audit' || (remaining ?? []).every(({ count }) => count === null || count === 0))

/** The request that started an erasure, for the audit record of a process that continues it. */
const requestOf = ({
  issuer,
  subject,
  address,
  requestId,
}: Pick<ErasureRow, 'issuer' | 'subject' | 'address' | 'requestId'>): AuditedRequest => ({
  principal: issuer === null || subject === null ? {} : { user: { issuer, subject, roles: [], groups: [], expiresAt: 0 } },
  requestId,
  ...(address !== null && { address }),
})
