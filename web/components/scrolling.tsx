import type { ReactNode } from 'react'

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
