import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type GraphQLError, NoSchemaIntrospectionCustomRule, type ValidationRule, validate } from 'graphql'
import { environment } from '../../foundation/config/environment.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { InvalidOperation } from '../errors/masked-result.ts'
import type { Executor, PreparedOperation } from '../executor/executor.ts'
import type { ApolloLogger } from './apollo-logger.ts'
import type { ApolloRequest } from './apollo-source.ts'
import type { LiveStreams } from './live-streams.ts'

/** An operation that did not pass Apollo Server. */
export interface ReceivedOperation {
  readonly operation: PreparedOperation
  readonly executor: Executor
  readonly variables: Readonly<Record<string, unknown>>
  /** the HTTP request, or the upgrade request of a WebSocket */
  readonly request: IncomingMessage
  readonly contextValue: object
}

/** Rules of an Apollo Server for the operations that do not pass it. */
export interface OperationRules {
  /** whether operations may select `__schema` and `__type`; as the option of ApolloServer (default: unless NODE_ENV is `production`) */
  readonly introspection?: boolean
  /** further rules, as the option of ApolloServer (default: none) */
  readonly validationRules?: readonly ValidationRule[]
}

/** What the handlers of streams need of their gateway. */
export interface HandledGateway {
  /** returns the current executor */
  readonly executor: () => Executor
  readonly streams: LiveStreams
  /** Returns the error for a client. */
  readonly errorFor: (thrown: unknown) => GraphQLError
  /** Creates the context of an operation. @returns it with a function that ends its deadline */
  readonly contextOf: (
    received: ReceivedOperation,
    disconnected: AbortSignal,
  ) => { readonly context: RequestContext; readonly end: () => void }
}

/** Returns a function that prepares an operation by the rules of Apollo Server. @throws {InvalidOperation} */
export function preparing({ introspection = environment.NODE_ENV !== 'production', validationRules = [] }: OperationRules) {
  const rules = [...(introspection ? [] : [NoSchemaIntrospectionCustomRule]), ...validationRules]
  return (executor: Executor, text: string, operationName: string | undefined): PreparedOperation => {
    const operation = executor.prepare(text, operationName)
    const errors = rules.length === 0 ? [] : validate(executor.schema, operation.document, rules)
    for (const { extensions } of errors) extensions.code ??= 'GRAPHQL_VALIDATION_FAILED'
    if (errors.length > 0) throw new InvalidOperation(errors)
    return operation
  }
}

/** Returns the request context that data sources expect, for an operation that did not pass Apollo Server. */
export function apolloRequestOf(
  { operation, executor, variables, request, contextValue }: ReceivedOperation,
  logger: ApolloLogger,
): ApolloRequest {
  const { text, document, definition, name } = operation
  const { method = 'GET', url = '/' } = request
  const queryHash = createHash('sha256').update(text).digest('hex')
  return {
    request: {
      query: text,
      variables: { ...variables },
      ...(name === undefined ? {} : { operationName: name }),
      http: { method, url, headers: headersOf(request) },
    },
    logger,
    schema: executor.schema,
    // a branded string, which only Apollo Server can make; it identifies a schema in its reports
    schemaHash: '' as ApolloRequest['schemaHash'],
    context: contextValue,
    cache: { get: async () => undefined, set: async () => undefined, delete: async () => undefined },
    queryHash,
    document,
    source: text,
    operationName: definition.name?.value ?? null,
    operation: definition,
    metrics: {},
    overallCachePolicy: undefined,
  }
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct)) for (const value of values) headers.append(name, value)
  return headers
}
