import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './faults.ts'
import { type Discrepancies, isAcknowledged, type Kind } from './load/kind.ts'
import { Load } from './load/load.ts'
import { send } from './load/send.ts'
import type { Access } from './platform.ts'
import type { Cell } from './selection.ts'

/** Duration of the load without a fault, before the fault and after the recovery. */
const quietMs = 2500
const firstAnswersLimitMs = 120_000
const recoveryLimitMs = 300_000
const retriesLimitMs = 30_000
const traceLimitMs = 120_000

export interface Outcome {
  readonly cell: Cell
  readonly at: Date
  /** Requests per second. */
  readonly load: number
  readonly acknowledged: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  /** 503 */
  readonly refused: number
  /** 504: the outcome is unknown. */
  readonly unknown: number
  readonly noConnection: number
  /** Open for longer than the client's timeout. */
  readonly silent: number
  /** 408: the connection ended during the request. */
  readonly cutOff: number
  /** All other responses. */
  readonly wrong: readonly string[]
  /** From the end of the fault, or from the kill; undefined: not within five minutes. */
  readonly recoveredMs: number | undefined
  /** Final result of /health. */
  readonly health: string
}

/** Runs the load, injects one fault, and reads back every acknowledged request after the recovery. */
export async function runCell(cell: Cell, fault: Fault, kinds: readonly Kind[], access: Access, name: string): Promise<Outcome> {
  const load = new Load(kinds, name)
  await fault.prepare()
  for (const kind of kinds) await prepared(kind)
  load.start()
  const begun = Date.now()
  let from = begun
  let recovered: number | undefined
  try {
    for (const until = begun + firstAnswersLimitMs; kinds.some((kind) => load.acknowledged(kind).length === 0); await sleep(100))
      if (Date.now() > until) throw new Error(`before anything failed, nothing was acknowledged of ${missing(kinds, load)}`)
    await sleep(quietMs)
    from = Date.now()
    const at = new Date(from)
    let runs = false
    try {
      await fault.begin()
      if (fault.lastsMs > 0) {
        await sleep(fault.lastsMs)
        from = Date.now()
      }
    } finally {
      await fault.end()
    }
    void fault.over().then(
      () => (runs = true),
      () => undefined,
    )
    for (const until = Date.now() + recoveryLimitMs; Date.now() < until; await sleep(100)) {
      recovered = load.recoveredAt(from)
      if (runs && recovered !== undefined && Date.now() > recovered + quietMs) break
      if (!runs) recovered = undefined
    }
    const seconds = (Date.now() - begun) / 1000
    await load.stop(retriesLimitMs)
    const discrepancies = await traced(kinds, load)
    const health = await healthOf(access)
    return {
      ...summed(load, kinds),
      cell,
      at,
      load: load.attempts.length / seconds,
      ...discrepancies,
      recoveredMs: recovered && recovered - from,
      health,
    }
  } finally {
    await load.stop(0)
  }
}

/** Prepares a kind of request; the first requests after the previous fault may still be refused. */
async function prepared(kind: Kind): Promise<void> {
  for (const until = Date.now() + firstAnswersLimitMs; ; await sleep(500))
    try {
      return await kind.prepare()
    } catch (error) {
      if (Date.now() > until) throw error
    }
}

/** Reads back until nothing is missing or doubled: lagging parts catch up. */
async function traced(kinds: readonly Kind[], load: Load): Promise<Discrepancies> {
  for (const until = Date.now() + traceLimitMs; ; await sleep(500)) {
    const discrepancies = await Promise.all(
      kinds.map((kind) =>
        kind
          .find(load.acknowledged(kind), load.tried(kind))
          .catch((error: unknown): Discrepancies => ({ lost: [`${kind.name}: not readable (${String(error)})`], doubled: [] })),
      ),
    )
    const [lost, doubled] = [discrepancies.flatMap((each) => each.lost), discrepancies.flatMap((each) => each.doubled)]
    if ((lost.length === 0 && doubled.length === 0) || Date.now() > until) return { lost, doubled }
  }
}

function summed(load: Load, kinds: readonly Kind[]) {
  const failed = load.attempts.filter(({ answer }) => !isAcknowledged(answer))
  const wrong = failed.filter(({ answer: { status } }) => ![503, 504, 408, 0].includes(status))
  return {
    acknowledged: kinds.reduce((sum, kind) => sum + load.acknowledged(kind).length, 0),
    refused: failed.filter(({ answer }) => answer.status === 503).length,
    unknown: failed.filter(({ answer }) => answer.status === 504).length,
    noConnection: failed.filter(({ answer }) => answer.detail === 'no connection').length,
    silent: failed.filter(({ answer }) => answer.detail === 'silence').length,
    cutOff: failed.filter(({ answer }) => answer.status === 408).length,
    wrong: wrong.map(({ kind, answer: { status, detail } }) => `${status} to a ${kind}: ${detail ?? ''}`),
  }
}

async function healthOf({ graphql }: Access): Promise<string> {
  const { status, body } = await send(new URL('/health', graphql).href)
  return typeof body === 'object' && body !== null && 'status' in body ? String(body.status) : `${status}`
}

const missing = (kinds: readonly Kind[], load: Load): string =>
  kinds
    .filter((kind) => load.acknowledged(kind).length === 0)
    .map(({ name }) => `${name} (${last(load, name)})`)
    .join(', ')

function last({ attempts }: Load, name: string): string {
  const answer = attempts.findLast(({ kind }) => kind === name)?.answer
  return answer === undefined ? 'no answer yet' : `${answer.status} ${answer.detail ?? ''}`
}
