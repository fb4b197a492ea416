import type { SentimentLabel } from '@civigraph/client/documents'
import type { AnyVariables, OperationResult, TypedDocumentNode } from '@urql/core'
import { graphClient } from '../../shared/graph/graph-client.ts'
import { type Filters, wantedOf } from '../filters/address.ts'

const patienceMs = 12_000
const client = graphClient()

/** Queries the GraphQL API at this address: returns the fields that have data, and the error of the others. */
export const answered = <Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
): Promise<Pick<OperationResult<Data>, 'data' | 'error'>> => {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  return client.query(document, variables, { requestPolicy: 'network-only', fetchOptions: { signal: limit } }).toPromise()
}

/** Returns the data of a query. @throws {Error} when the API does not respond or refuses */
export async function queried<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
): Promise<Data> {
  const { data, error } = await answered(document, variables, signal)
  if (data == null || error !== undefined) throw error ?? new Error('The response has neither data nor an error')
  return data
}

/** Executes a mutation. @throws {CombinedError} when the platform refuses or does not respond */
export async function mutated<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, error } = await client
    .mutation(document, variables, { fetchOptions: { signal: AbortSignal.timeout(2 * patienceMs) } })
    .toPromise()
  if (data == null || error !== undefined) throw error ?? new Error('The response has neither data nor an error')
  return data
}

/** Returns the filters as the GraphQL API accepts them, with sentiments as enum names. */
export function graphFilterOf(filters: Filters) {
  const { domain, sentiment, ...wanted } = wantedOf(filters)
  return {
    ...wanted,
    ...(domain !== undefined && { domainId: domain }),
    ...(sentiment !== undefined && { sentiment: sentiment.toUpperCase() as SentimentLabel }),
  }
}
