import { Readable } from 'node:stream'
import { type DocumentNode, type ExecutionResult, execute, GraphQLError, type GraphQLSchema, parse, subscribe } from 'graphql'
import { Fault } from '../../foundation/fault.ts'
import type { OpenFile, RequestContext } from '../../foundation/graphql/request-context.ts'
import { textCache } from '../operation/text-cache.ts'
import type { SubgraphSource } from './subgraph-source.ts'

/**
 * Calls a subgraph in this process. Fetches come from the query planner, so texts are parsed once and never validated (LocalGraphQLDataSource of
 * @apollo/gateway does both each time, two thirds of its time). @param contextOf - returns the context of resolvers (default: that of the request)
 */
export function inProcessSource(
  subgraph: { readonly schema: GraphQLSchema; readonly openFile?: OpenFile },
  contextOf: (context: RequestContext) => unknown = (context) => context,
): SubgraphSource {
  const { schema, openFile } = subgraph
  const documents = textCache<DocumentNode>(1000)
  const documentOf = (query: string): DocumentNode => {
    const cached = documents.get(query)
    if (cached !== undefined) return cached
    const document = parse(query, { noLocation: true })
    documents.set(query, document)
    return document
  }
  return {
    fetch({ query, operationName, variables, context }) {
      const { signal } = context
      if (signal.aborted) return { errors: [aborted(signal)] }
      const document = documentOf(query)
      const result = execute({ schema, document, variableValues: variables, operationName, contextValue: contextOf(context) })
      return result instanceof Promise ? endedBy(signal, result.then(withDistinctErrors)) : withDistinctErrors(result)
    },
    async stream({ query, operationName, variables, context }) {
      return subscribe({ schema, document: documentOf(query), variableValues: variables, operationName, contextValue: contextOf(context) })
    },
    ...(openFile && { openFile: async (id, context) => Readable.from([await openFile(id, context)]) }),
    async stop() {},
  }
}

/** Omits repetitions of an error that concerns many fields. */
const withDistinctErrors = (result: ExecutionResult): ExecutionResult =>
  result.errors === undefined ? result : { ...result, errors: [...new Set(result.errors)] }

/** Returns the result, or an error as soon as the signal is aborted, even if a resolver ignores its signal. */
function endedBy(signal: AbortSignal, result: Promise<ExecutionResult>): Promise<ExecutionResult> {
  return new Promise((resolve, reject) => {
    const end = (): void => resolve({ errors: [aborted(signal)] })
    signal.addEventListener('abort', end, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}

function aborted(signal: AbortSignal): GraphQLError {
  const reason: unknown = signal.reason
  const sentence = reason instanceof Fault ? reason.message : 'The request has ended'
  return new GraphQLError(sentence, reason instanceof Error ? { originalError: reason } : {})
}
