import { useCallback } from 'react'
import { useFormats, useWords } from '../../words/words.ts'
import { placeAt, type World } from '../drawing/base-map/world.ts'

/**
 * Returns the name of a place: "Senegal, around Dakar", or its coordinates at sea.
 * @param reach - distance in degrees within which a town is near
 */
export type PlaceText = (lon: number, lat: number, reach: number) => string

export function usePlaceText(world: World | undefined): PlaceText {
  const { word, number } = useWords()
  const { country: nameOf } = useFormats()
  return useCallback(
    (lon, lat, reach) => {
      const place = world && placeAt(world, lon, lat, reach)
      const country = place?.country === undefined ? undefined : nameOf(place.country)
      const town = place?.town === undefined ? undefined : word('around', { place: place.town })
      const parts = [country, town].filter((part) => part !== undefined)
      const degrees = (value: number): string => `${number(Math.round(value * 10) / 10)}°`
      return parts.join(', ') || word('atSea', { lat: degrees(lat), lon: degrees(lon) })
    },
    [world, word, number, nameOf],
  )
}
