import { useEffect, useState } from 'preact/hooks'
import { takenFromAddress } from './address.ts'
import {
  type Documents,
  newDocument,
  openedDocuments,
  type QueryDocument,
  storeDocuments,
  withDocument,
  withoutDocument,
} from './documents.ts'

/** The open documents, stored while they are edited. @param first - document for a new user */
export function useDocuments(first: string) {
  const [documents, setDocuments] = useState<Documents>(() => openedDocuments(first, takenFromAddress()))
  useEffect(() => storeDocuments(documents), [documents])
  const { open, seen } = documents
  return {
    open,
    // there is always one
    seen: open.find(({ id }) => id === seen) ?? (open[0] as QueryDocument),
    show: (id: string) => setDocuments((before) => ({ ...before, seen: id })),
    add: (written?: Omit<QueryDocument, 'id'>) =>
      setDocuments((before) => withDocument(before, newDocument(written?.query, written?.variables))),
    close: (id: string) => setDocuments((before) => withoutDocument(before, id)),
    write: (id: string, part: Partial<Omit<QueryDocument, 'id'>>) =>
      setDocuments(({ open: before, ...rest }) => ({
        ...rest,
        open: before.map((each) => (each.id === id ? { ...each, ...part } : each)),
      })),
  }
}
