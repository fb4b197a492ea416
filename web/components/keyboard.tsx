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

/** A long list with a skip link for keyboard users, visible on focus. @param past - text of the link */
export function SkippableList({ past, children }: { past: string; children: ReactNode }) {
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

/** A region that scrolls sideways, by keyboard too. */
export function Scrolling({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    // biome-ignore lint/a11y/useSemanticElements: no fieldset, which is of a form
    <div role="group" className={['scrolls', className].filter(Boolean).join(' ')} aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
