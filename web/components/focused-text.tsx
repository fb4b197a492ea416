import { type ReactNode, useEffect, useRef } from 'react'

/** What came of what was pressed, in its place: it takes the focus, which would be lost with that, and is read out with it. */
export function FocusedText({ children }: { children: ReactNode }) {
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <p ref={place} tabIndex={-1}>
      {children}
    </p>
  )
}
