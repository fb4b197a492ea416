import type { SmallDisk } from './small-disk.ts'

export const engineNames = ['postgres', 'redis', 'elasticsearch', 'cassandra', 'keycloak'] as const
export type EngineName = (typeof engineNames)[number]

/** A backing service that the program has to itself. Whatever ends it, it is started again without a hand. */
export interface Engine {
  readonly name: EngineName
  /** where it answers, without the gates before it */
  readonly url: string
  /** of an engine whose clients find its nodes by themselves: then no gate is before them */
  readonly contactPoints?: readonly string[] | undefined
  /** what its data is on; undefined where none can be mounted */
  readonly disk: SmallDisk | undefined
  start(): Promise<void>
  stop(): Promise<void>
  /** kill -9 of all its processes */
  kill(): Promise<void>
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Ends it in order and starts it with nothing in memory; one that holds only what can be made again begins with an empty data folder. */
  restartEmpty(): Promise<void>
  /** Resolves when it answers again. */
  untilReady(): Promise<void>
  /** Brings up a replica that has everything; absent where the engine runs as one node. */
  openReplica?(): Promise<Replica>
}

export interface Replica {
  /** Takes the place of the primary, which is killed with it. @returns its address */
  promote(): Promise<string>
}
