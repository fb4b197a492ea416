import { createContext, useContext } from 'react'
import type { OpenApi } from './openapi.ts'

const DocumentContext = createContext<OpenApi | undefined>(undefined)

export const DocumentProvider = DocumentContext.Provider

/** Returns the document that the page shows. */
export function useDocument(): OpenApi {
  const document = useContext(DocumentContext)
  if (document === undefined) throw new Error('outside of a DocumentProvider')
  return document
}
