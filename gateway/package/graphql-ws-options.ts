import type { ExecutionArgs, ExecutionResult } from 'graphql'
import type { Context, ServerOptions } from 'graphql-ws'
import type { Extra } from 'graphql-ws/use/ws'
import { endableStream } from '../../foundation/concurrency/endable-stream.ts'
import { InvalidOperation } from '../errors/masked-result.ts'
import { deferSpec20220824, type Payload, payloadsOf } from '../execution/incremental/payloads.ts'
import { parseCursor } from '../operation/cursor.ts'
import { type HandledGateway, type OperationRules, preparing, type ReceivedOperation } from './handled-gateway.ts'

type Connection = Context<Record<string, unknown> | undefined, Extra>

export interface GraphqlWsOptions extends OperationRules {
  /** Returns the `contextValue` for data sources and `contextOf` (default: `{ connectionParams }`). */
  context?(connection: Connection): object | Promise<object>
}

interface AdmittedOperation extends ReceivedOperation {
  readonly cursor: string | undefined
}

/** Returns options for `useServer` of graphql-ws: subscriptions, queries and mutations, these with deferred fragments. */
export function graphqlWsOptions(
  gateway: HandledGateway,
  { context: contextValueOf, ...rules }: GraphqlWsOptions,
): ServerOptions<Record<string, unknown> | undefined, Extra> {
  const prepare = preparing(rules)
  const failed = (error: unknown): ExecutionResult => ({ errors: [gateway.errorFor(error)] })
  const admitted = new WeakMap<ExecutionArgs, AdmittedOperation>()
  const received = (execution: ExecutionArgs): AdmittedOperation => {
    const operation = admitted.get(execution)
    if (operation === undefined) throw new Error('graphql-ws passed an operation that was not admitted')
    return operation
  }
  return {
    async onSubscribe(connection, _, { query, operationName, variables, extensions }) {
      try {
        const executor = gateway.executor()
        const operation = prepare(executor, query, operationName ?? undefined)
        const { connectionParams, extra } = connection
        const contextValue = (await contextValueOf?.(connection)) ?? { connectionParams }
        const execution = { schema: executor.schema, document: operation.document, operationName: operation.name ?? null }
        const cursor = parseCursor(extensions?.cursor)
        admitted.set(execution, { operation, executor, variables: variables ?? {}, request: extra.request, contextValue, cursor })
        return execution
      } catch (error) {
        return error instanceof InvalidOperation ? error.errors : [gateway.errorFor(error)]
      }
    },
    execute(execution) {
      const { executor, operation, variables, ...more } = received(execution)
      const disconnected = new AbortController()
      const results = async function* (): AsyncGenerator<Payload, void> {
        const { context, end } = gateway.contextOf({ executor, operation, variables, ...more }, disconnected.signal)
        try {
          yield* payloadsOf(await executor.execute(operation, variables, context, 'in parts'), deferSpec20220824)
        } finally {
          end()
        }
      }
      // a stream, since graphql-ws ends a stream when the client completes it, but not an execution
      return endableStream(results(), disconnected, (result) => result, failed)
    },
    async subscribe(execution) {
      try {
        const request = received(execution)
        const { context, end } = gateway.contextOf(request, new AbortController().signal)
        end()
        return await gateway.streams.iterate({ ...request, principal: context.principal, requestId: context.requestId })
      } catch (error) {
        // graphql-ws would close the connection
        return failed(error)
      }
    },
  }
}
