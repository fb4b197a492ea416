import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { print } from 'graphql'
import { CivigraphError, NoAnswerError } from '../errors/civigraph-error.ts'
import { errorOf, type GraphqlRefusal } from '../errors/refusals.ts'
import { boundedFetch } from '../http/bounded-fetch.ts'

export interface GraphqlClientOptions {
  /** URL of the gateway, with /graphql */
  readonly url: string
  /** headers of every request, such as a service's credentials; a function is called for each request */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>)
  /** fetch implementation, such as {@link sessionFetch} for a user (default: the global fetch) */
  readonly fetch?: typeof fetch
  /** response timeout in ms (default: 30,000) */
  readonly timeoutMs?: number
}

/** Result of an operation: a refused root field is null and its error is in `errors`. */
export interface Answer<TData> {
  readonly data: TData | null
  readonly errors: readonly CivigraphError[]
}

export interface ExecuteOptions {
  readonly signal?: AbortSignal
}

/** Executes typed documents from `@civigraph/client/documents` or the caller's own. */
export interface GraphqlClient {
  /** @throws {NoAnswerError} when the response is not GraphQL; refusals are in `errors` */
  execute<TData, TVariables>(
    document: TypedDocumentNode<TData, TVariables>,
    variables: TVariables,
    asking?: ExecuteOptions,
  ): Promise<Answer<TData>>
  /** Returns the data without errors. @throws {CivigraphError} the first refusal, as an instance of its class */
  request<TData, TVariables>(document: TypedDocumentNode<TData, TVariables>, variables: TVariables, asking?: ExecuteOptions): Promise<TData>
}

export function createGraphqlClient({ url, headers = {}, fetch: send = fetch, timeoutMs = 30_000 }: GraphqlClientOptions): GraphqlClient {
  const bounded = boundedFetch(send, timeoutMs)

  const execute: GraphqlClient['execute'] = async <TData, TVariables>(
    document: TypedDocumentNode<TData, TVariables>,
    variables: TVariables,
    { signal }: ExecuteOptions = {},
  ) => {
    const response = await bounded(url, {
      method: 'POST',
      headers: {
        ...(typeof headers === 'function' ? headers() : headers),
        'Content-Type': 'application/json',
        Accept: 'application/graphql-response+json, application/json;q=0.9',
      },
      body: JSON.stringify({ query: print(document), variables, operationName: operationNameOf(document) }),
      ...(signal === undefined ? {} : { signal }),
    })
    const { status } = response
    const answer = (await response.json().catch(() => undefined)) as { data?: TData | null; errors?: readonly GraphqlRefusal[] } | undefined
    if (answer?.data === undefined && answer?.errors === undefined)
      throw new NoAnswerError(`${status} ${response.statusText} from ${url} is not a GraphQL response`, { status })
    // with data, the status belongs to the response and each error to its field
    const errors = (answer.errors ?? []).map((error) => errorOf(error, answer.data == null ? status : undefined))
    return { data: answer.data ?? null, errors }
  }

  return {
    execute,
    async request(document, variables, asking) {
      const { data, errors } = await execute(document, variables, asking)
      if (errors[0] !== undefined) throw errors[0]
      if (data === null) throw new CivigraphError('The answer has no data')
      return data
    },
  }
}

function operationNameOf({ definitions }: TypedDocumentNode<unknown, never>): string | undefined {
  return definitions.find((definition) => definition.kind === 'OperationDefinition')?.name?.value
}
