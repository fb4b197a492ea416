/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { useWords } from '../words/words.tsx'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A modal dialog while it is mounted; the browser returns the focus on close. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const { word } = useWords()
  const place = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = place.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog class="window" aria-labelledby={id} ref={place} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
      <button type="button" class="button plain" onClick={() => place.current?.close()}>
        {word('close')}
      </button>
    </dialog>
  )
}
