import { parentPort } from 'node:worker_threads'
import { type DelegationSnapshot, SnapshotBuilder } from './delegation-snapshot.ts'
import { type Delegators, delegatorsOf, orderedBy } from './delegators.ts'
import { assumed, pathOf, type ResolvedDelegations, resolveDelegations, unknownNames } from './resolve-delegations.ts'
import {
  changesIn,
  type DelegationCircle,
  type DelegationPath,
  type FiledScenario,
  type Question,
  type Scenario,
  type SimulatedDelegator,
  type SimulationFigures,
  type UnknownNames,
  unchanged,
  type VoterWeight,
  type WeightOrder,
  withFileInLists,
} from './scenario.ts'

/** Runs in a worker thread, also directly from TypeScript: its imports must work with type stripping alone. */

export interface SimulatedQuestion {
  readonly question: Question
  readonly scenario: FiledScenario
  /** when the delegations were read, the time of today’s figures; milliseconds since 1970 */
  readonly todayMs: number
}

export interface ListPage {
  readonly offset: number
  readonly size: number
}

export interface WeightPage extends ListPage {
  readonly order: WeightOrder
}

export type SimulationTask =
  | ({ readonly kind: 'figures' } & SimulatedQuestion)
  | ({ readonly kind: 'weights'; readonly page: WeightPage } & SimulatedQuestion)
  | ({ readonly kind: 'path'; readonly code: string } & SimulatedQuestion)
  | ({ readonly kind: 'delegators'; readonly code: string; readonly page: ListPage } & SimulatedQuestion)
  | ({ readonly kind: 'circles'; readonly count: number } & SimulatedQuestion)

export type SimulationMessage =
  | { readonly kind: 'chunk'; readonly chunk: Uint8Array }
  | { readonly kind: 'end' }
  | { readonly kind: 'task'; readonly id: number; readonly task: SimulationTask }

export interface Weights {
  readonly voters: readonly VoterWeight[]
  readonly totalCount: number
}

export interface DelegatorPage {
  readonly delegators: readonly SimulatedDelegator[]
  readonly totalCount: number
}

export type SimulationAnswer =
  | { readonly figures: SimulationFigures; readonly today: SimulationFigures }
  | { readonly weights: Weights }
  | { readonly path: DelegationPath }
  | { readonly delegators: DelegatorPage }
  | { readonly circles: readonly DelegationCircle[] }
  | { readonly unknown: UnknownNames }
  /** the electorate is smaller than the number of citizens that the delegations name */
  | { readonly members: number }

export type SimulationReport =
  /** a chunk has been read; delegations so far */
  | { readonly kind: 'read'; readonly count: number }
  | { readonly kind: 'loaded'; readonly count: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: SimulationAnswer }
  | { readonly kind: 'failed'; readonly id: number }

interface Outcome extends ResolvedDelegations {
  readonly orders: Map<WeightOrder, Int32Array>
  delegators?: Delegators
}

/** citizens that are named of a circle */
const maxCircleMembers = 100
/** pages of a list, and the next scenario beside it */
const maxOutcomes = 3
const outcomes = new Map<string, Outcome>()
const builder = new SnapshotBuilder()
let snapshot: DelegationSnapshot | undefined

type AskedQuestion = Question & { readonly atMs: number }

const keyOf = (question: AskedQuestion, { file, ...scenario }: FiledScenario): string => JSON.stringify([question, scenario, file?.digest])

/** @param scenario - with the changes of its file in the lists, unless the outcome is known */
function outcomeOf(all: DelegationSnapshot, question: AskedQuestion, scenario: Scenario, key = keyOf(question, scenario)): Outcome {
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
  const key = keyOf(question, scenario)
  const isKnown = outcomes.has(key)
  const changes = isKnown ? [] : changesIn(scenario.file)
  const code = 'code' in task ? task.code : undefined
  // the names of a known outcome have been checked
  if (!isKnown || code !== undefined) {
    const unknown = unknownNames(all, question, isKnown ? unchanged : scenario, { changes, code })
    if (unknown.inLists.length + unknown.inFileCount > 0) return { unknown }
  }
  const outcome = outcomeOf(all, question, withFileInLists(scenario, changes), key)
  const { electorate } = scenario
  if (electorate !== undefined) {
    const members = outcome.isMember.reduce((sum, each) => sum + each, 0)
    if (electorate < members) return { members }
  }
  const today = () => outcomeOf(all, { ...question, atMs: todayMs }, { ...unchanged, electorate })
  if (task.kind === 'path') return { path: pathOf(all, outcome, all.citizens.numberOf(task.code) ?? 0, scenario.maxChain) }
  if (task.kind === 'delegators') return { delegators: delegatorPage(all, outcome, task, scenario.maxChain) }
  if (task.kind === 'circles') return { circles: circlesOf(all, outcome, task.count) }
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

const delegatorsIn = (outcome: Outcome): Delegators => {
  outcome.delegators ??= delegatorsOf(outcome)
  return outcome.delegators
}

function delegatorPage(
  { citizens }: DelegationSnapshot,
  outcome: Outcome,
  { code, page: { offset, size } }: { readonly code: string; readonly page: ListPage },
  maxChain = Number.POSITIVE_INFINITY,
): DelegatorPage {
  const { ordered, starts, through } = delegatorsIn(outcome)
  const delegate = citizens.numberOf(code) ?? 0
  const [start, end] = [starts[delegate] as number, starts[delegate + 1] as number]
  const delegators = [...ordered.subarray(start + offset, Math.min(end, start + offset + size))].map((citizen) => {
    const depth = outcome.depths[citizen] as number
    return {
      code: citizens.texts[citizen] as string,
      through: through[citizen] as number,
      direct: outcome.direct[citizen] as number,
      isAssumed: outcome.chosen[citizen] === assumed,
      isLost: depth < 0 || depth > maxChain,
    }
  })
  return { delegators, totalCount: end - start }
}

const circlesOf = ({ citizens }: DelegationSnapshot, outcome: Outcome, count: number): readonly DelegationCircle[] =>
  delegatorsIn(outcome)
    .circles.slice(0, count)
    .map(({ members, lost }) => ({
      codes: members.slice(0, maxCircleMembers).map((citizen) => citizens.texts[citizen] as string),
      length: members.length,
      lost,
    }))

const send = (report: SimulationReport): void => parentPort?.postMessage(report)

parentPort?.on('message', (message: SimulationMessage) => {
  if (message.kind === 'chunk') {
    builder.add(message.chunk)
    send({ kind: 'read', count: builder.count })
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
