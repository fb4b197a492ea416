import '../no-telemetry.ts'
import type { Schema } from '@apollo/federation-internals'
import { buildOperationContext, executeQueryPlan, type GraphQLDataSource } from '@apollo/gateway'
import type { QueryPlan } from '@apollo/query-planner'
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import type { RequestContext } from '../../subgraphs/foundation/graphql/request-context.ts'
import { described, graphqlErrorOf } from '../errors.ts'
import type { Execution, Fetchers } from './execution.ts'

export interface ApolloExecutionOptions {
  readonly plan: QueryPlan
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
  readonly schema: GraphQLSchema
  readonly apiSchema: Schema
  readonly supergraphSchema: GraphQLSchema
}

/**
 * Executes a plan as @apollo/gateway does: for operations that ask for the schema itself, and for plans with nodes that we do not know.
 */
export function apolloExecution(options: ApolloExecutionOptions) {
  const { plan, document, definition, schema, apiSchema, supergraphSchema } = options
  const operationName = definition.name?.value
  const operationContext = buildOperationContext({
    schema,
    operationDocument: document,
    ...(operationName === undefined ? {} : { operationName }),
  })
  return async (variables: Readonly<Record<string, unknown>>, context: RequestContext, sources: Fetchers): Promise<Execution> => {
    const requestContext = {
      request: { query: '', variables, operationName },
      document,
      operationName: operationName ?? null,
      context,
      metrics: {},
      logger: quiet(context),
    }
    const result = await executeQueryPlan(
      plan,
      dataSources(sources, context),
      // executeQueryPlan reads no more of the request context than this; the rest of the type belongs to Apollo Server.
      requestContext as unknown as Parameters<typeof executeQueryPlan>[2],
      operationContext,
      supergraphSchema,
      apiSchema,
      { recordExceptions: false },
    )
    const { valueCompletion } = result.extensions ?? {}
    return {
      data: result.data,
      errors: result.errors ?? [],
      problems: Array.isArray(valueCompletion) ? valueCompletion.map(graphqlErrorOf) : [],
    }
  }
}

function dataSources(sources: Fetchers, context: RequestContext): Record<string, GraphQLDataSource> {
  return Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [
      name,
      {
        async process({ request: { query = '', operationName, variables = {} } }) {
          const result = await source.fetch({ query, operationName, variables, context })
          // The two types differ only in how they write absent members ("undefined" or not there) of errors.
          return result as Awaited<ReturnType<GraphQLDataSource['process']>>
        },
      },
    ]),
  )
}

/** Apollo's executor logs by sentence; what it says may quote data, so only the kind of message is kept. */
function quiet(context: RequestContext): { debug(): void; info(): void; warn(): void; error(problem?: unknown): void } {
  const nothing = (): void => undefined
  return {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: (problem) => context.log.error({ err: described(problem) }, 'the query plan failed'),
  }
}
