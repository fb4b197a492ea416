import { GroupCommit } from '../../../foundation/concurrency/group-commit.ts'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { IndexedExpression } from '../search-index.ts'

/** how long the first row waits for others */
const gatherMs = 500
const writeAtOnce = 1000
/** maximum number of unwritten rows */
const maxBuffered = 10_000
const retryMs = 1000
/** wait after which writes count as late: the table is slow or unavailable */
const lateMs = 1500
const closeLimitMs = 3000

/** The write operations of a table. */
export interface WrittenTable {
  /** @param rows - with new ids */
  add(rows: readonly IndexedExpression[]): Promise<void>
  /** upserts by id; keeps a row of a higher version */
  merge(rows: readonly IndexedExpression[]): Promise<void>
}

interface BufferedRow {
  readonly row: IndexedExpression
  readonly isNew: boolean
  /** arrival, by performance.now() */
  readonly since: number
}

/**
 * Buffers expressions briefly and writes them together: each write creates a table version, which costs more than its rows. Unwritable rows are kept
 * and retried.
 */
export class WriteBehind {
  /** oldest first */
  readonly #buffered = new Map<string, BufferedRow>()
  readonly #writes: GroupCommit<BufferedRow>
  readonly #closing = new AbortController()
  #hasFailed = false

  constructor(table: WrittenTable) {
    const rowsOf = (some: readonly BufferedRow[]): readonly IndexedExpression[] => some.map(({ row }) => row)
    this.#writes = new GroupCommit({
      maxWeight: writeAtOnce,
      gatherMs,
      write: async (some) => {
        const current = some.filter(({ row }) => this.#buffered.get(row.id)?.row === row)
        const [added, merged] = [current.filter(({ isNew }) => isNew), current.filter(({ isNew }) => !isNew)]
        if (added.length > 0) await table.add(rowsOf(added))
        if (merged.length > 0) await table.merge(rowsOf(merged))
      },
    })
  }

  /** Resolves immediately; while writes are late or fail, when these rows are written. @throws {EngineUnavailable} if the buffer is full */
  async put(rows: readonly IndexedExpression[], areNew: boolean): Promise<void> {
    if (this.#buffered.size + rows.length > maxBuffered) throw new EngineUnavailable('search index', new Error('the write buffer is full'))
    const some = rows.map((row): BufferedRow => ({ row, isNew: areNew, since: performance.now() }))
    for (const each of some) {
      const { id, version } = each.row
      if ((this.#buffered.get(id)?.row.version ?? 0) > version) continue
      this.#buffered.delete(id)
      this.#buffered.set(id, each)
    }
    const written = this.#write(some)
    if (this.#isLate()) await written
  }

  /** Returns a buffered row by id; undefined while writes are late. */
  get(id: string): IndexedExpression | undefined {
    return this.#isLate() ? undefined : this.#buffered.get(id)?.row
  }

  /** Drops buffered rows unless they are being written. */
  forget(ids: readonly string[]): void {
    for (const id of ids) this.#buffered.delete(id)
  }

  /** Resolves when all earlier rows are written or late. */
  async settle(): Promise<void> {
    if (this.#buffered.size > 0 && !this.#isLate()) await this.#flush(lateMs)
  }

  /** Tries once more to write the remaining rows. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#flush(closeLimitMs)
  }

  /** Whether writes are late, so that buffered rows must not be reported as searchable. */
  #isLate(): boolean {
    const [oldest] = this.#buffered.values()
    return this.#hasFailed || (oldest !== undefined && performance.now() - oldest.since > lateMs)
  }

  async #flush(limitMs: number): Promise<void> {
    await withTimeout(this.#writes.flush(), limitMs, undefined, () => new Error('late')).catch(() => undefined)
  }

  async #write(some: readonly BufferedRow[]): Promise<void> {
    const { signal } = this.#closing
    for (let rest = some; ; ) {
      try {
        await this.#writes.add(rest)
        break
      } catch {
        this.#hasFailed = true
        if (signal.aborted) return
        await pause(retryMs, signal)
        // a write without a timely response may have succeeded
        rest = some.map((each) => ({ ...each, isNew: false }))
      }
    }
    this.#hasFailed = false
    for (const each of some) if (this.#buffered.get(each.row.id) === each) this.#buffered.delete(each.row.id)
  }
}
