import { type ExecutionResult, GraphQLError } from 'graphql'
import { messageOf } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { pause } from '../../foundation/lifecycle.ts'
import { Backlog } from '../http/backlog.ts'
import { isEntity, ownValue } from '../planning/steps/entity.ts'
import { arrived } from '../subscriptions/arrival.ts'
import type { ResumeRule } from '../subscriptions/resume.ts'
import { boundedQueue } from './bounded-queue.ts'
import { failure, resultOf } from './remote-answer.ts'
import { type RemoteConnection, remoteConnections } from './remote-connections.ts'
import type { SourceSubscription } from './subgraph-source.ts'

export interface RemoteStreamsOptions {
  /** of the subgraph */
  readonly name: string
  readonly url: URL
  /** how long a stream waits for a subgraph that has gone away */
  readonly reconnectMs: number
  /** what goes with a Subscribe message to tell the subgraph who asks */
  readonly extensionsOf: (context: RequestContext) => { readonly extensions?: Record<string, unknown> }
}

/**
 * The subscriptions of one remote subgraph: any number over one WebSocket (graphql-transport-ws), but that each set of forwarded headers
 * has one of its own, whose init payload they are.
 */
export interface RemoteStreams {
  open(subscription: SourceSubscription): AsyncGenerator<ExecutionResult>
  stop(): void
}

/** Events of a stream that may wait for their completion by other subgraphs, or for a client that reads slowly. */
const maxWaiting = { events: 1000, bytes: 4 * 1024 * 1024 }
/** Bytes of those of all streams of a subgraph; beyond, those give up what waits for them that are furthest behind. */
const maxWaitingOfAll = 64 * 1024 * 1024
const firstPauseMs = 100
const maxPauseMs = 5000
/** A connection that held so long was no failed attempt. */
const stableMs = 1000

export function remoteStreams(options: RemoteStreamsOptions): RemoteStreams {
  const { name, reconnectMs, extensionsOf } = options
  const connections = remoteConnections(options.url)
  const backlog = new Backlog(maxWaitingOfAll)

  /** The events of one connection. @throws what ended it, when that was not the subgraph's own completion */
  async function* events(
    connection: RemoteConnection,
    subscription: SourceSubscription,
    variables: Record<string, unknown>,
  ): AsyncGenerator<ExecutionResult> {
    const { query, operationName, context } = subscription
    const queue = boundedQueue<ExecutionResult>(maxWaiting, (event) => JSON.stringify(event).length)
    const behind = backlog.client(queue.bytes, queue.giveUp)
    const payload = { query, variables, ...(operationName === undefined ? {} : { operationName }), ...extensionsOf(context) }
    const unsubscribe = connection.client.subscribe(payload, {
      next: (sent) => {
        const event = resultOf(sent)
        if (event === undefined) return
        queue.push(arrived(event))
        behind.note()
      },
      error: (error) => queue.fail(error),
      complete: () => queue.end(),
    })
    context.signal.addEventListener('abort', queue.end, { once: true })
    try {
      yield* queue.events
    } finally {
      context.signal.removeEventListener('abort', queue.end)
      behind.end()
      unsubscribe()
    }
  }

  /** Goes on after an interruption, from the last event's number where events have one; else it says that events may be missing. */
  async function* open(subscription: SourceSubscription): AsyncGenerator<ExecutionResult> {
    const { resume, context } = subscription
    const { signal } = context
    using connection = connections.lend(context.principal.forwarded)
    let variables = { ...subscription.variables }
    let wasConnected = false
    let failures = 0
    let lostAt = 0
    while (!signal.aborted) {
      const established = connection.watch()
      const from = Date.now()
      try {
        for await (const event of events(connection, subscription, variables)) {
          failures = 0
          if (resume !== undefined) variables = { ...variables, ...numberOf(event, resume) }
          yield event
        }
        return
      } catch (error) {
        if (signal.aborted) return
        if (Array.isArray(error)) return yield refusal(error)
        wasConnected ||= established()
        if (established() && Date.now() - from > stableMs) failures = 0
        if (failures === 0) lostAt = Date.now()
        if (!wasConnected || Date.now() - lostAt > reconnectMs) throw failure(name, error, signal)
        context.log.warn({ subgraph: name, cause: causeOf(error) }, 'a subscription lost its subgraph')
        const isGap = resume === undefined || (variables[resume.variable] ?? undefined) === undefined
        if (failures === 0 && isGap) yield { errors: [failure(name, error, signal)] }
        await pause(pauseMs(failures), signal)
        failures += 1
      }
    }
  }

  return { open, stop: () => connections.stop() }
}

function numberOf({ data }: ExecutionResult, { variable, path: [field, member] }: ResumeRule): Readonly<Record<string, unknown>> {
  const event = data?.[field]
  const number = isEntity(event) ? ownValue(event, member) : undefined
  return number === undefined || number === null ? {} : { [variable]: number }
}

/** The subgraph refused the operation: graphql-ws gives the list of its errors. */
function refusal(errors: readonly { readonly message?: unknown; readonly extensions?: Record<string, unknown> }[]): ExecutionResult {
  return {
    errors: errors.map(({ message, extensions }) => new GraphQLError(String(message), extensions === undefined ? {} : { extensions })),
  }
}

/** Between half of it and the whole, so that streams that broke off together do not all come back at once. */
function pauseMs(failures: number): number {
  return Math.min(maxPauseMs, firstPauseMs * 2 ** failures) * (0.5 + Math.random() / 2)
}

/** graphql-ws gives the event that closed the socket, or that says why it never opened: neither is an Error. */
function causeOf(error: unknown): string {
  if (!isEntity(error) || error instanceof Error) return messageOf(error)
  if ('code' in error) return `closed with ${String(error.code)}`
  return 'error' in error ? messageOf(error.error) : 'unknown'
}
