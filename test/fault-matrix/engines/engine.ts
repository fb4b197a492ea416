import type { SmallDisk } from './small-disk.ts'

export const engineNames = ['postgres', 'redis', 'elasticsearch', 'cassandra', 'keycloak'] as const
export type EngineName = (typeof engineNames)[number]

/** A backing service for this run only. It is restarted automatically whenever it ends. */
export interface Engine {
  readonly name: EngineName
  /** Its address, without the gates in front of it. */
  readonly url: string
  /** True for an engine whose clients discover its nodes: it has no gate. */
  readonly contactPoints?: readonly string[] | undefined
  /** The disk of its data; undefined where none can be mounted. */
  readonly disk: SmallDisk | undefined
  start(): Promise<void>
  stop(): Promise<void>
  /** kill -9 of all its processes */
  kill(): Promise<void>
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Stops it cleanly and starts it with empty memory; an engine with rebuildable data only also starts with an empty data folder. */
  restartEmpty(): Promise<void>
  /** Resolves when it responds again. */
  untilReady(): Promise<void>
  /** Starts a complete replica; absent for an engine with one node. */
  openReplica?(): Promise<Replica>
}

export interface Replica {
  /** Replaces the primary, which is killed. @returns the new address */
  promote(): Promise<string>
}
