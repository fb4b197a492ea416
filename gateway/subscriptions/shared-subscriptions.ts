import { setImmediate } from 'node:timers/promises'
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { Log } from '../../foundation/log.ts'
import type { Principal } from '../../foundation/principal.ts'
import { failedResult } from '../errors/masked-result.ts'
import type { PreparedOperation } from '../executor.ts'
import type { SubscriptionContext } from './cursor.ts'
import type { MemoryBudget } from './recent-results.ts'
import { SharedStream, type SharedStreamOptions, type SubscriptionExecutor } from './shared-stream.ts'
import type { Subscriber } from './subscriber.ts'

/** Subscriptions that share their streams. */
export interface SharedSubscriptions {
  /**
   * Lets a subscriber take part until `gone` is aborted. The first events may be delivered before the promise resolves.
   * @returns the refusal, when the subscription does not start
   */
  join(
    operation: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    context: Pick<SubscriptionContext, 'principal' | 'requestId' | 'log' | 'cursor'> & { readonly traceparent?: string | undefined },
    gone: AbortSignal,
    subscriber: Subscriber,
  ): Promise<ExecutionResult | undefined>
  /**
   * From now on streams begin with this executor. Those that run go on by it where it answers them in the same way from the same sources;
   * to the others it is told why they end (SUBSCRIPTION_SCHEMA_RELOAD). Resolves when all have been looked at.
   */
  moveTo(executor: SubscriptionExecutor): Promise<void>
  /** Ends every stream. It is over for its subscribers, but for those that go on elsewhere. */
  stop(): void
}

/** Characters of the variables of a subscription, which are held for as long as it runs. */
const maxVariables = 32 * 1024
/** Characters of results that all streams keep for those that come back. */
const keptCharacters = 32 * 1024 * 1024

/**
 * Subscriptions equal in text, variables and authorisation scope share one stream of the subgraph, one execution per event, and the bytes
 * of the answer. The stream begins with its first subscriber and is ended when the last one leaves. A subscription that asks for past
 * events (`after`) is shared by those who ask before the first of them has come; one who comes back with a cursor takes part in a stream
 * that still has in memory what it missed. Errors carry an id of the stream, which the log ties to the requests that take part.
 */
export function sharedSubscriptions(
  first: SubscriptionExecutor,
  log: Log,
  telemetry?: SharedStreamOptions['telemetry'],
): SharedSubscriptions {
  let executor = first
  const budget: MemoryBudget = { left: keptCharacters }
  const streams = new Map<string, Set<SharedStream>>()
  const running = new Set<SharedStream>()

  return {
    async moveTo(next) {
      executor = next
      for (const stream of [...running]) {
        await stream.move()
        // planning takes its time, and others want to be answered
        await setImmediate()
      }
    },
    stop() {
      for (const stream of [...running]) stream.interrupt()
    },
    async join(operation, variables, { principal, requestId, log: requestLog, cursor, traceparent }, gone, subscriber) {
      const held = used(operation, variables)
      const known = JSON.stringify(sorted(held))
      if (known.length > maxVariables) return failedResult(tooMuchHeld(), { requestId, log: requestLog })
      const key = JSON.stringify([operation.text, operation.name, known, scopeOf(principal)])
      const equal = streams.get(key) ?? new Set()
      streams.set(key, equal)
      const onEnd = (ended: SharedStream): void => {
        running.delete(ended)
        equal.delete(ended)
        if (equal.size === 0 && streams.get(key) === equal) streams.delete(key)
      }
      const shared = [...equal].find((each) => (cursor === undefined ? each.isOpen : each.reaches(cursor)))
      const stream =
        shared ??
        new SharedStream({
          operation,
          variables: held,
          principal,
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
      stream.add(subscriber, gone, cursor)
      return await stream.refusal
    },
  }
}

const tooMuchHeld = (): GraphQLError =>
  new GraphQLError(`The variables of a subscription have more than ${maxVariables} characters of JSON`, {
    extensions: { code: 'LIMIT_EXCEEDED' },
  })

/** The variables that the operation knows: what else a client sends decides nothing. */
function used({ definition }: PreparedOperation, variables: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const names = definition.variableDefinitions?.map(({ variable }) => variable.name.value) ?? []
  return Object.fromEntries(names.filter((name) => Object.hasOwn(variables, name)).map((name) => [name, variables[name]]))
}

/** All of a caller that may decide what it sees. When its token ends does not: that closes its own connection. */
function scopeOf({ service, user, forwarded }: Principal): unknown {
  const { expiresAt: _, ...identity } = user ?? {}
  return sorted({ service, user: user && identity, forwarded })
}

/** The same value with members in order of their names, so that equal values have equal JSON. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}
