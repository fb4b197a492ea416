import { useCallback, useEffect, useState } from 'react'
import { decoded, encoded } from '../interface/references.ts'

export interface OpenOperations {
  /** places of the open operations */
  readonly places: readonly string[]
  /** target of the address; a new object for each navigation */
  readonly arrival: { readonly place: string | undefined }
  toggle(place: string): void
}

/** Parses `#/Jobs/submitJob` or several: `#/Jobs/submitJob&/Jobs/getJob`. Normalises the encoding of places. */
function placesIn(hash: string): readonly string[] {
  const written = hash.replace(/^#/, '').split('&')
  return written.flatMap((each) => (each.startsWith('/') && each.length > 1 ? [each.slice(1).split('/').map(rewritten).join('/')] : []))
}

const rewritten = (name: string): string => encoded(decoded(name))

/** The open operations, stored in the page's address, so that a reload or a link restores them. */
export function useOpened(): OpenOperations {
  const [places, setPlaces] = useState(() => placesIn(location.hash))
  const [arrival, setArrival] = useState(() => ({ place: placesIn(location.hash)[0] }))
  useEffect(() => {
    const follow = (): void => {
      const named = placesIn(location.hash)
      setPlaces(named)
      setArrival({ place: named[0] })
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => {
    const hash = places.length === 0 ? '' : `#${places.map((place) => `/${place}`).join('&')}`
    if (hash !== location.hash) history.replaceState(history.state, '', hash || location.pathname + location.search)
  }, [places])
  const toggle = useCallback(
    (place: string) => setPlaces((open) => (open.includes(place) ? open.filter((each) => each !== place) : [...open, place])),
    [],
  )
  return { places, arrival, toggle }
}
