import { type Box, fitSquare, turn } from '../inference/images/image-decoder.ts'
import type { Pixels } from '../inference/images/image-format.ts'
import type { ImageKind, Turn } from './face-analyser.ts'
import { alignedChip, type Point } from './face-chip.ts'
import { uprightness } from './face-uprightness.ts'
import { detectorSize } from './networks/face-detector-graph.ts'
import { landmarkSize } from './networks/face-landmark-graph.ts'
import type { FaceModels } from './networks/face-models.ts'

export interface FaceCandidate {
  readonly box: Box
  readonly score: number
}

/** Boxes are in pixels of `view`, the image turned by `turn`. */
export interface Search {
  readonly view: Pixels
  readonly turn: Turn
  readonly faces: readonly FaceCandidate[]
}

/** Minimum scores. Poor prints of small faces score lower, and a document without a face goes to review only. */
const minScore = { selfie: 0.5, frame: 0.5, document: 0.4, back: 0.5 } as const
/** Score of an upright face that ends the search: most exceed 0.9, but so do some faces on their side, 0.88 in one of 20. */
const sureScore = 0.8
/** Minimum contrast of eyes and skin (see `uprightness`): 95 % of upright faces have 0.87, faces on their side 0.3 on average. */
const sureUprightness = 0.5
/** Overlap (intersection over union) above which boxes of one pass are the same face; published value of the detector. */
const sameFaceOverlap = 0.5
/** Share of the smaller box inside the other above which boxes of overlapping crops are the same face: a crop may contain only part of it. */
const sameFaceCover = 0.6
/** Share of an edge that a crop covers: more than half, so that no border cuts every face. */
const cutShare = 0.6
const maxFaces = 10
const minEdge = 16

type Size = Pick<Pixels, 'width' | 'height'>

/** a chip portrait is searched like a selfie */
type SearchKind = Exclude<ImageKind, 'chip'>

interface Step {
  readonly turn: Turn
  readonly cuts: (view: Size) => readonly Box[]
  readonly onlyWhenNothing?: boolean
}

/**
 * The detector sees 512 pixels and misses faces of some sizes (synthetic ones of about 130 px). A selfie is therefore searched at two sizes, a
 * document also in halves and quarters, halves with the portrait side first; parts without a result are searched reduced, for a face that fills the
 * picture. Turned views are for sideways photographs without EXIF orientation. The back of a document rarely has a face: one pass, in case the sides
 * were swapped.
 */
const steps: Readonly<Record<SearchKind, readonly Step[]>> = {
  selfie: ([0, 90, 270, 180] as const).map((degrees) => ({ turn: degrees, cuts: (view) => [whole(view), fromAfar(view)] })),
  document: [
    { turn: 0, cuts: (view) => [whole(view)] },
    { turn: 0, cuts: sides },
    { turn: 0, cuts: (view) => [fromAfar(view), ...topAndBottom(view)] },
    { turn: 90, cuts: (view) => [whole(view)] },
    { turn: 270, cuts: (view) => [whole(view)] },
    { turn: 180, cuts: (view) => [whole(view)] },
    { turn: 0, cuts: quarters, onlyWhenNothing: true },
    { turn: 0, cuts: partsFromAfar, onlyWhenNothing: true },
  ],
  // a frame is one of many and upright: one pass, and a second only if it found nothing
  frame: [
    { turn: 0, cuts: (view) => [whole(view)] },
    { turn: 0, cuts: (view) => [fromAfar(view)], onlyWhenNothing: true },
  ],
  back: [{ turn: 0, cuts: (view) => [whole(view)] }],
}

/**
 * Searches step by step until a face is confident enough; otherwise the best view counts. @param upright - the known turn of the picture; only this
 * view is then searched
 */
export async function searchFaces(models: FaceModels, pixels: Pixels, kind: SearchKind, upright?: Turn): Promise<Search> {
  const searches = new Map<Turn, Search & { readonly uprightness: number }>()
  // the most thorough steps are those in the original orientation
  const uprightSteps = steps[kind].filter((step) => step.turn === 0)
  for (const step of upright === undefined ? steps[kind] : uprightSteps.map((each) => ({ ...each, turn: upright }))) {
    if (step.onlyWhenNothing && best(searches).faces.length > 0) continue
    const before = searches.get(step.turn)
    const view = before?.view ?? (step.turn === 0 ? pixels : await turn(pixels, step.turn))
    const faces = [...(before?.faces ?? [])]
    for (const cut of step.cuts(view)) faces.push(...(await detect(models, view, cut, minScore[kind])))
    const possible = showsPerson(kind) ? faces : faces.filter(({ box }) => isPortrait(box, view))
    const search = { view, turn: step.turn, faces: distinct(possible, kind) }
    const stands = await uprightnessOf(models, search)
    searches.set(step.turn, { ...search, uprightness: stands })
    if (bestScore(search) >= sureScore && stands >= sureUprightness) return search
  }
  return best(searches)
}

/** Excludes document sides, on which a person is small. */
const showsPerson = (kind: SearchKind): boolean => kind === 'selfie' || kind === 'frame'

const bestScore = ({ faces }: Search): number => Math.max(0, ...faces.map((face) => face.score))

/** Of the most confident face; 0 without a face. */
async function uprightnessOf(models: FaceModels, { view, faces }: Search): Promise<number> {
  const surest = faces.toSorted((a, b) => b.score - a.score)[0]
  return surest === undefined ? 0 : uprightness(alignedChip(view, await landmarksOf(models, view, surest.box)))
}

/** Prefers the original view unless another has a face that is both more confident and more upright. */
function best(searches: ReadonlyMap<Turn, Search & { readonly uprightness: number }>): Search {
  return [...searches.values()].reduce((a, b) =>
    bestScore(b) > bestScore(a) && (b.uprightness > a.uprightness || a.faces.length === 0) ? b : a,
  )
}

/** Removes duplicates; sorted by size on a selfie or a frame, by confidence on a document, whose pattern or crest may resemble a large face. */
function distinct(faces: readonly FaceCandidate[], kind: SearchKind): readonly FaceCandidate[] {
  const single = withoutRepeats(faces, (a, b) => intersection(a, b) / Math.min(area(a), area(b)) > sameFaceCover)
  return single.toSorted((a, b) => (showsPerson(kind) ? area(b.box) - area(a.box) : b.score - a.score)).slice(0, maxFaces)
}

async function detect(models: FaceModels, pixels: Pixels, cut: Box, minScore: number): Promise<readonly FaceCandidate[]> {
  const { boxes, scores } = await models.detect(await fitSquare(pixels, cut, detectorSize, 'left top'))
  const edge = Math.max(cut.width, cut.height)
  const candidates: FaceCandidate[] = []
  for (const [index, score] of scores.entries()) {
    if (score < minScore) continue
    const [top = 0, left = 0, bottom = 0, right = 0] = boxes.subarray(index * 4, index * 4 + 4)
    const box = clip(
      { left: cut.x + left * edge, top: cut.y + top * edge, right: cut.x + right * edge, bottom: cut.y + bottom * edge },
      cut,
    )
    if (box !== undefined) candidates.push({ box, score })
  }
  return withoutRepeats(candidates, (a, b) => {
    const shared = intersection(a, b)
    return shared / (area(a) + area(b) - shared) > sameFaceOverlap
  })
}

function clip(edges: { left: number; top: number; right: number; bottom: number }, view: Size): Box | undefined {
  const x = Math.max(0, Math.floor(edges.left))
  const y = Math.max(0, Math.floor(edges.top))
  const width = Math.min(view.width, Math.ceil(edges.right)) - x
  const height = Math.min(view.height, Math.ceil(edges.bottom)) - y
  return width < minEdge || height < minEdge ? undefined : { x, y, width, height }
}

/** Keeps faces in descending score unless they repeat one already kept. */
function withoutRepeats(faces: readonly FaceCandidate[], same: (a: Box, b: Box) => boolean): readonly FaceCandidate[] {
  const distinct: FaceCandidate[] = []
  for (const face of faces.toSorted((a, b) => b.score - a.score)) {
    if (!distinct.some((other) => same(other.box, face.box))) distinct.push(face)
  }
  return distinct
}

/** A portrait covers at most half of a document's width; larger candidates are false. */
const isPortrait = (box: Box, view: Size): boolean => box.width < view.width * 0.5

const area = (box: Box): number => box.width * box.height

function intersection(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return Math.max(0, width) * Math.max(0, height)
}

const whole = ({ width, height }: Size): Box => ({ x: 0, y: 0, width, height })

/** The image at half its size in the corner of an empty one. */
const fromAfar = ({ width, height }: Size): Box => ({ x: 0, y: 0, width: width * 2, height: height * 2 })

/** Starts of the parts, as shares of width and height, and their reduction. */
const parts = [0, 0.3].flatMap((y) => [0, 0.3].map((x) => ({ x, y })))
const distances = [1.7, 2.4]

/**
 * The rest of the image from an inner position, reduced in the corner of an empty one: finds large faces on a document, without the print above them.
 */
function partsFromAfar({ width, height }: Size): readonly Box[] {
  return distances.flatMap((far) =>
    parts.map(({ x, y }) => ({
      x: Math.round(x * width),
      y: Math.round(y * height),
      width: Math.round(far * width),
      height: Math.round(far * height),
    })),
  )
}

function sides({ width, height }: Size): readonly Box[] {
  const w = Math.round(width * cutShare)
  return [0, width - w].map((x) => ({ x, y: 0, width: w, height }))
}

function topAndBottom({ width, height }: Size): readonly Box[] {
  const h = Math.round(height * cutShare)
  return [0, height - h].map((y) => ({ x: 0, y, width, height: h }))
}

function quarters({ width, height }: Size): readonly Box[] {
  const [w, h] = [Math.round(width * cutShare), Math.round(height * cutShare)]
  return [0, height - h].flatMap((y) => [0, width - w].map((x) => ({ x, y, width: w, height: h })))
}

/**
 * @param box - face box in pixels of the view
 * @returns 68 points in pixels of the view
 */
export async function landmarksOf(models: FaceModels, view: Pixels, box: Box): Promise<readonly Point[]> {
  const shares = await models.landmarks(await fitSquare(view, box, landmarkSize, 'centre'))
  // converts from shares of the square in which the box was centred
  const edge = Math.max(box.width, box.height)
  const [left, top] = [box.x - (edge - box.width) / 2, box.y - (edge - box.height) / 2]
  return Array.from({ length: shares.length / 2 }, (_, i) => ({
    x: left + (shares[2 * i] ?? 0) * edge,
    y: top + (shares[2 * i + 1] ?? 0) * edge,
  }))
}
