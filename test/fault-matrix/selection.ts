import { parseArgs } from 'node:util'
import { type EngineName, engineNames } from './engines/engine.ts'
import { engineFaults, type FaultName, roleFaults, titles } from './faults.ts'
import { roleNames } from './platform.ts'

/** A cell of the matrix. */
export interface Cell {
  readonly subject: string
  readonly fault: FaultName
  /** Starts at 1. */
  readonly round: number
}

export const titleOf = ({ subject, fault, round }: Cell): string => `${subject}, ${titles[fault]}, round ${round}`

/** Engines that need several nodes from the start for a failover: PostgreSQL and Redis add a replica before it. */
const clustered: readonly EngineName[] = ['elasticsearch', 'cassandra', 'keycloak']

/** Whether it runs on clusters instead of engines of one node. */
export const needsCluster = ({ subject, fault }: Cell): boolean => fault === 'failover' && clustered.some((name) => name === subject)

export interface Selection {
  readonly cells: readonly Cell[]
  /** No cell starts after this time. */
  readonly minutes: number
  /** Whether the rows are written to the table of the documentation. */
  readonly write: boolean
  /** Folder for the logs of the processes. */
  readonly logs: string | undefined
}

/**
 * `--only gateway,worker,redis` (a word before the colon selects all of its roles), `--faults kill,freeze`, `--rounds 2` (the first two rounds),
 * `--round 2` (only that round), `--minutes 30`, `--write`: writes the rows of a selection to the table of the documentation,
 * where they replace those of the same round; `--logs FOLDER`: stores the output of the processes there.
 * @throws {Error} naming an invalid word
 */
export function selectionOf(words: readonly string[]): Selection {
  const { values } = parseArgs({
    args: [...words],
    options: {
      only: { type: 'string' },
      faults: { type: 'string' },
      rounds: { type: 'string', default: '2' },
      round: { type: 'string' },
      minutes: { type: 'string', default: '600' },
      write: { type: 'boolean', default: false },
      logs: { type: 'string' },
    },
  })
  const subjects = listed('only', values.only, [...engineNames, ...roleNames], (name, word) => name === word || name.startsWith(`${word}:`))
  const faults = listed('faults', values.faults, [...new Set<FaultName>([...roleFaults, ...engineFaults])], (name, word) => name === word)
  const first = Array.from({ length: counted('rounds', values.rounds) }, (_, index) => index + 1)
  const rounds = values.round === undefined ? first : [counted('round', values.round)]
  return {
    cells: rounds.flatMap((round) =>
      subjects.flatMap((subject) => {
        const own: readonly FaultName[] = isEngine(subject) ? engineFaults : roleFaults
        return own.filter((fault) => faults.includes(fault)).map((fault) => ({ subject, fault, round }))
      }),
    ),
    minutes: counted('minutes', values.minutes),
    write: values.write || (values.only === undefined && values.faults === undefined),
    logs: values.logs,
  }
}

export const isEngine = (subject: string): subject is EngineName => engineNames.some((name) => name === subject)

function listed<Name extends string>(
  option: string,
  value: string | undefined,
  names: readonly Name[],
  fits: (name: Name, word: string) => boolean,
): readonly Name[] {
  if (value === undefined) return names
  const words = value.split(',')
  const unknown = words.filter((word) => !names.some((name) => fits(name, word)))
  if (unknown.length > 0) throw new Error(`--${option}: there is no ${unknown.join(', ')}; there are ${names.join(', ')}`)
  return names.filter((name) => words.some((word) => fits(name, word)))
}

function counted(option: string, value: string): number {
  const count = Number(value)
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${option} must be a whole number from 1`)
  return count
}
