import { type ReactNode, useState } from 'react'

export interface FoldProps {
  readonly summary: ReactNode
  /** (default: closed) */
  readonly isOpen?: boolean
  /** made when it is first opened: what refers to itself has no end */
  readonly children: () => ReactNode
}

/** What is looked into on demand. */
export function Fold({ summary, isOpen = false, children }: FoldProps) {
  const [isMade, setMade] = useState(isOpen)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => currentTarget.open && setMade(true)}>
      <summary>{summary}</summary>
      {isMade && children()}
    </details>
  )
}
