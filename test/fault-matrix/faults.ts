import type { Engine, Replica } from './engines/engine.ts'
import type { Network } from './network.ts'
import type { SupervisedProcess } from './processes/supervised-process.ts'

export const roleFaults = ['term', 'kill', 'freeze', 'cut'] as const
export const engineFaults = ['kill', 'freeze', 'slow', 'full', 'failover', 'empty'] as const
export type FaultName = (typeof roleFaults)[number] | (typeof engineFaults)[number]

/** Names of the faults in the table. */
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

/** A fault and its repair. */
export interface Fault {
  /** Prepares the fault before the load. */
  prepare(): Promise<void>
  begin(): Promise<void>
  /** Duration; 0: it ends at once, and recovery is measured from its start. */
  readonly lastsMs: number
  end(): Promise<void>
  /** Resolves when the faulty part runs again. */
  over(): Promise<void>
}

const nothing = async (): Promise<void> => undefined

/** Longer than a request may take, so that it has an effect. */
const lastsMs = 14_000
/** Longer than the lease of a leader, so that another one takes over. */
const leaderLastsMs = 20_000
const slowMs = 400

/** @param process - the affected process of the role */
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
