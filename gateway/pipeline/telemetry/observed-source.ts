import { context as active } from '@opentelemetry/api'
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { traceparentOf } from '../../../foundation/tracing/trace-context.ts'
import type { SubgraphSource } from '../../sources/subgraph-source.ts'
import type { OperationTrace } from './operation-record.ts'

/** A fetch in progress. */
export interface ObservedFetch {
  readonly trace: OperationTrace | undefined
  /** passed on without tracing */
  readonly traceparent: string | undefined
  readonly end: (result: Pick<ExecutionResult, 'errors'>) => void
}

/** Wraps a subgraph to report start and end of its fetches; traced fetches carry their span. */
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
        end(thrownResult)
        throw error
      }
      try {
        const answer =
          trace === undefined
            ? source.fetch(traceparent === undefined ? request : { ...request, traceparent })
            : active.with(trace.context, () => source.fetch({ ...request, ...headerOf(trace) }))
        // a synchronous result is not awaited
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

/** The result of a fetch that threw an error; telemetry records only its code. */
const thrownResult = { errors: [new GraphQLError('The fetch from the subgraph threw an error', { extensions: { code: 'INTERNAL' } })] }
