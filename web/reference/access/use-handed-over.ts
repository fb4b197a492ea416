import { type RefObject, useEffect, useRef } from 'react'

/** A place in which what was pressed goes away with what it changes. */
export interface HandedOver {
  readonly place: RefObject<HTMLDivElement>
  /** called when it is pressed: the first control that stands there afterwards has the focus */
  handOver(): void
}

/** @param state - by which the place changes */
export function useHandedOver(state: unknown): HandedOver {
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
