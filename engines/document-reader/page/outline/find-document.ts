import type { Pixels } from '../../../inference/images/image-format.ts'
import { type Grey, shrink } from '../pixels.ts'
import { type Corners, grown, isWithin } from '../quadrilateral.ts'
import type { Point } from '../rectangle.ts'
import { cornersBy } from './edge-corners.ts'
import { type Edges, findEdges } from './edges.ts'
import { cornersOfShape } from './shape-corners.ts'
import { unlikeSurroundings } from './surroundings.ts'

/** length of the longer edge at which edges are detected, px */
const analysed = 360
/** Share of edges in the rim above which the background is a pattern or cluttered. */
const patterned = 0.03
/** Width of the rim as a share of width and height. */
const rim = 0.04
/** Minimum difference between the shares of pixels unlike the rim inside and outside the corners. */
const minContrast = 0.5
const clearlyMore = 0.2

/**
 * Finds the corners of the document in pixels of the picture: by its edges, or on a patterned background by its contrast to the background.
 * @param picture - the same picture in grey
 */
export function findDocument(pixels: Pixels, picture: Grey): Corners | undefined {
  const edges = findEdges(shrink(picture, Math.round((analysed * picture.width) / Math.max(picture.width, picture.height))))
  const byEdges = inPicture(cornersBy(edges), picture.width / edges.width)
  if (!isPatterned(edges)) return byEdges
  const shape = unlikeSurroundings(pixels)
  const scale = picture.width / shape.width
  const byShape = inPicture(cornersOfShape(shape), scale)
  const contrasts = { edges: contrastOf(shape, byEdges, scale), shape: contrastOf(shape, byShape, scale) }
  if (byEdges === undefined) return contrasts.shape > minContrast ? byShape : undefined
  return contrasts.shape > contrasts.edges + clearlyMore ? byShape : byEdges
}

function inPicture(corners: Corners | undefined, scale: number): Corners | undefined {
  const scaled = ({ x, y }: Point): Point => ({ x: (x + 0.5) * scale, y: (y + 0.5) * scale })
  if (corners === undefined) return undefined
  const [a, b, c, d] = corners
  return [scaled(a), scaled(b), scaled(c), scaled(d)]
}

function isPatterned({ width, height, isEdge }: Edges): boolean {
  const wide = Math.round(width * rim)
  const high = Math.round(height * rim)
  let edgeCount = 0
  let pixelCount = 0
  for (let y = 0, place = 0; y < height; y++) {
    for (let x = 0; x < width; x++, place++) {
      if (x >= wide && y >= high && x < width - wide && y < height - high) continue
      pixelCount++
      edgeCount += isEdge[place] ?? 0
    }
  }
  return edgeCount > pixelCount * patterned
}

/** Returns the contrast between inside and outside of the corners: 1 if all inside is white and all around them black. */
function contrastOf(shape: Grey, corners: Corners | undefined, scale: number): number {
  if (corners === undefined) return Number.NEGATIVE_INFINITY
  const [within, beside, around] = [grown(corners, 0.96), grown(corners, 1.05), grown(corners, 1.25)]
  const [inner, outer] = [
    { white: 0, all: 0 },
    { white: 0, all: 0 },
  ]
  for (const [place, value] of shape.data.entries()) {
    const at = { x: ((place % shape.width) + 0.5) * scale, y: (Math.floor(place / shape.width) + 0.5) * scale }
    const part = isWithin(within, at) ? inner : isWithin(around, at) && !isWithin(beside, at) ? outer : undefined
    if (part === undefined) continue
    part.all++
    if (value > 0) part.white++
  }
  return inner.white / Math.max(1, inner.all) - outer.white / Math.max(1, outer.all)
}
