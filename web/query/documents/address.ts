import type { QueryDocument } from './documents.ts'
import { withoutSecrets } from './without-secrets.ts'

type Written = Omit<QueryDocument, 'id'>

/** What the address asks to be shown: `?query=…&variables=…`. It is taken out of the address, so that a reload shows what was made of it. */
export function takenFromAddress(): Written | undefined {
  const address = new URL(location.href)
  const { searchParams: asked } = address
  const [query, variables] = [asked.get('query'), asked.get('variables')]
  if (query === null) return undefined
  for (const name of ['query', 'variables', 'operationName']) asked.delete(name)
  history.replaceState(null, '', address)
  return { query, variables: variables ?? '' }
}

/** The address that shows it to somebody else, without what signs anybody in. */
export function linkTo({ query, variables }: Written): string {
  const asked = new URLSearchParams({ query: withoutSecrets(query) })
  if (variables.trim() !== '') asked.set('variables', withoutSecrets(variables))
  return `${location.origin}/query?${asked}`
}
