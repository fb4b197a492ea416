import { type ReactNode, useRef } from 'react'

/** A list of any length, and a way past it by keyboard, seen by whoever comes to it: to what stands after it. @param past - what the way is called */
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
