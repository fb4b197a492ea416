import type { AnalyticsStore } from '../../../engines/analytics-store/analytics-store.ts'
import type { IndexDrift } from '../../../engines/search-index/drift-report.ts'
import type { ExpressionIndex, IdRange, SearchIndex } from '../../../engines/search-index/search-index.ts'
import { type Clock, rfc3339 } from '../../../foundation/clock.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import { isUuid } from '../../../foundation/validation/values.ts'
import type { ExpressionDocument } from '../expression/expression-document.ts'
import { indexedOf } from '../expression/expression-mapping.ts'
import type { StepRetries } from '../step-retries/step-retries.ts'
import { adoptExpressions } from './adopt-expressions.ts'
import { defaultIntervals } from './upkeep-intervals.ts'

export interface ComparedEngines {
  /** an index in use can also return its documents */
  readonly index: ExpressionIndex & Partial<Pick<SearchIndex, 'find'>>
  readonly retries: Pick<StepRetries, 'schedule'>
  readonly store: AnalyticsStore<ExpressionDocument>
  /** model of the vectors in the index */
  readonly model: string
  readonly clock: Clock
  /** called before each write. @throws {LeaseLost} when another process has taken over */
  readonly mayWrite: () => void
}

export interface Comparison {
  /** false: only counts the differences */
  readonly repair: boolean
  /** whether expressions missing in the store may be in the queue: then the index keeps them */
  readonly queueIsBusy: boolean
  /** called again before adoption, because a comparison may take long */
  readonly isBusy?: () => Promise<boolean>
  /** whether ingestion may be writing to this index: new expressions are checked again before they are put */
  readonly intakeIsOn?: boolean
  readonly intakeMs?: number
  readonly signal: AbortSignal
  /** expressions per range */
  readonly rowsInRange?: number
  /** called after each range with the differences so far */
  readonly onProgress?: (drift: IndexDrift) => void
}

const defaultRange = 5000
const versionsAtOnce = 20_000
const rowsAtOnce = 500
/** age after which ingestion has certainly ended, even with a slow language model */
const youngMs = 10_000
/** age after which a change has reached the index and the store */
const indexedMs = 2000
const storedMs = 60_000

/**
 * Compares index and store by range: counts and sums of fingerprints first, then ids and versions where they differ. The store is
 * authoritative, also where the index is newer, because the message was lost. Expressions that only the index has are added to the store.
 * Vectors come from the store; no encoder is called.
 * @throws {EngineUnavailable} when either is unavailable; repairs so far remain
 */
export async function compareIndex(engines: ComparedEngines, comparison: Comparison): Promise<IndexDrift> {
  const { signal, onProgress, rowsInRange = defaultRange } = comparison
  let drift: IndexDrift = { compared: 0, missing: 0, stale: 0, extra: 0 }
  for (let after: string | undefined; ; ) {
    signal.throwIfAborted()
    const { count, sum, upTo } = await engines.store.summariseExpressions(after, rowsInRange)
    const range = { after, upTo }
    const indexed = await engines.index.summarise(range)
    const batch =
      indexed.count === count && indexed.sum === sum ? { missing: 0, stale: 0, extra: 0 } : await compareRange(engines, range, comparison)
    drift = {
      compared: drift.compared + count,
      missing: drift.missing + batch.missing,
      stale: drift.stale + batch.stale,
      extra: drift.extra + batch.extra,
    }
    onProgress?.(drift)
    if (upTo === undefined) return drift
    after = upTo
  }
}

async function compareRange(
  engines: ComparedEngines,
  range: IdRange,
  { repair, queueIsBusy, isBusy, intakeIsOn = false, intakeMs = defaultIntervals.intakeMs, signal }: Comparison,
): Promise<Omit<IndexDrift, 'compared'>> {
  const now = engines.clock.now()
  const stored = await engines.store.versionsOfExpressions(range.after, range.upTo)
  const indexed = await allVersions(engines.index, range)
  const missing: string[] = []
  const doubled: string[] = []
  const older: string[] = []
  const newer: string[] = []
  for (const [id, version] of stored) {
    const indexedVersion = indexed.get(id)
    if (indexedVersion === undefined) missing.push(id)
    else if (indexedVersion < 0) doubled.push(id)
    else if (indexedVersion < version) older.push(id)
    else if (indexedVersion > version && !queueIsBusy && indexedVersion < now - storedMs) newer.push(id)
  }
  const extra = queueIsBusy ? [] : [...indexed].flatMap(([id, version]) => (stored.has(id) || version >= now - storedMs ? [] : [id]))
  if (repair) {
    for (let start = 0; start < doubled.length; start += rowsAtOnce) {
      engines.mayWrite()
      await engines.index.remove(doubled.slice(start, start + rowsAtOnce))
    }
    const young = new Set(intakeIsOn ? missing.filter((id) => (stored.get(id) ?? 0) > now - youngMs) : [])
    await copy(engines, [...missing.filter((id) => !young.has(id)), ...doubled, ...older], false, signal)
    await copy(engines, newer, true, signal)
    if (young.size > 0) {
      await pause(intakeMs, signal)
      const present = await allVersions(engines.index, range)
      await copy(
        engines,
        [...young].filter((id) => !present.has(id)),
        false,
        signal,
      )
    }
    await settleExtra(engines, extra, isBusy)
  }
  const settled = (ids: readonly string[]): number => ids.filter((id) => (stored.get(id) ?? 0) < now - indexedMs).length
  return { missing: settled(missing), stale: settled(older) + doubled.length + newer.length, extra: extra.length }
}

async function allVersions(index: ExpressionIndex, { after, upTo }: IdRange): Promise<ReadonlyMap<string, number>> {
  const versions = new Map<string, number>()
  for (let from = after; ; ) {
    const page = await index.versions({ after: from, upTo }, versionsAtOnce)
    for (const [id, version] of page) versions.set(id, version)
    if (page.size < versionsAtOnce) return versions
    from = [...page.keys()].at(-1)
  }
}

/** Copies these expressions from the store to the index. */
export async function copy(engines: ComparedEngines, ids: readonly string[], evenOlder: boolean, signal: AbortSignal): Promise<void> {
  const { index, store, model, clock, mayWrite } = engines
  for (let start = 0; start < ids.length; start += rowsAtOnce) {
    signal.throwIfAborted()
    const records = await store.findExpressions(ids.slice(start, start + rowsAtOnce))
    const at = rfc3339(clock.now())
    mayWrite()
    await index.put(
      records.map((record) => indexedOf(record, at, model)),
      { evenOlder },
    )
  }
}

/**
 * Adds expressions that only the index has to the store, or removes withdrawn ones from the index. Checks the store once more first: some
 * may have arrived.
 */
async function settleExtra(engines: ComparedEngines, ids: readonly string[], isBusy?: () => Promise<boolean>): Promise<void> {
  const { index, store, mayWrite } = engines
  for (let start = 0; start < ids.length; start += rowsAtOnce) {
    // checked before the store is read, so that what has left the queue is in the store
    if (await isBusy?.()) return
    const some = ids.slice(start, start + rowsAtOnce)
    const withdrawn = new Set<string>()
    const living = new Set((await store.findExpressions(some, (id) => withdrawn.add(id))).map(({ id }) => id))
    const unknown = some.filter((id) => !living.has(id) && !withdrawn.has(id))
    const texts = (await index.find?.(unknown.filter(isUuid))) ?? new Map<string, string>()
    mayWrite()
    const unreadable = await adoptExpressions(engines, texts)
    mayWrite()
    // ids that are not UUIDs were never issued, and unreadable documents cannot be shown
    await index.remove([...withdrawn, ...unreadable, ...unknown.filter((id) => !isUuid(id))])
  }
}

/** Fills a new index from the store, in the order of ids. */
export async function fillIndex(
  { index, store, model, clock, mayWrite }: ComparedEngines,
  signal: AbortSignal,
  onProgress: (filled: number) => void,
): Promise<void> {
  let filled = 0
  for (let after: string | undefined; ; ) {
    signal.throwIfAborted()
    const records = await store.pageOfExpressions(after, rowsAtOnce)
    const at = rfc3339(clock.now())
    mayWrite()
    await index.put(
      records.map((record) => indexedOf(record, at, model)),
      { areNew: true },
    )
    filled += records.length
    onProgress(filled)
    if (records.length < rowsAtOnce) return
    after = records.at(-1)?.id
  }
}
