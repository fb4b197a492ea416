import { setImmediate } from 'node:timers/promises'
import { type ExecutionResult, GraphQLError } from 'graphql'
import { ClientSlots, slotRetryMs } from '../../../foundation/concurrency/client-slots.ts'
import { Fault } from '../../../foundation/fault.ts'
import { isIdentified } from '../../../foundation/http/authentication.ts'
import type { Log } from '../../../foundation/log.ts'
import type { Principal } from '../../../foundation/principal.ts'
import { failedResult } from '../../errors/masked-result.ts'
import type { PreparedOperation } from '../../executor/executor.ts'
import type { SubscriptionContext } from '../../operation/cursor.ts'
import type { MemoryBudget } from './recent-results.ts'
import { SharedStream, type SharedStreamOptions, type SubscriptionExecutor } from './shared-stream.ts'
import type { Subscriber } from './subscriber.ts'

/** Subscriptions that share streams. */
export interface SharedSubscriptions {
  /**
   * Adds a subscriber until `disconnected` is aborted; events may be delivered before the promise resolves. @returns the refusal if the subscription does not
   * start
   */
  join(
    operation: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    context: Pick<SubscriptionContext, 'principal' | 'requestId' | 'log' | 'cursor'> & {
      readonly traceparent?: string | undefined
      readonly address?: string | undefined
    },
    disconnected: AbortSignal,
    subscriber: Subscriber,
  ): Promise<ExecutionResult | undefined>
  /**
   * Uses this executor for new streams. Running ones switch if it resolves them equally from the same sources; others end with
   * SUBSCRIPTION_SCHEMA_RELOAD. Resolves when all are checked.
   */
  moveTo(executor: SubscriptionExecutor): Promise<void>
  /** Ends every stream; subscribers end, except those that resume elsewhere. */
  stop(): void
}

/** Maximum length of the variables of a subscription, which are held while it runs. */
const maxVariables = 32 * 1024
/** Maximum length of results that all streams store for reconnecting clients. */
const storedCharacters = 32 * 1024 * 1024

/**
 * Shares one subgraph stream, one execution per event and the serialised result between subscriptions with equal text, variables and authorization
 * scope. A stream starts with its first subscriber and ends with the last. A subscription to past events (`after`) is shared until the first of them
 * arrives; a reconnecting client with a cursor joins a stream that still stores what it missed. Errors carry the id of the stream, which the log maps
 * to requests.
 * @param perAddress - limit of the streams that callers of an address without a verified key or token start: each event is executed once for each of
 * them (default: unlimited)
 */
export function sharedSubscriptions(
  first: SubscriptionExecutor,
  log: Log,
  telemetry?: SharedStreamOptions['telemetry'],
  perAddress?: number,
): SharedSubscriptions {
  const slots = new ClientSlots({ ...(perAddress !== undefined && { perClient: perAddress }) })
  let executor = first
  const budget: MemoryBudget = { remaining: storedCharacters }
  const streams = new Map<string, Set<SharedStream>>()
  const running = new Set<SharedStream>()

  return {
    async moveTo(next) {
      executor = next
      for (const stream of [...running]) {
        await stream.move()
        // planning takes time; yields to other work
        await setImmediate()
      }
    },
    stop() {
      for (const stream of [...running]) stream.interrupt()
    },
    async join(operation, variables, { principal, requestId, log: requestLog, cursor, traceparent, address }, disconnected, subscriber) {
      const held = used(operation, variables)
      const variablesText = JSON.stringify(sorted(held))
      if (variablesText.length > maxVariables) return failedResult(tooMuchHeld(), { requestId, log: requestLog })
      const key = JSON.stringify([operation.text, operation.name, variablesText, scopeOf(principal)])
      const equal = streams.get(key) ?? new Set()
      const shared = [...equal].find((each) => (cursor === undefined ? each.isOpen : each.reaches(cursor)))
      const isCounted = shared === undefined && !isIdentified(principal)
      if (isCounted && slots.isExhausted(address)) return failedResult(tooManyStarted(), { requestId, log: requestLog })
      const slot = isCounted ? slots.take(address) : undefined
      streams.set(key, equal)
      const onEnd = (ended: SharedStream): void => {
        slot?.release()
        running.delete(ended)
        equal.delete(ended)
        if (equal.size === 0 && streams.get(key) === equal) streams.delete(key)
      }
      const stream =
        shared ??
        new SharedStream({
          operation,
          variables: held,
          principal,
          address,
          cursor,
          traceparent,
          executor: () => executor,
          budget,
          log,
          telemetry,
          onEnd,
        })
      running.add(stream)
      equal.add(stream)
      stream.add(subscriber, disconnected, cursor)
      return await stream.refusal
    },
  }
}

const tooMuchHeld = (): GraphQLError =>
  new GraphQLError(`The variables of a subscription have more than ${maxVariables} characters of JSON`, {
    extensions: { code: 'LIMIT_EXCEEDED' },
  })

const tooManyStarted = (): Fault =>
  new Fault('RATE_LIMITED', 'Too many different subscriptions from this address: end one or try again later', { retryAfterMs: slotRetryMs })

/** Returns the variables that the operation declares; others have no effect. */
function used({ definition }: PreparedOperation, variables: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const names = definition.variableDefinitions?.map(({ variable }) => variable.name.value) ?? []
  return Object.fromEntries(names.filter((name) => Object.hasOwn(variables, name)).map((name) => [name, variables[name]]))
}

/** Returns everything about a caller that affects visibility; the expiry of its token only closes its own connection. */
function scopeOf({ service, user, accessLink, forwarded }: Principal): unknown {
  const { expiresAt: _, ...identity } = user ?? {}
  return sorted({ service, user: user && identity, accessLink, forwarded })
}

/** Sorts members by name, so that equal values have equal JSON. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}
