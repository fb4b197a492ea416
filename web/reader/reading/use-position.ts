import { type RefObject, useEffect } from 'react'
import type { PlacedText } from '../../shared/content/place/content-view.ts'
import { positionIn, rememberPosition } from './positions.ts'

/** dwell time in ms after which a position is stored */
const stayMs = 250

/**
 * Stores the reading position as the block at the top of the window, which fits other screen sizes.
 * @param place - element of the blocks
 */
export function usePosition({ tenant_id, id, title, locale }: PlacedText, place: RefObject<HTMLElement>): void {
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const note = (): void => {
      const blocks = [...(place.current?.children ?? [])]
      const block = blocks.findIndex((each) => each.getBoundingClientRect().bottom > 0)
      const box = place.current?.getBoundingClientRect()
      if (box === undefined || block < 1) return
      const share = Math.min(1, Math.max(0, (innerHeight - box.top) / box.height))
      rememberPosition({ tenant: tenant_id, id, title, locale, block, share })
    }
    const wait = (): void => {
      clearTimeout(waiting)
      waiting = setTimeout(note, stayMs)
    }
    addEventListener('scroll', wait, { passive: true })
    return () => {
      clearTimeout(waiting)
      removeEventListener('scroll', wait)
    }
  }, [tenant_id, id, title, locale, place])
}

/** Scrolls to the stored position. @returns whether there was one */
export function scrollToPosition({ tenant_id, id }: PlacedText, place: HTMLElement | null): boolean {
  const block = place?.children[positionIn(tenant_id, id)?.block ?? -1]
  block?.scrollIntoView({ block: 'start' })
  return block !== undefined
}
