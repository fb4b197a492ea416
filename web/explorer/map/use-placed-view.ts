import { useCallback, useEffect, useRef, useState } from 'react'
import type { Filters } from '../filters/address.ts'
import { readMap } from '../reading/read-map.ts'
import { type Reading, useReading } from '../reading/use-reading.ts'
import type { DrawnMap } from './drawing/drawn-map.ts'
import { boxAround, type MapAnswer } from './features.ts'
import { type Box, textOfBox } from './view.ts'

const wholeZoom = 3
const deepestZoom = 22

export interface PlacedView extends Reading<MapAnswer> {
  /** degrees within which a town is near, where the map is now */
  readonly reach: number
  /** the map shows another part of the world */
  onView(box: Box, zoom: number): void
  /** puts the view around all there is */
  whole(): void
}

/**
 * What is in view: at first the whole world, and then the view is put around what there is; unless the page was opened for a part of it.
 * @param box - of the address; undefined: not placed yet   @param moveTo - keeps it in the address
 */
export function usePlacedView(
  filters: Filters,
  box: Box | undefined,
  moveTo: (box: Box | undefined) => void,
  map: DrawnMap | undefined,
): PlacedView {
  const [zoom, setZoom] = useState(wholeZoom)
  const isPlaced = useRef(box !== undefined)
  const bbox = box && textOfBox(box)
  const depth = box === undefined ? wholeZoom : Math.min(deepestZoom, Math.max(0, Math.floor(zoom)))
  const reading = useReading(JSON.stringify([filters, bbox, depth]), async (signal) => ({
    of: bbox,
    answer: await readMap(filters, { bbox, zoom: depth }, signal),
  }))
  const found = reading.answer
  useEffect(() => {
    if (map === undefined || isPlaced.current || found === undefined || found.of !== undefined) return
    isPlaced.current = true
    const around = boxAround(found.answer.features)
    if (around !== undefined) map.fit(around)
  }, [map, found])
  const onView = useCallback(
    (seen: Box, at: number) => {
      if (!isPlaced.current) return
      setZoom(at)
      moveTo(seen)
    },
    [moveTo],
  )
  const whole = useCallback(() => {
    isPlaced.current = false
    moveTo(undefined)
  }, [moveTo])
  // some sixty pixels of a world that is 512 of them wide at zoom 0; further away is not near
  return { ...reading, answer: found?.answer, reach: Math.min(1, (60 * 360) / (512 * 2 ** zoom)), onView, whole }
}
