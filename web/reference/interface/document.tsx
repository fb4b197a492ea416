import { createContext, type ReactNode, useContext, useState } from 'react'
import { Markdown } from '../../shared/content/markdown/markdown.tsx'
import type { OpenApi } from './openapi.ts'

const DocumentContext = createContext<OpenApi | undefined>(undefined)

export const DocumentProvider = DocumentContext.Provider

/** Returns the document that the page shows. */
export function useDocument(): OpenApi {
  const document = useContext(DocumentContext)
  if (document === undefined) throw new Error('useDocument must be called inside a DocumentProvider')
  return document
}

/** A text of the document, always in English. @param level - of the heading above */
export function English({ text, level }: { text: string | undefined; level: number }) {
  if (text === undefined || text === '') return null
  return (
    <div className="said" lang="en" dir="ltr">
      <Markdown text={text} level={level} />
    </div>
  )
}

/** Inline text of the document with code. */
export function EnglishLine({ text }: { text: string }) {
  return (
    <span lang="en" dir="ltr">
      {text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}
    </span>
  )
}

/** Program text that scrolls by keyboard too. @param label - accessible name */
export function CodeText({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fieldset, which is of a form
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <pre dir="ltr" role="group" aria-label={label} tabIndex={0}>
      <code>{text}</code>
    </pre>
  )
}

interface FoldProps {
  readonly summary: ReactNode
  /** (default: closed) */
  readonly isOpen?: boolean
  /** rendered when first opened, because schemas may be recursive */
  readonly children: () => ReactNode
}

/** A disclosure whose content is rendered on demand. */
export function Disclosure({ summary, isOpen = false, children }: FoldProps) {
  const [isMade, setMade] = useState(isOpen)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => currentTarget.open && setMade(true)}>
      <summary>{summary}</summary>
      {isMade && children()}
    </details>
  )
}
