import { loopTurns } from '../../foundation/concurrency/loop-turns.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { type GrantedPolicies, unmetRequirements } from '../authorization/unmet-requirements.ts'
import type { OperationVariant, PlannedOperation } from '../execution/planned-operation.ts'
import type { RunnableOperation } from '../execution/runnable-operation.ts'
import type { PreparedOperation } from '../operation/prepared-operation.ts'
import { type OverrideLabels, overrideSwitch } from '../planning/override-labels.ts'

export interface CallerOperationOptions {
  /** returns the cached preparation of an operation */
  readonly planned: (operation: PreparedOperation) => PlannedOperation
  /** decides policies; absent: no caller fulfils one */
  readonly granted: GrantedPolicies<RequestContext> | undefined
  readonly overrideLabels: OverrideLabels
  /** called once for each planned operation; `startedAt` by performance.now() */
  readonly onPlanned: ((context: RequestContext, startedAt: number) => void) | undefined
}

/**
 * Returns the part of an operation that its caller may see, planned. @param deferring - variables by which parts of it are deferred (default: none is)
 * @throws {Overloaded} if too many operations wait to be planned
 */
export type CallerOperation = (
  operation: PreparedOperation,
  context: RequestContext,
  deferring?: Readonly<Record<string, unknown>>,
) => Promise<RunnableOperation>

export function callerOperations({ planned, granted, overrideLabels, onPlanned }: CallerOperationOptions): CallerOperation {
  const turn = planningQueue()
  const overridesFor = overrideSwitch(overrideLabels)
  /** Operations whose planning time has already been recorded. */
  const recorded = new WeakSet<RunnableOperation>()

  return async (operation, context, deferring) => {
    await turn(operation, context)
    const startedAt = performance.now()
    const whole = planned(operation)
    const wholeMs = performance.now() - startedAt
    const variant = deferring && whole.inParts?.(deferring)
    if (variant !== undefined) await turn(variant, context)
    const variantAt = performance.now()
    const { requirements, overrideLabels: labels, without } = variant?.planned() ?? whole
    const prepareMs = wholeMs + performance.now() - variantAt
    const unmet = requirements.length === 0 ? [] : await unmetRequirements(requirements, context, granted)
    const plannedAt = performance.now() - prepareMs
    const overridden = labels.length === 0 ? labels : await overridesFor(labels, context)
    const runnable = without(unmet, overridden)
    if (onPlanned !== undefined && !recorded.has(runnable)) {
      recorded.add(runnable)
      onPlanned(context, plannedAt)
    }
    return runnable
  }
}

/**
 * Returns a function that waits before an operation, or a variant of it, is planned for the first time. One is planned in each turn of the event
 * loop, and addresses take turns: a client that sends many new operations delays the others by one plan at a time.
 */
function planningQueue(): (operation: PreparedOperation | OperationVariant, context: RequestContext) => Promise<void> {
  const nextTurn = loopTurns({ maxPerOwner: 100, maxWaiting: 1000, maxWaitMs: 10_000 })
  /** operations that wait for their turn, or had it */
  const states = new WeakMap<PreparedOperation | OperationVariant, Promise<void> | 'started'>()
  return async (operation, { address, signal }) => {
    const state = states.get(operation)
    if (state === 'started') return
    const turn = state ?? nextTurn(address)
    states.set(operation, turn)
    try {
      await turn
      states.set(operation, 'started')
    } catch (error) {
      states.delete(operation)
      throw error
    }
    signal.throwIfAborted()
  }
}
