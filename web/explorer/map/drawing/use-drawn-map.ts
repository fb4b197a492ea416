import { type RefObject, useEffect, useRef, useState } from 'react'
import { useFormats, useWords } from '../../words/words.ts'
import { useIsDark } from './appearance/theme.ts'
import type { World } from './base-map/world.ts'
import type { DrawnMap, DrawnMapOptions, MapState } from './drawn-map.ts'

export type MapStatus = 'loading' | 'drawn' | 'unavailable'

export interface UsedMap {
  readonly status: MapStatus
  /** undefined until the map is drawn */
  readonly map: DrawnMap | undefined
}

type MapHandlers = Pick<DrawnMapOptions, 'onView' | 'onChoice' | 'onCredit' | 'tiles'>

/**
 * Draws a map in an element, and again in the same place when the language or the colours change. Its scripts load after the page.
 * @param isWanted - false: not yet
 * @param handlers - event handlers; may change
 */
export function useDrawnMap(
  place: RefObject<HTMLDivElement>,
  isWanted: boolean,
  state: MapState,
  world: World | undefined,
  handlers: MapHandlers,
): UsedMap {
  const { word } = useWords()
  const formats = useFormats()
  const isDark = useIsDark()
  const [status, setStatus] = useState<MapStatus>('loading')
  const [map, setMap] = useState<DrawnMap>()
  const now = useRef({ state, handlers })
  now.current = { state, handlers }

  useEffect(() => {
    if (!isWanted) return
    let made: DrawnMap | undefined
    let isCancelled = false
    const draw = async (): Promise<void> => {
      const { DrawnMap } = await import('./drawn-map.ts')
      if (isCancelled || place.current === null) return
      const { handlers } = now.current
      made = new DrawnMap(
        {
          container: place.current,
          label: word('mapLabel'),
          tiles: handlers.tiles,
          countText: formats.compact,
          countryName: formats.country,
          onView: (box, zoom) => now.current.handlers.onView(box, zoom),
          onChoice: (chosen) => now.current.handlers.onChoice(chosen),
          onCredit: (credit) => now.current.handlers.onCredit(credit),
        },
        now.current.state,
      )
      setMap(made)
      setStatus('drawn')
    }
    draw().catch(() => {
      if (!isCancelled) setStatus('unavailable')
    })
    return () => {
      isCancelled = true
      setMap(undefined)
      made?.close()
      place.current?.replaceChildren()
    }
  }, [place, isWanted, word, formats, isDark])

  useEffect(() => {
    if (world !== undefined) map?.setWorld(world)
  }, [map, world])
  const { filters, shown } = state
  useEffect(() => map?.setFilters(filters), [map, filters])
  useEffect(() => map?.setShown(shown), [map, shown])
  return { status, map }
}
