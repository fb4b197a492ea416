import type { FastifyReply } from 'fastify'
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { ClientSlots } from '../../../foundation/concurrency/client-slots.ts'
import type { Backlog } from '../../../foundation/http/backlog.ts'
import { whenExpired, whenRevoked } from '../../../foundation/http/credentials-end.ts'
import type { Principal } from '../../../foundation/principal.ts'
import type { PreparedOperation } from '../../executor/executor.ts'
import type { SubscriptionContext } from '../../operation/cursor.ts'
import type { SharedSubscriptions } from '../../pipeline/subscriptions/shared-subscriptions.ts'
import type { Subscriber } from '../../pipeline/subscriptions/subscriber.ts'
import { resultStream } from './response-stream.ts'
import type { StreamFormat } from './subscription-format.ts'

export interface StreamRequest {
  readonly operation: PreparedOperation
  readonly variables: Readonly<Record<string, unknown>>
  readonly context: Pick<SubscriptionContext, 'principal' | 'requestId' | 'log' | 'cursor'> & { readonly address?: string }
  readonly format: StreamFormat
  readonly reply: FastifyReply
  /** aborted when the client disconnects */
  readonly disconnected: AbortSignal
  /** verifies the client again; rejects with UNAUTHENTICATED if its key was revoked */
  readonly reauthenticate: (signal: AbortSignal) => Promise<Principal>
}

/** Subscriptions streamed in HTTP responses. */
export interface StreamAnswers {
  /**
   * Resolves when the stream is open. @returns the refusal if the subscription does not start; nothing was written then
   * @throws {Overloaded} if all slots are taken
   * @throws {Fault} RATE_LIMITED if the address or the caller has reached its limit
   */
  subscribe(request: StreamRequest): Promise<ExecutionResult | undefined>
}

/** Creates the streaming responses, which share subscriptions and backlog with those over WebSocket. @param slots - limit of concurrent streams */
export function streamAnswers(shared: SharedSubscriptions, backlog: Backlog, slots: ClientSlots): StreamAnswers {
  return {
    async subscribe({ operation, variables, context, format, reply, disconnected, reauthenticate }) {
      const slot = slots.take(context.address)
      const departure = new AbortController()
      const leave = (): void => {
        if (departure.signal.aborted) return
        slot.release()
        departure.abort()
      }
      if (disconnected.aborted) leave()
      else disconnected.addEventListener('abort', leave, { once: true })
      try {
        slot.assign(context.principal)
      } catch (error) {
        leave()
        throw error
      }

      // events that arrive before the start of the subscription is confirmed
      let early: Parameters<Subscriber['deliver']>[] | undefined = []
      let ended: { readonly last: string | undefined } | undefined
      let stream: Subscriber | undefined
      const refusal = await shared
        .join(operation, variables, context, departure.signal, {
          deliver(...event) {
            if (stream !== undefined) return stream.deliver(...event)
            early?.push(event)
            return undefined
          },
          end(last) {
            ended = { last }
            stream?.end(last)
          },
        })
        .catch((error: unknown) => {
          leave()
          throw error
        })
      if (refusal !== undefined) {
        leave()
        return refusal
      }
      const headers = reply.getHeaders()
      reply.hijack()
      stream = resultStream(reply.raw, format, headers, leave, backlog)
      for (const event of early) void stream.deliver(...event)
      early = undefined
      if (ended !== undefined) stream.end(ended.last)
      const { principal, requestId } = context
      const endOfToken = refused('The token has expired; subscribe again with a fresh one', requestId)
      whenExpired(principal, departure.signal, () => stream?.end(endOfToken))
      whenRevoked(principal, reauthenticate, departure.signal, () => stream?.end(refused('Not authenticated', requestId)))
      return undefined
    },
  }
}

const refused = (message: string, requestId: string): string =>
  JSON.stringify({ errors: [new GraphQLError(message, { extensions: { code: 'UNAUTHENTICATED', requestId } })] })
