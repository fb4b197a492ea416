import { type ReactNode, useRef } from 'react'

/** A long list with a skip link for keyboard users, visible on focus. @param past - text of the link */
export function Passable({ past, children }: { past: string; children: ReactNode }) {
  const end = useRef<HTMLSpanElement>(null)
  return (
    <>
      <p className="past">
        <button type="button" onClick={() => end.current?.focus()}>
          {past}
        </button>
      </p>
      {children}
      <span ref={end} tabIndex={-1} />
    </>
  )
}
