import type { SentimentLabel } from '@civigraph/client/documents'
import type { AnyVariables, TypedDocumentNode } from '@urql/core'
import { graphClient } from '../../shared/graph/graph-client.ts'
import { type Filters, wantedOf } from '../filters/address.ts'

const patienceMs = 12_000
const client = graphClient()

/** Queries the GraphQL API at this address. @throws {Error} when it does not respond or refuses */
export async function queried<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
): Promise<Data> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  const { data, error } = await client
    .query(document, variables, { requestPolicy: 'network-only', fetchOptions: { signal: limit } })
    .toPromise()
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
