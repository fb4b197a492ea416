import { type QueryDocument, withoutSecrets } from './documents.ts'

type WrittenDocument = Omit<QueryDocument, 'id'>

/** Takes the query and variables out of the address (`?query=…&variables=…`), so that a reload shows the edited document. */
export function takenFromAddress(): WrittenDocument | undefined {
  const address = new URL(location.href)
  const { searchParams: params } = address
  const [query, variables] = [params.get('query'), params.get('variables')]
  if (query === null) return undefined
  for (const name of ['query', 'variables', 'operationName']) params.delete(name)
  history.replaceState(null, '', address)
  return { query, variables: variables ?? '' }
}

/** Returns a shareable address of a document, without credentials. */
export function linkTo({ query, variables }: WrittenDocument): string {
  const params = new URLSearchParams({ query: withoutSecrets(query) })
  if (variables.trim() !== '') params.set('variables', withoutSecrets(variables))
  return `${location.origin}/query?${params}`
}
