import { type FocusEvent, type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'

/** Links in a menu that a button opens; following a link, pressing Escape or moving the focus elsewhere closes it. */
export function LinkMenu({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => {
    if (!isOpen) return
    // touching outside does not move the focus
    const leave = ({ target }: PointerEvent): void => {
      if (!place.current?.contains(target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [isOpen])

  const close = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return
    setOpen(false)
    button.current?.focus()
  }
  const leave = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setOpen(false)
  }
  const follow = ({ target }: MouseEvent): void => {
    if (!(target instanceof Element) || target.closest('a') === null) return
    setOpen(false)
    // after navigation the new view takes the focus
    button.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens to what happens in the button and the links
    <div className="folded" ref={place} onKeyDown={close} onBlur={leave} onClick={follow}>
      <button type="button" ref={button} aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={() => setOpen(!isOpen)}>
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path d="M3 6h18M3 12h18M3 18h18" fill="none" stroke="currentColor" strokeWidth="2" />
        </svg>
        {title}
        <span aria-hidden="true">▾</span>
      </button>
      {isOpen && <div id={id}>{children}</div>}
    </div>
  )
}
