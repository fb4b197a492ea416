import { type ReactNode, useEffect, useRef } from 'react'

/** A message in place of the control that caused it: takes the focus, which would otherwise be lost, and is announced. */
export function FocusedText({ children }: { children: ReactNode }) {
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <p ref={place} tabIndex={-1}>
      {children}
    </p>
  )
}
