import { keptInBrowser, keptInTab } from '../../shared/frame/kept.ts'
import { withoutSecrets } from './without-secrets.ts'

/** What somebody writes: an operation, or several, and their variables as JSON. */
export interface QueryDocument {
  readonly id: string
  readonly query: string
  readonly variables: string
}

/** All that are open, and which of them is seen. There is always one. */
export interface Documents {
  readonly open: readonly QueryDocument[]
  readonly seen: string
}

export const mostDocuments = 20

/** A reload finds what was there before it; the next visit what this browser was last left with. */
const inTab = keptInTab<Documents>('civigraph:documents')
const inBrowser = keptInBrowser<Documents>('civigraph:documents')

export const newDocument = (query = '', variables = ''): QueryDocument => ({ id: crypto.randomUUID(), query, variables })

/** @returns the name of the first operation that has one */
export const nameOf = ({ query }: Pick<QueryDocument, 'query'>): string | undefined =>
  /^[ \t]{0,40}(?:query|mutation|subscription)\s{1,40}(\w+)/m.exec(query)?.[1]

/** @param first - what somebody finds who has written nothing yet   @param asked - by the address of the page */
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

/** One more, which is seen; the oldest gives way where there are too many. */
export const withDocument = (before: Documents | undefined, added: QueryDocument): Documents => ({
  open: [...(before?.open ?? []), added].slice(-mostDocuments),
  seen: added.id,
})

/** Without one; the one beside it is seen instead. */
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
