import { context as active } from '@opentelemetry/api'
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { traceparentOf } from '../../foundation/tracing/trace-context.ts'
import type { SubgraphSource } from '../sources/subgraph-source.ts'
import type { OperationTrace } from './operation-record.ts'

/** One fetch that has begun. */
export interface ObservedFetch {
  readonly trace: OperationTrace | undefined
  /** handed on where nobody traces here */
  readonly traceparent: string | undefined
  readonly end: (result: Pick<ExecutionResult, 'errors'>) => void
}

/** A subgraph of whose fetches is told when they begin and end. One that goes on with the trace of an operation is told which it is. */
export function observedSource(source: SubgraphSource, begin: (context: RequestContext) => ObservedFetch): SubgraphSource {
  return {
    ...source,
    fetch(request) {
      const { trace, traceparent, end } = begin(request.context)
      const ended = (result: ExecutionResult): ExecutionResult => {
        end(result)
        return result
      }
      const failed = (error: unknown): never => {
        end(unknownFailure)
        throw error
      }
      try {
        const answer =
          trace === undefined
            ? source.fetch(traceparent === undefined ? request : { ...request, traceparent })
            : active.with(trace.context, () => source.fetch({ ...request, ...headerOf(trace) }))
        // what is there at once is not waited for
        return answer instanceof Promise ? answer.then(ended, failed) : ended(answer)
      } catch (error) {
        return failed(error)
      }
    },
  }
}

function headerOf({ span }: OperationTrace): { readonly traceparent?: string } {
  const traceparent = traceparentOf(span)
  return traceparent === undefined ? {} : { traceparent }
}

const unknownFailure = { errors: [new GraphQLError('The subgraph failed', { extensions: { code: 'INTERNAL' } })] }
