import type { Engine, Replica } from './engines/engine.ts'
import type { Network } from './network.ts'
import type { SupervisedProcess } from './processes/supervised-process.ts'

export const roleFaults = ['term', 'kill', 'freeze', 'cut'] as const
export const engineFaults = ['kill', 'freeze', 'slow', 'full', 'failover', 'empty'] as const
export type FaultName = (typeof roleFaults)[number] | (typeof engineFaults)[number]

/** How the table says them. */
export const titles: Readonly<Record<FaultName, string>> = {
  term: 'SIGTERM',
  kill: 'kill -9',
  freeze: 'SIGSTOP',
  cut: 'cut network',
  slow: 'slow',
  full: 'full disk',
  failover: 'failover',
  empty: 'restart, empty cache',
}

/** Something that goes wrong, and right again. */
export interface Fault {
  /** Before the load: what it needs. */
  prepare(): Promise<void>
  begin(): Promise<void>
  /** how long it lasts; 0: it is over at once, and recovery is counted from its beginning */
  readonly lastsMs: number
  end(): Promise<void>
  /** Resolves when what failed runs again. */
  over(): Promise<void>
}

const nothing = async (): Promise<void> => undefined

/** longer than a request may take, so that it is seen as one */
const lastsMs = 14_000
/** longer than the lease of a leader, so that another takes over */
const leaderLastsMs = 20_000
const slowMs = 400

/** @param process - the one of the role that is hit */
export function faultOfRole(name: FaultName, process: SupervisedProcess, network: Network): Fault | undefined {
  const over = (): Promise<void> => process.untilReady()
  const lasts = process.name.startsWith('worker:') ? leaderLastsMs : lastsMs
  const faults: Partial<Record<FaultName, Fault>> = {
    term: { prepare: nothing, begin: async () => process.signal('SIGTERM'), lastsMs: 0, end: nothing, over },
    kill: { prepare: nothing, begin: () => process.kill(), lastsMs: 0, end: nothing, over },
    freeze: { prepare: nothing, begin: () => process.freeze(), lastsMs: lasts, end: () => process.thaw(), over },
    cut: {
      prepare: nothing,
      begin: async () => {
        for (const gate of network.of(process.name)) gate.freeze()
      },
      lastsMs: lasts,
      end: async () => {
        for (const gate of network.of(process.name)) gate.open()
      },
      over,
    },
  }
  return faults[name]
}

/** @returns undefined where the engine, or this machine, has no such fault */
export function faultOfEngine(name: FaultName, engine: Engine, network: Network): Fault | undefined {
  const over = (): Promise<void> => engine.untilReady()
  const disk = engine.disk
  let replica: Replica | undefined
  const faults: Partial<Record<FaultName, Fault | undefined>> = {
    kill: { prepare: nothing, begin: () => engine.kill(), lastsMs: 0, end: nothing, over },
    freeze: { prepare: nothing, begin: () => engine.freeze(), lastsMs, end: () => engine.thaw(), over },
    slow: {
      prepare: nothing,
      begin: async () => {
        for (const gate of network.of(engine.name)) gate.slow(slowMs)
      },
      lastsMs,
      end: async () => {
        for (const gate of network.of(engine.name)) gate.open()
      },
      over,
    },
    full: disk && { prepare: nothing, begin: () => disk.fill(), lastsMs, end: () => disk.free(), over },
    failover: engine.openReplica && {
      prepare: async () => {
        replica = await engine.openReplica?.()
      },
      begin: async () => {
        const url = await replica?.promote()
        for (const gate of network.of(engine.name)) if (url !== undefined) gate.leadTo(url)
      },
      lastsMs: 0,
      end: nothing,
      over,
    },
    empty: { prepare: nothing, begin: () => engine.restartEmpty(), lastsMs: 0, end: nothing, over },
  }
  return faults[name]
}
