import type { AnyVariables, TypedDocumentNode } from '@urql/core'
import { graphClient } from '../../shared/graph/graph-client.ts'

const patienceMs = 12_000
const client = graphClient()

/** What the graph answers at this address. @throws {Error} where nobody does, or it refuses */
export async function asked<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
): Promise<Data> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  const { data, error } = await client
    .query(document, variables, { requestPolicy: 'network-only', fetchOptions: { signal: limit } })
    .toPromise()
  if (data == null || error !== undefined) throw error ?? new Error('Nothing was answered')
  return data
}

/** Does what a mutation asks for. @throws {CombinedError} what the platform refused, or that nobody answered */
export async function done<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, error } = await client
    .mutation(document, variables, { fetchOptions: { signal: AbortSignal.timeout(2 * patienceMs) } })
    .toPromise()
  if (data == null || error !== undefined) throw error ?? new Error('Nothing was answered')
  return data
}
