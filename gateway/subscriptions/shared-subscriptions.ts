import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { RequestContext } from '../../subgraphs/foundation/graphql/request-context.ts'
import type { Log } from '../../subgraphs/foundation/log.ts'
import type { Principal } from '../../subgraphs/foundation/principal.ts'
import { described, failedResult } from '../errors.ts'
import type { Executor, PreparedOperation } from '../executor.ts'
import { requestContext } from '../request-context.ts'
import type { SubscriptionStream } from './federated-subscription.ts'
import { beginning } from './resume.ts'

/** One who takes the events of a shared subscription. */
export interface Subscriber {
  /**
   * Takes an event: a GraphQL result as JSON, serialised once for all.
   * @returns a promise when it would like to have no more for now. It is waited for while this is the only subscriber: nobody is held up
   * by another's slowness
   */
  deliver(event: string): Promise<void> | undefined
  /** The subscription is over; nothing comes after it. @param last - a result of errors alone that says why, as JSON */
  end(last?: string): void
}

/** Subscriptions that share their streams. */
export interface SharedSubscriptions {
  /**
   * Lets a subscriber take part until `gone` is aborted. The first events may be delivered before the promise resolves.
   * @returns the refusal, when the subscription does not start
   */
  join(
    operation: PreparedOperation,
    variables: Readonly<Record<string, unknown>>,
    context: Pick<RequestContext, 'principal' | 'requestId' | 'log'>,
    gone: AbortSignal,
    subscriber: Subscriber,
  ): Promise<ExecutionResult | undefined>
  /**
   * From now on streams begin with this executor. Those that run go on by it where it answers them in the same way from the same sources;
   * to the others it is told why they end (SUBSCRIPTION_SCHEMA_RELOAD). Resolves when all have been looked at.
   */
  moveTo(executor: SubscriptionExecutor): Promise<void>
  /** Ends every stream, and tells the subscribers that it is over. */
  stop(): void
}

/** What streams need of an executor. */
export type SubscriptionExecutor = Pick<Executor, 'prepare' | 'subscribe' | 'subscriptionPlan'>

/** Subscribers that are equal in all that decides what they may see. */
interface Group {
  readonly subscribers: Set<Subscriber>
  readonly end: AbortController
  readonly refusal: Promise<ExecutionResult | undefined>
  /** false once a newcomer would miss events that it asked for */
  open: boolean
  /** Goes on by the executor of now, or ends. */
  move(): Promise<void>
  finish(last?: string): void
}

/**
 * Subscriptions equal in text, variables and authorisation scope share one stream of the subgraph, one execution per event, and the bytes
 * of the answer. The stream begins with its first subscriber and is ended when the last one leaves. A subscription that asks for past
 * events (`after`) is shared by those who ask before the first of them has come. Errors carry an id of the stream, which the log ties to
 * the requests that take part.
 */
export function sharedSubscriptions(first: SubscriptionExecutor, log: Log): SharedSubscriptions {
  let executor = first
  const groups = new Map<string, Group>()
  const running = new Set<Group>()

  const begin = (key: string, { text, name }: PreparedOperation, variables: Variables, principal: Principal): Group => {
    const subscribers = new Set<Subscriber>()
    const end = new AbortController()
    const requestId = randomUUID()
    const context = requestContext({ principal, requestId, log, timeoutMs: Number.POSITIVE_INFINITY, clientGone: end.signal })
    let by = executor
    let stream: SubscriptionStream | undefined
    let asksForPast = false
    end.signal.addEventListener(
      'abort',
      () => {
        running.delete(group)
        group.open = false
        if (groups.get(key) === group) groups.delete(key)
      },
      { once: true },
    )

    const start = async (): Promise<ExecutionResult | undefined> => {
      // a request may have come while another supergraph was served
      const operation = by.prepare(text, name)
      asksForPast = beginning(operation.document, operation.definition, variables) !== undefined
      const events = await by.subscribe(operation, variables, context)
      if (!('moveTo' in events)) return events
      stream = events
      void group.move()
      pump(events).catch((error: unknown) => {
        log.error({ requestId, err: described(error) }, 'a subscription failed')
        group.finish()
      })
      return undefined
    }
    const pump = async (events: SubscriptionStream): Promise<void> => {
      for await (const { errors, data, extensions } of events) {
        if (asksForPast) group.open = false
        const event = JSON.stringify({ errors, data, extensions })
        let wait: Promise<void> | undefined
        for (const subscriber of subscribers) wait = subscriber.deliver(event)
        if (subscribers.size === 1 && wait !== undefined) await wait
      }
      group.finish()
    }
    const goesOn = async (next: SubscriptionExecutor): Promise<boolean> => {
      try {
        const plan = await next.subscriptionPlan(next.prepare(text, name), variables, context)
        return 'node' in plan && stream?.moveTo(plan) === true
      } catch {
        // the operation is none of this supergraph
        return false
      }
    }
    const refusal = Promise.resolve()
      .then(start)
      .catch((error: unknown) => failedResult(error, context))
      .then((refused) => {
        if (refused !== undefined) end.abort()
        return refused
      })
    const group: Group = {
      subscribers,
      end,
      refusal,
      open: true,
      async move() {
        while (stream !== undefined && by !== executor && !end.signal.aborted) {
          const next = executor
          if (await goesOn(next)) by = next
          else group.finish(JSON.stringify({ errors: [reloaded(requestId)] }))
        }
      },
      finish(last) {
        end.abort()
        for (const subscriber of subscribers) subscriber.end(last)
      },
    }
    running.add(group)
    return group
  }

  return {
    async moveTo(next) {
      executor = next
      for (const group of [...running]) {
        await group.move()
        // planning takes its time, and others want to be answered
        await setImmediate()
      }
    },
    stop() {
      for (const group of [...running]) group.finish()
    },
    async join(operation, variables, context, gone, subscriber) {
      const key = JSON.stringify([operation.text, operation.name, sorted(used(operation, variables)), scopeOf(context.principal)])
      const known = groups.get(key)
      const group = known?.open ? known : begin(key, operation, variables, context.principal)
      if (group.open) groups.set(key, group)
      group.subscribers.add(subscriber)
      const leave = (): void => {
        group.subscribers.delete(subscriber)
        if (group.subscribers.size === 0 && !group.end.signal.aborted) group.end.abort()
      }
      if (gone.aborted) leave()
      else gone.addEventListener('abort', leave, { once: true })
      return await group.refusal
    },
  }
}

type Variables = Readonly<Record<string, unknown>>

const reloaded = (requestId: string): GraphQLError =>
  new GraphQLError('The schema has changed; subscribe again', { extensions: { code: 'SUBSCRIPTION_SCHEMA_RELOAD', requestId } })

/** The variables that the operation knows: what else a client sends decides nothing. */
function used({ definition }: PreparedOperation, variables: Readonly<Record<string, unknown>>): unknown {
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
