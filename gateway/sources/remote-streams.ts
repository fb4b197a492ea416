import { type ExecutionResult, GraphQLError } from 'graphql'
import { messageOf } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { Backlog } from '../../foundation/http/backlog.ts'
import { pause } from '../../foundation/lifecycle.ts'
import { isEntity, ownValue } from '../operation/entity.ts'
import type { ResumeRule } from '../operation/resume.ts'
import { boundedQueue } from './bounded-queue.ts'
import { failure, resultOf } from './remote-answer.ts'
import { type RemoteConnection, remoteConnections } from './remote-connections.ts'
import { arrived, type SourceSubscription } from './subgraph-source.ts'

export interface RemoteStreamsOptions {
  /** name of the subgraph */
  readonly name: string
  readonly url: URL
  /** how long a stream waits for a lost subgraph */
  readonly reconnectMs: number
  /** returns the extensions of a Subscribe message with the principal */
  readonly extensionsOf: (context: RequestContext) => { readonly extensions?: Record<string, unknown> }
}

/** The subscriptions of a remote subgraph, over one WebSocket (graphql-transport-ws) per set of forwarded headers, which are its init payload. */
export interface RemoteStreams {
  open(subscription: SourceSubscription): AsyncGenerator<ExecutionResult>
  stop(): void
}

/** Limits of events per stream that wait for completion by other subgraphs or for a slow client. */
const maxWaiting = { events: 1000, bytes: 4 * 1024 * 1024 }
/** Limit of waiting bytes of all streams of a subgraph; beyond it the slowest streams fail. */
const maxWaitingOfAll = 64 * 1024 * 1024
const firstPauseMs = 100
const maxPauseMs = 5000
/** A connection that lasted this long does not count as a failed attempt. */
const stableMs = 1000

export function remoteStreams(options: RemoteStreamsOptions): RemoteStreams {
  const { name, reconnectMs, extensionsOf } = options
  const connections = remoteConnections(options.url)
  const backlog = new Backlog(maxWaitingOfAll)

  /** Yields the events of one connection. @throws the reason of its end, unless the subgraph completed it */
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

  /** Resumes after an interruption from the number of the last event, or reports that events may be missing. */
  async function* open(subscription: SourceSubscription): AsyncGenerator<ExecutionResult> {
    const { resume, context } = subscription
    const { signal } = context
    using connection = connections.acquire(context.principal.forwarded)
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

/** Returns the refusal of the subgraph; graphql-ws passes the list of its errors. */
function refusal(errors: readonly { readonly message?: unknown; readonly extensions?: Record<string, unknown> }[]): ExecutionResult {
  return {
    errors: errors.map(({ message, extensions }) => new GraphQLError(String(message), extensions === undefined ? {} : { extensions })),
  }
}

/** Random between half and the full delay, so that interrupted streams do not reconnect at once. */
function pauseMs(failures: number): number {
  return Math.min(maxPauseMs, firstPauseMs * 2 ** failures) * (0.5 + Math.random() / 2)
}

/** graphql-ws passes the close event, or the error event of a failed connection; neither is an Error. */
function causeOf(error: unknown): string {
  if (!isEntity(error) || error instanceof Error) return messageOf(error)
  if ('code' in error) return `closed with ${String(error.code)}`
  return 'error' in error ? messageOf(error.error) : 'unknown'
}
