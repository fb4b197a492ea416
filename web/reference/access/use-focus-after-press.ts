import { type RefObject, useEffect, useRef } from 'react'

/** A region whose pressed control disappears with its own change. */
export interface FocusAfterPress {
  readonly place: RefObject<HTMLDivElement>
  /** called on press: the first control of the next state takes the focus */
  handOver(): void
}

/** @param state - state on which the region depends */
export function useFocusAfterPress(state: unknown): FocusAfterPress {
  const place = useRef<HTMLDivElement>(null)
  const isPressed = useRef(false)
  useEffect(() => {
    if (isPressed.current) place.current?.querySelector<HTMLElement>('button, input')?.focus()
    isPressed.current = false
  }, [state])
  return {
    place,
    handOver() {
      isPressed.current = true
    },
  }
}
