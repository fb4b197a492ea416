import { detectorSize } from './face-detector-graph.ts'
import type { FaceModels } from './face-models.ts'
import { type Box, fitSquare, type Pixels, turn } from './image-decoder.ts'

/** How far the image had to be turned clockwise for its faces to stand upright. */
export type Turn = 0 | 90 | 180 | 270

export interface FoundFace {
  readonly box: Box
  readonly score: number
}

/** Boxes are in pixels of `view`, which is the image turned by `turn`. */
export interface Search {
  readonly view: Pixels
  readonly turn: Turn
  readonly faces: readonly FoundFace[]
}

const leastScore = 0.5
/** Boxes of one look that share more than this (intersection over union) are one face; the published value of the detector. */
const sameFaceOverlap = 0.5
/** Boxes of overlapping looks are one face when the smaller lies in the other by this share: a cut may show only part of a face. */
const sameFaceCover = 0.6
/** Share of an edge that one cut takes: more than half, so that no face is cut by every border. */
const cutShare = 0.6
const mostFaces = 10
const leastEdge = 16

/**
 * Looks for faces: over the whole image, on documents also in its halves and quarters (the detector sees 512 pixels, in which the face
 * on a small card is a few pixels wide), and last with the image turned, for photographs taken sideways without a mark of it.
 * Stops at the first look that shows a face.
 */
export async function searchFaces(models: FaceModels, pixels: Pixels, kind: 'selfie' | 'document'): Promise<Search> {
  const whole: Box = { x: 0, y: 0, width: pixels.width, height: pixels.height }
  const looks = kind === 'document' ? [[whole], halves(whole), quarters(whole)] : [[whole]]
  for (const cuts of looks) {
    const faces = await look(models, pixels, cuts)
    if (faces.length > 0) return { view: pixels, turn: 0, faces }
  }
  for (const degrees of [90, 270, 180] as const) {
    const view = await turn(pixels, degrees)
    const faces = await look(models, view, [{ x: 0, y: 0, width: view.width, height: view.height }])
    if (faces.length > 0) return { view, turn: degrees, faces }
  }
  return { view: pixels, turn: 0, faces: [] }
}

async function look(models: FaceModels, pixels: Pixels, cuts: readonly Box[]): Promise<readonly FoundFace[]> {
  const found: FoundFace[] = []
  for (const cut of cuts) found.push(...(await detect(models, pixels, cut)))
  const distinct = withoutRepeats(found, (a, b) => intersection(a, b) / Math.min(area(a), area(b)) > sameFaceCover)
  return distinct.toSorted((a, b) => area(b.box) - area(a.box)).slice(0, mostFaces)
}

async function detect(models: FaceModels, pixels: Pixels, cut: Box): Promise<readonly FoundFace[]> {
  const { boxes, scores } = await models.detect(await fitSquare(pixels, cut, detectorSize, 'left top'))
  const edge = Math.max(cut.width, cut.height)
  const found: FoundFace[] = []
  for (const [index, score] of scores.entries()) {
    if (score < leastScore) continue
    const [top = 0, left = 0, bottom = 0, right = 0] = boxes.subarray(index * 4, index * 4 + 4)
    const box = clip(
      { left: cut.x + left * edge, top: cut.y + top * edge, right: cut.x + right * edge, bottom: cut.y + bottom * edge },
      cut,
    )
    if (box !== undefined) found.push({ box, score })
  }
  return withoutRepeats(found, (a, b) => {
    const shared = intersection(a, b)
    return shared / (area(a) + area(b) - shared) > sameFaceOverlap
  })
}

function clip(edges: { left: number; top: number; right: number; bottom: number }, within: Box): Box | undefined {
  const x = Math.max(within.x, Math.floor(edges.left))
  const y = Math.max(within.y, Math.floor(edges.top))
  const width = Math.min(within.x + within.width, Math.ceil(edges.right)) - x
  const height = Math.min(within.y + within.height, Math.ceil(edges.bottom)) - y
  return width < leastEdge || height < leastEdge ? undefined : { x, y, width, height }
}

/** Keeps, from the best score down, what is not the same as something kept. */
function withoutRepeats(faces: readonly FoundFace[], same: (a: Box, b: Box) => boolean): readonly FoundFace[] {
  const kept: FoundFace[] = []
  for (const face of faces.toSorted((a, b) => b.score - a.score)) {
    if (!kept.some((other) => same(other.box, face.box))) kept.push(face)
  }
  return kept
}

const area = (box: Box): number => box.width * box.height

function intersection(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return Math.max(0, width) * Math.max(0, height)
}

function halves({ width, height }: Box): readonly Box[] {
  const [w, h] = [Math.round(width * cutShare), Math.round(height * cutShare)]
  return [
    { x: 0, y: 0, width: w, height },
    { x: width - w, y: 0, width: w, height },
    { x: 0, y: 0, width, height: h },
    { x: 0, y: height - h, width, height: h },
  ]
}

function quarters({ width, height }: Box): readonly Box[] {
  const [w, h] = [Math.round(width * cutShare), Math.round(height * cutShare)]
  return [0, height - h].flatMap((y) => [0, width - w].map((x) => ({ x, y, width: w, height: h })))
}
