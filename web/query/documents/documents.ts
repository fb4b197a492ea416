import { browserStorage, tabStorage } from '../../shared/frame/browser-storage.ts'

const secret = /("?(?:password|token|secret|api_?key)\w{0,64}"?\s{0,40}:\s{0,40})(?:"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"?)/gi

/** Removes credentials from a query or variables before they are stored or shared. */
export const withoutSecrets = (text: string): string => text.replace(secret, '$1""')

/** A document: operations and their variables as JSON. */
export interface QueryDocument {
  readonly id: string
  readonly query: string
  readonly variables: string
}

/** The open documents, at least one, and the visible one. */
export interface Documents {
  readonly open: readonly QueryDocument[]
  readonly seen: string
}

export const maxDocuments = 20

/** A reload restores the documents of the tab, a new visit those last open in this browser. */
const inTab = tabStorage<Documents>('civigraph:documents')
const inBrowser = browserStorage<Documents>('civigraph:documents')

export const newDocument = (query = '', variables = ''): QueryDocument => ({ id: crypto.randomUUID(), query, variables })

/** @returns the name of the first named operation */
export const nameOf = ({ query }: Pick<QueryDocument, 'query'>): string | undefined =>
  /^[ \t]{0,40}(?:query|mutation|subscription)\s{1,40}(\w+)/m.exec(query)?.[1]

/** @param first - document for a new user   @param requested - document in the page's address */
export function openedDocuments(first: string, requested: Omit<QueryDocument, 'id'> | undefined): Documents {
  const before = documentsIn(inTab.read()) ?? documentsIn(inBrowser.read())
  if (requested === undefined) return before ?? withDocument(undefined, newDocument(first))
  const same = before?.open.find(({ query, variables }) => query === requested.query && variables === requested.variables)
  if (before !== undefined && same !== undefined) return { ...before, seen: same.id }
  return withDocument(before, newDocument(requested.query, requested.variables))
}

export function storeDocuments(documents: Documents): void {
  inTab.write(documents)
  const open = documents.open.map(({ id, query, variables }) => ({
    id,
    query: withoutSecrets(query),
    variables: withoutSecrets(variables),
  }))
  inBrowser.write({ ...documents, open })
}

/** Adds a document and shows it; above the limit the oldest one is closed. */
export const withDocument = (before: Documents | undefined, added: QueryDocument): Documents => ({
  open: [...(before?.open ?? []), added].slice(-maxDocuments),
  seen: added.id,
})

/** Closes a document and shows its neighbour. */
export function withoutDocument({ open, seen }: Documents, id: string): Documents {
  const index = open.findIndex((each) => each.id === id)
  const remaining = open.filter((each) => each.id !== id)
  const beside = remaining[Math.min(index, remaining.length - 1)]
  return beside === undefined ? withDocument(undefined, newDocument()) : { open: remaining, seen: seen === id ? beside.id : seen }
}

function documentsIn(stored: unknown): Documents | undefined {
  const { open, seen }: Partial<Documents> = typeof stored === 'object' && stored !== null ? stored : {}
  const isWhole = Array.isArray(open) && open.length > 0 && open.every((each) => parts.every((part) => typeof each?.[part] === 'string'))
  return isWhole ? { open: open.slice(-maxDocuments), seen: open.some(({ id }) => id === seen) ? String(seen) : open[0].id } : undefined
}

const parts = ['id', 'query', 'variables'] as const
