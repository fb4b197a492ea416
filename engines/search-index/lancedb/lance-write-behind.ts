import { GroupCommit } from '../../../foundation/concurrency/group-commit.ts'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { IndexedExpression } from '../search-index.ts'

/** how long the first waits for others */
const gatherMs = 500
const writeAtOnce = 1000
/** most that wait to be written */
const maxKept = 10_000
const retryMs = 1000
/** what has waited longer is late: the table is slow, or away */
const lateMs = 1500
const closeLimitMs = 3000

/** How a table is written to. */
export interface WrittenTable {
  /** @param rows - with ids that it does not have */
  add(rows: readonly IndexedExpression[]): Promise<void>
  /** adds or replaces by id; a row of a higher version is left as it is */
  merge(rows: readonly IndexedExpression[]): Promise<void>
}

interface Kept {
  readonly row: IndexedExpression
  readonly isNew: boolean
  /** by performance.now() */
  readonly since: number
}

/**
 * Keeps expressions for a moment and writes them together: each write makes a version of the table, which costs more than the rows do. What
 * cannot be written is kept, and tried again until it can.
 */
export class WriteBehind {
  /** the oldest first */
  readonly #kept = new Map<string, Kept>()
  readonly #writes: GroupCommit<Kept>
  readonly #closing = new AbortController()
  #hasFailed = false

  constructor(table: WrittenTable) {
    const rowsOf = (some: readonly Kept[]): readonly IndexedExpression[] => some.map(({ row }) => row)
    this.#writes = new GroupCommit({
      maxWeight: writeAtOnce,
      gatherMs,
      write: async (some) => {
        const kept = some.filter(({ row }) => this.#kept.get(row.id)?.row === row)
        const [added, merged] = [kept.filter(({ isNew }) => isNew), kept.filter(({ isNew }) => !isNew)]
        if (added.length > 0) await table.add(rowsOf(added))
        if (merged.length > 0) await table.merge(rowsOf(merged))
      },
    })
  }

  /**
   * Ends at once; while writes are late or fail, as soon as these are written.
   * @throws {EngineUnavailable} when too many wait already
   */
  async put(rows: readonly IndexedExpression[], areNew: boolean): Promise<void> {
    if (this.#kept.size + rows.length > maxKept) throw new EngineUnavailable('search index', new Error('too much waits to be written'))
    const some = rows.map((row): Kept => ({ row, isNew: areNew, since: performance.now() }))
    for (const each of some) {
      const { id, version } = each.row
      if ((this.#kept.get(id)?.row.version ?? 0) > version) continue
      this.#kept.delete(id)
      this.#kept.set(id, each)
    }
    const written = this.#write(some)
    if (this.#isLate()) await written
  }

  /** What will be written in a moment, by id; nothing while that is late. */
  get(id: string): IndexedExpression | undefined {
    return this.#isLate() ? undefined : this.#kept.get(id)?.row
  }

  /** These are not written, unless they are just then. */
  forget(ids: readonly string[]): void {
    for (const id of ids) this.#kept.delete(id)
  }

  /** Ends when everything that was put before is in the table, or late. */
  async settle(): Promise<void> {
    if (this.#kept.size > 0 && !this.#isLate()) await this.#flush(lateMs)
  }

  /** Tries once more what is left. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#flush(closeLimitMs)
  }

  /** Whoever asks then must not be told that what is kept can be found. */
  #isLate(): boolean {
    const [oldest] = this.#kept.values()
    return this.#hasFailed || (oldest !== undefined && performance.now() - oldest.since > lateMs)
  }

  async #flush(limitMs: number): Promise<void> {
    await withTimeout(this.#writes.flush(), limitMs, undefined, () => new Error('late')).catch(() => undefined)
  }

  async #write(some: readonly Kept[]): Promise<void> {
    const { signal } = this.#closing
    for (let rest = some; ; ) {
      try {
        await this.#writes.add(rest)
        break
      } catch {
        this.#hasFailed = true
        if (signal.aborted) return
        await pause(retryMs, signal)
        // a write that was too late to tell may have been done
        rest = some.map((each) => ({ ...each, isNew: false }))
      }
    }
    this.#hasFailed = false
    for (const each of some) if (this.#kept.get(each.row.id) === each) this.#kept.delete(each.row.id)
  }
}
