import { useCallback, useEffect, useRef, useState } from 'react'
import type { Filters } from '../filters/address.ts'
import { readMap } from '../reading/read-map.ts'
import { type Reading, useReading } from '../reading/use-reading.ts'
import { boxAround, type MapAnswer } from '../view/features.ts'
import { type Box, textOfBox } from '../view/view.ts'
import type { DrawnMap } from './drawing/drawn-map.ts'

const wholeZoom = 3
const deepestZoom = 22

export interface PlacedView extends Reading<MapAnswer> {
  /** distance in degrees within which a town is near, at the current zoom */
  readonly reach: number
  /** the visible area changed */
  onView(box: Box, zoom: number): void
  /** fits the view to all features */
  whole(): void
}

/**
 * The map view: first the whole world, then fitted to its features, unless the address names an area.
 * @param box - area in the address; undefined: not yet set
 * @param moveTo - stores the area in the address
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
  const reply = reading.answer
  useEffect(() => {
    if (map === undefined || isPlaced.current || reply === undefined || reply.of !== undefined) return
    isPlaced.current = true
    const around = boxAround(reply.answer.features)
    if (around !== undefined) map.fit(around)
  }, [map, reply])
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
  // 60 pixels of a world that is 512 pixels wide at zoom 0
  return { ...reading, answer: reply?.answer, reach: Math.min(1, (60 * 360) / (512 * 2 ** zoom)), onView, whole }
}
