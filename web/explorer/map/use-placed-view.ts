import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Filters } from '../filters/address.ts'
import { readMap } from '../reading/read-map.ts'
import { type LiveReading, useReading } from '../reading/use-reading.ts'
import { boxAround, countOf, featuresIn, type MapAnswer } from '../view/features.ts'
import { boxOfTiles, tilesAround } from '../view/tiles.ts'
import { type Box, textOfBox } from '../view/view.ts'
import type { DrawnMap } from './drawing/drawn-map.ts'
import type { CoveredTiles } from './drawing/expression-tiles.ts'

const wholeZoom = 3
const deepestZoom = 22

export interface PlacedView extends LiveReading<MapAnswer> {
  /** the answer with the tiles that it covers entirely; undefined before the first, and for an area of too many tiles */
  readonly covered: CoveredTiles | undefined
  /** distance in degrees within which a town is near, at the current zoom */
  readonly reach: number
  /** the visible area changed */
  onView(box: Box, zoom: number): void
  /** fits the view to all features */
  showAll(): void
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
  const depth = box === undefined ? wholeZoom : Math.min(deepestZoom, Math.max(0, Math.floor(zoom)))
  const tiles = box && tilesAround(box, depth)
  const area = tiles === undefined ? box : boxOfTiles(tiles)
  const bbox = area && textOfBox(area)
  const reading = useReading(JSON.stringify([filters, bbox, depth]), async (signal) => ({
    of: bbox,
    filters,
    tiles,
    answer: await readMap(filters, { bbox, zoom: depth }, signal),
  }))
  const response = reading.answer
  useEffect(() => {
    if (map === undefined || isPlaced.current || response === undefined || response.of !== undefined) return
    isPlaced.current = true
    const around = boxAround(response.answer.features)
    if (around !== undefined) map.fit(around)
  }, [map, response])
  const onView = useCallback(
    (seen: Box, at: number) => {
      if (!isPlaced.current) return
      setZoom(at)
      moveTo(seen)
    },
    [moveTo],
  )
  const showAll = useCallback(() => {
    isPlaced.current = false
    moveTo(undefined)
  }, [moveTo])
  // 60 pixels of a world that is 512 pixels wide at zoom 0
  const answer = useMemo(() => response && (box === undefined ? response.answer : answerIn(response.answer, box)), [response, box])
  const covered = useMemo(
    () => (response?.tiles === undefined ? undefined : { filters: response.filters, tiles: response.tiles, answer: response.answer }),
    [response],
  )
  return { ...reading, answer, covered, reach: Math.min(1, (60 * 360) / (512 * 2 ** zoom)), onView, showAll }
}

/** Returns what of an answer is in view: its area consists of whole tiles. */
function answerIn({ features, unmapped }: MapAnswer, box: Box): MapAnswer {
  const inView = featuresIn(features, box)
  return { features: inView, unmapped, total: inView.reduce((sum, feature) => sum + countOf(feature), unmapped) }
}
