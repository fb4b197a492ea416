import { randomUUID } from 'node:crypto'
import { EngineUnavailable, OutcomeUnknown } from '../../../foundation/fault.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { Cassandra, Row } from './cassandra-connection.ts'
import type { Buckets } from './tree-buckets.ts'

/** The turn of a writer, during which no other writes the tree of the tenant. */
export interface TreeLock {
  /** the tree at the start of the turn */
  readonly row: Row
  /** number of the rows that may be written */
  readonly version: number
  /** Must be called before each write. @throws {EngineUnavailable} if another writer has taken the turn, such as after this process was suspended */
  readonly renew: () => Promise<void>
  /**
   * @throws {EngineUnavailable} if the rows did not become visible
   * @throws {OutcomeUnknown}
   */
  publish(buckets: Buckets, signal: AbortSignal): Promise<void>
  /**
   * @param hasRows - whether rows exist under its number, which is then marked as abandoned
   * @returns false if it had lost the turn
   */
  release(hasRows: boolean): Promise<boolean>
}

interface TreeLockOptions {
  /** maximum wait for the turn */
  readonly waitMs: number
  /** how long an unresponsive writer keeps it */
  readonly leaseMs: number
  /** creates the error thrown after `waitMs` */
  readonly timeoutError: () => Error
}

const pollMs = 2000
const tree = `select tenant, version, published_at, buckets, holder, draft, held_until, aborted, totimestamp(now()) as read_at
  from $.content_tree where tenant = ?`

/** Takes the turn by a compare-and-set. Its expiry uses Cassandra's clock only, since the clocks of writers may differ. */
export async function acquireTreeLock(db: Cassandra, tenant: string, options: TreeLockOptions, signal: AbortSignal): Promise<TreeLock> {
  const holder = randomUUID()
  const until = performance.now() + options.waitMs
  for (;;) {
    const [row] = await db.rows(tree, [tenant], signal)
    if (row === undefined) {
      await db.applied('insert into $.content_tree (tenant, version, draft) values (?, 0, 0) if not exists', [tenant], signal)
      continue
    }
    const clock = clockOf(row.get('read_at'))
    const heldBy: string | null = row.get('holder')
    const draft: number = row.get('draft')
    const isFree = heldBy === null || row.get('held_until') < clock.now()
    if (isFree) {
      const aborted = heldBy === null ? [] : [draft]
      const query = `update $.content_tree set holder = ?, draft = ?, held_until = ?, aborted = aborted + ? where tenant = ? if holder = ? and draft = ?`
      const turn = turnOf(db, row, { ...options, holder, clock }, draft + 1, aborted)
      const params = [holder, draft + 1, clock.in(options.leaseMs), aborted, tenant, heldBy, draft]
      if (await db.applied(query, params, signal)) return turn
    }
    if (performance.now() > until) throw options.timeoutError()
    await pause(20 + Math.random() * 60, signal)
    signal.throwIfAborted()
  }
}

interface ServerClock {
  now(): Date
  in(ms: number): Date
}

/** Extrapolates the server's time with a monotonic clock. */
function clockOf(serverTime: Date): ServerClock {
  const serverOffsetMs = serverTime.getTime() - performance.now()
  const at = (ms: number): Date => new Date(Math.round(performance.now() + serverOffsetMs + ms))
  return { now: () => at(0), in: at }
}

function turnOf(
  db: Cassandra,
  row: Row,
  { holder, leaseMs, clock }: { readonly holder: string; readonly leaseMs: number; readonly clock: ServerClock },
  version: number,
  aborted: readonly number[],
): TreeLock {
  const tenant: string = row.get('tenant')
  const lost = (): EngineUnavailable =>
    new EngineUnavailable('content store', new Error('another writer took over the lock of the tree: send the change again'))
  let renewed = performance.now()
  let renewal: Promise<void> | undefined
  const renewNow = async (): Promise<void> => {
    const from = performance.now()
    const query = 'update $.content_tree set held_until = ? where tenant = ? if holder = ?'
    if (!(await db.applied(query, [clock.in(leaseMs), tenant, holder], AbortSignal.timeout(10_000)))) throw lost()
    renewed = from
  }
  const release: TreeLock['release'] = (hasRows) => {
    const query =
      'update $.content_tree set holder = null, held_until = null, aborted = aborted + ? where tenant = ? if holder = ? and draft = ?'
    return db.applied(query, [hasRows ? [version] : [], tenant, holder, version], AbortSignal.timeout(10_000))
  }
  return {
    // the row was read before the turn was taken: adds the number that was abandoned then
    row: Object.assign(Object.create(Object.getPrototypeOf(row)), row, { aborted: [...(row.get('aborted') ?? []), ...aborted] }),
    version,
    async renew() {
      if (performance.now() - renewed < leaseMs / 3) return
      renewal ??= renewNow().finally(() => {
        renewal = undefined
      })
      await renewal
    },
    async publish(buckets, signal) {
      const at = clock.now()
      const text = JSON.stringify(buckets)
      const version0 = 'insert into $.content_version (tenant, version, published_at, buckets) values (?, ?, ?, ?)'
      await db.rows(version0, [tenant, version, at, text], signal)
      const query = `update $.content_tree set version = ?, published_at = ?, buckets = ?, holder = null, held_until = null where tenant = ?
        if holder = ? and draft = ?`
      let isPublished: boolean
      try {
        isPublished = await db.applied(query, [version, at, text, tenant, holder, version], signal)
      } catch (error) {
        // Releasing the turn reveals the outcome: it succeeds only for a version that was not published and never will be.
        const isReleased = await release(true).catch(() => undefined)
        if (isReleased === true) throw error
        const [now] = isReleased === undefined ? [] : await db.rows(tree, [tenant], AbortSignal.timeout(pollMs)).catch(() => [])
        if (now?.get('version') !== version) throw new OutcomeUnknown(error)
        return
      }
      if (!isPublished) throw lost()
    },
    release,
  }
}
