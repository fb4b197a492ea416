import { type ReactNode, useState } from 'react'

export interface FoldProps {
  readonly summary: ReactNode
  /** (default: closed) */
  readonly isOpen?: boolean
  /** rendered when first opened, because schemas may be recursive */
  readonly children: () => ReactNode
}

/** A disclosure whose content is rendered on demand. */
export function Fold({ summary, isOpen = false, children }: FoldProps) {
  const [isMade, setMade] = useState(isOpen)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => currentTarget.open && setMade(true)}>
      <summary>{summary}</summary>
      {isMade && children()}
    </details>
  )
}
