import { type RefObject, useEffect, useRef, useState } from 'react'
import { useFormats } from '../../words/formats.ts'
import { useWords } from '../../words/words.ts'
import type { World } from './base-map/world.ts'
import type { DrawnMap, DrawnMapOptions, MapState } from './drawn-map.ts'
import { useIsDark } from './use-theme.ts'

export type MapStanding = 'loading' | 'drawn' | 'unavailable'

export interface UsedMap {
  readonly standing: MapStanding
  /** undefined until the map is drawn */
  readonly map: DrawnMap | undefined
}

type Told = Pick<DrawnMapOptions, 'onView' | 'onChoice' | 'onCredit' | 'tiles'>

/**
 * Draws a map in an element, and again in the same place when the language or the colours change. Its scripts load after the page.
 * @param told - event handlers; may change
 */
export function useDrawnMap(place: RefObject<HTMLDivElement>, state: MapState, world: World | undefined, told: Told): UsedMap {
  const { word } = useWords()
  const formats = useFormats()
  const isDark = useIsDark()
  const [standing, setStanding] = useState<MapStanding>('loading')
  const [map, setMap] = useState<DrawnMap>()
  const now = useRef({ state, told })
  now.current = { state, told }

  useEffect(() => {
    let made: DrawnMap | undefined
    let isGone = false
    const draw = async (): Promise<void> => {
      const { DrawnMap } = await import('./drawn-map.ts')
      if (isGone || place.current === null) return
      const { told } = now.current
      made = new DrawnMap(
        {
          container: place.current,
          label: word('mapLabel'),
          tiles: told.tiles,
          countText: formats.compact,
          countryName: formats.country,
          onView: (box, zoom) => now.current.told.onView(box, zoom),
          onChoice: (chosen) => now.current.told.onChoice(chosen),
          onCredit: (credit) => now.current.told.onCredit(credit),
        },
        now.current.state,
      )
      setMap(made)
      setStanding('drawn')
    }
    draw().catch(() => {
      if (!isGone) setStanding('unavailable')
    })
    return () => {
      isGone = true
      setMap(undefined)
      made?.close()
      place.current?.replaceChildren()
    }
  }, [place, word, formats, isDark])

  useEffect(() => {
    if (world !== undefined) map?.setWorld(world)
  }, [map, world])
  const { filters, shown } = state
  useEffect(() => map?.setFilters(filters), [map, filters])
  useEffect(() => map?.setShown(shown), [map, shown])
  return { standing, map }
}
