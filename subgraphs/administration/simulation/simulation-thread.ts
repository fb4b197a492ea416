import { parentPort } from 'node:worker_threads'
import { type DelegationSnapshot, SnapshotBuilder } from './delegation-snapshot.ts'
import { pathOf, type Resolved, resolveDelegations, unknownNames } from './resolve-delegations.ts'
import {
  type DelegationPath,
  type Question,
  type Scenario,
  type SimulationFigures,
  type UnknownName,
  unchanged,
  type VoterWeight,
  type WeightOrder,
} from './scenario.ts'

/** Runs in a worker thread, also directly from TypeScript: its imports must work with type stripping alone. */

export interface SimulatedQuestion {
  readonly question: Question
  readonly scenario: Scenario
  /** when the delegations were read, the time of today’s figures; milliseconds since 1970 */
  readonly todayMs: number
}

export interface WeightPage {
  readonly order: WeightOrder
  readonly offset: number
  readonly size: number
}

export type SimulationTask =
  | ({ readonly kind: 'figures' } & SimulatedQuestion)
  | ({ readonly kind: 'weights'; readonly page: WeightPage } & SimulatedQuestion)
  | ({ readonly kind: 'path'; readonly code: string } & SimulatedQuestion)

export type SimulationMessage =
  | { readonly kind: 'chunk'; readonly chunk: Uint8Array }
  | { readonly kind: 'end' }
  | { readonly kind: 'task'; readonly id: number; readonly task: SimulationTask }

export interface Weights {
  readonly voters: readonly VoterWeight[]
  readonly totalCount: number
}

export type SimulationAnswer =
  | { readonly figures: SimulationFigures; readonly today: SimulationFigures }
  | { readonly weights: Weights }
  | { readonly path: DelegationPath }
  | { readonly unknown: readonly UnknownName[] }
  /** the electorate is smaller than the number of citizens that the delegations name */
  | { readonly members: number }

export type SimulationReport =
  /** a chunk has been read */
  | { readonly kind: 'read' }
  | { readonly kind: 'loaded'; readonly count: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: SimulationAnswer }
  | { readonly kind: 'failed'; readonly id: number }

interface Outcome extends Resolved {
  readonly orders: Map<WeightOrder, Int32Array>
}

/** pages of a list, and the next scenario beside it */
const maxOutcomes = 3
const outcomes = new Map<string, Outcome>()
const builder = new SnapshotBuilder()
let snapshot: DelegationSnapshot | undefined

function outcomeOf(all: DelegationSnapshot, question: Question & { readonly atMs: number }, scenario: Scenario): Outcome {
  const key = JSON.stringify([question, scenario])
  const outcome = outcomes.get(key) ?? { ...resolveDelegations(all, question, scenario), orders: new Map() }
  // the most recently used last
  outcomes.delete(key)
  outcomes.set(key, outcome)
  for (const oldest of outcomes.keys()) if (outcomes.size > maxOutcomes) outcomes.delete(oldest)
  return outcome
}

function answerOf(all: DelegationSnapshot, task: SimulationTask): SimulationAnswer {
  const { scenario, todayMs } = task
  const question = { ...task.question, atMs: task.question.atMs ?? todayMs }
  const unknown = unknownNames(all, question, scenario, task.kind === 'path' ? task.code : undefined)
  if (unknown.length > 0) return { unknown }
  const outcome = outcomeOf(all, question, scenario)
  const { electorate } = scenario
  if (electorate !== undefined) {
    const members = outcome.isMember.reduce((sum, each) => sum + each, 0)
    if (electorate < members) return { members }
  }
  const today = () => outcomeOf(all, { ...question, atMs: todayMs }, { ...unchanged, electorate })
  if (task.kind === 'path') return { path: pathOf(all, outcome, all.citizens.numberOf(task.code) ?? 0, scenario.maxChain) }
  if (task.kind === 'figures') return { figures: outcome.figures, today: today().figures }
  return { weights: weightsOf(all, outcome, today().weights, task.page) }
}

function weightsOf({ citizens }: DelegationSnapshot, outcome: Outcome, today: Int32Array, { order, offset, size }: WeightPage): Weights {
  const { weights, direct, longest, orders } = outcome
  const keyOf =
    order === 'weight'
      ? (citizen: number): number => weights[citizen] as number
      : (citizen: number): number => Math.abs((weights[citizen] as number) - (today[citizen] as number))
  const ordered = orders.get(order) ?? orderedBy(weights.length, keyOf)
  orders.set(order, ordered)
  const voters = [...ordered.subarray(offset, offset + size)].map((citizen) => ({
    code: citizens.texts[citizen] as string,
    weight: weights[citizen] as number,
    weightToday: today[citizen] as number,
    direct: direct[citizen] as number,
    longestChain: longest[citizen] as number,
  }))
  return { voters, totalCount: ordered.length }
}

/** Returns the citizens with a positive key, the largest first; equal keys in the order of the snapshot. A counting sort. */
function orderedBy(count: number, keyOf: (citizen: number) => number): Int32Array {
  let largest = 0
  for (let citizen = 0; citizen < count; citizen++) largest = Math.max(largest, keyOf(citizen))
  const starts = new Int32Array(largest + 2)
  for (let citizen = 0; citizen < count; citizen++) {
    const key = keyOf(citizen)
    if (key > 0) starts[key - 1] = (starts[key - 1] as number) + 1
  }
  for (let key = largest - 1; key >= 0; key--) starts[key] = (starts[key] as number) + (starts[key + 1] as number)
  const ordered = new Int32Array(starts[0] as number)
  for (let citizen = 0; citizen < count; citizen++) {
    const key = keyOf(citizen)
    if (key === 0) continue
    const place = starts[key] as number
    ordered[place] = citizen
    starts[key] = place + 1
  }
  return ordered
}

const send = (report: SimulationReport): void => parentPort?.postMessage(report)

parentPort?.on('message', (message: SimulationMessage) => {
  if (message.kind === 'chunk') {
    builder.add(message.chunk)
    send({ kind: 'read' })
  } else if (message.kind === 'end') {
    snapshot = builder.build()
    send({ kind: 'loaded', count: snapshot.ids.length })
  } else if (snapshot === undefined) send({ kind: 'failed', id: message.id })
  else
    try {
      send({ kind: 'answer', id: message.id, answer: answerOf(snapshot, message.task) })
    } catch {
      send({ kind: 'failed', id: message.id })
    }
})
