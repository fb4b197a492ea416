import { keptInBrowser, keptInTab } from '../../shared/frame/kept.ts'
import { withoutSecrets } from './without-secrets.ts'

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

export const mostDocuments = 20

/** A reload restores the documents of the tab, a new visit those last open in this browser. */
const inTab = keptInTab<Documents>('civigraph:documents')
const inBrowser = keptInBrowser<Documents>('civigraph:documents')

export const newDocument = (query = '', variables = ''): QueryDocument => ({ id: crypto.randomUUID(), query, variables })

/** @returns the name of the first named operation */
export const nameOf = ({ query }: Pick<QueryDocument, 'query'>): string | undefined =>
  /^[ \t]{0,40}(?:query|mutation|subscription)\s{1,40}(\w+)/m.exec(query)?.[1]

/** @param first - document for a new user   @param asked - document in the page's address */
export function openedDocuments(first: string, asked: Omit<QueryDocument, 'id'> | undefined): Documents {
  const before = documentsIn(inTab.read()) ?? documentsIn(inBrowser.read())
  if (asked === undefined) return before ?? withDocument(undefined, newDocument(first))
  const same = before?.open.find(({ query, variables }) => query === asked.query && variables === asked.variables)
  if (before !== undefined && same !== undefined) return { ...before, seen: same.id }
  return withDocument(before, newDocument(asked.query, asked.variables))
}

export function keepDocuments(documents: Documents): void {
  inTab.keep(documents)
  const open = documents.open.map(({ id, query, variables }) => ({
    id,
    query: withoutSecrets(query),
    variables: withoutSecrets(variables),
  }))
  inBrowser.keep({ ...documents, open })
}

/** Adds a document and shows it; above the limit the oldest one is closed. */
export const withDocument = (before: Documents | undefined, added: QueryDocument): Documents => ({
  open: [...(before?.open ?? []), added].slice(-mostDocuments),
  seen: added.id,
})

/** Closes a document and shows its neighbour. */
export function withoutDocument({ open, seen }: Documents, id: string): Documents {
  const index = open.findIndex((each) => each.id === id)
  const left = open.filter((each) => each.id !== id)
  const beside = left[Math.min(index, left.length - 1)]
  return beside === undefined ? withDocument(undefined, newDocument()) : { open: left, seen: seen === id ? beside.id : seen }
}

function documentsIn(kept: unknown): Documents | undefined {
  const { open, seen }: Partial<Documents> = typeof kept === 'object' && kept !== null ? kept : {}
  const isWhole = Array.isArray(open) && open.length > 0 && open.every((each) => parts.every((part) => typeof each?.[part] === 'string'))
  return isWhole ? { open: open.slice(-mostDocuments), seen: open.some(({ id }) => id === seen) ? String(seen) : open[0].id } : undefined
}

const parts = ['id', 'query', 'variables'] as const
