import type { Pixels } from '../inference/images/image-format.ts'
import { chipSize } from './networks/face-descriptor-graph.ts'
import { sfaceSize } from './networks/sface-graph.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

/** The square that a network expects, with the positions of the anchors. */
interface Template {
  /** pixels */
  readonly edge: number
  /** pixels of the square */
  readonly points: readonly Point[]
}

/** Landmark indices: outer and inner corner of one eye, inner and outer of the other, base of the nose. */
const anchors = [36, 39, 42, 45, 33] as const
/** Anchor positions on a mean face, as shares of its edge: the alignment of dlib's training. */
const meanFace: readonly Point[] = [
  { x: 0.1205750620789, y: 0.2137274526848 },
  { x: 0.3340850613712, y: 0.2290642403242 },
  { x: 0.6460604764104, y: 0.2289674387677 },
  { x: 0.8595674595992, y: 0.2134981538014 },
  { x: 0.4901123135679, y: 0.6277975316475 },
]
/** Margin around the mean face, as a share of its edge (dlib's value). */
const padding = 0.25
/** Maximum samples per output pixel and direction when a large face is reduced. */
const maxSamples = 6

const onChip = (share: number): number => ((share + padding) / (2 * padding + 1)) * chipSize
const dlibTemplate: Template = { edge: chipSize, points: meanFace.map(({ x, y }) => ({ x: onChip(x), y: onChip(y) })) }

/** Eye centres, tip of the nose, corners of the mouth: the alignment of ArcFace and its successors. */
const arcFaceTemplate: Template = {
  edge: sfaceSize,
  points: [
    { x: 38.2946, y: 51.6963 },
    { x: 73.5318, y: 51.5014 },
    { x: 56.0252, y: 71.7366 },
    { x: 41.5493, y: 92.3655 },
    { x: 70.7299, y: 92.2041 },
  ],
}

/** A similarity transform: (x, y) of the chip becomes (a x - b y, b x + a y), both relative to the centroids. */
interface Similarity {
  readonly a: number
  readonly b: number
  readonly from: Point
  readonly to: Point
}

/** Aligns the face for dlib's descriptor; black outside the image. @param landmarks - 68 points in pixels of the image */
export function alignedChip(image: Pixels, landmarks: readonly Point[]): Uint8Array {
  return cutOut(
    image,
    anchors.map((index) => landmarks[index] ?? { x: 0, y: 0 }),
    dlibTemplate,
  )
}

/** Aligns the face for SFace. @param landmarks - 68 points in pixels of the image */
export function arcFaceChip(image: Pixels, landmarks: readonly Point[]): Uint8Array {
  const [nose, left, right] = [30, 48, 54].map((index) => landmarks[index] ?? { x: 0, y: 0 })
  const eyes = [centre(landmarks.slice(36, 42)), centre(landmarks.slice(42, 48))]
  return cutOut(
    image,
    [...eyes, nose, left, right].map((point) => point ?? { x: 0, y: 0 }),
    arcFaceTemplate,
  )
}

/** Cuts the face out with the least-squares similarity transform (Umeyama, 1991, without reflection). */
function cutOut(image: Pixels, anchored: readonly Point[], { edge, points }: Template): Uint8Array {
  const { a, b, from, to } = align(points, anchored)
  const samples = Math.max(1, Math.min(maxSamples, Math.ceil(Math.hypot(a, b))))
  const chip = new Uint8Array(edge * edge * 3)
  const sum = new Float64Array(3)
  for (let y = 0; y < edge; y++) {
    for (let x = 0; x < edge; x++) {
      sum.fill(0)
      for (let down = 0; down < samples; down++) {
        const dy = y + (down + 0.5) / samples - 0.5 - from.y
        for (let across = 0; across < samples; across++) {
          const dx = x + (across + 0.5) / samples - 0.5 - from.x
          addColour(image, a * dx - b * dy + to.x, b * dx + a * dy + to.y, sum)
        }
      }
      for (let channel = 0; channel < 3; channel++) {
        chip[(y * edge + x) * 3 + channel] = (sum[channel] ?? 0) / (samples * samples)
      }
    }
  }
  return chip
}

function align(chip: readonly Point[], image: readonly Point[]): Similarity {
  const from = centre(chip)
  const to = centre(image)
  let [a, b, norm] = [0, 0, 0]
  for (const [index, point] of chip.entries()) {
    const target = image[index] ?? to
    const [x, y, u, v] = [point.x - from.x, point.y - from.y, target.x - to.x, target.y - to.y]
    a += x * u + y * v
    b += x * v - y * u
    norm += x * x + y * y
  }
  return { a: a / norm, b: b / norm, from, to }
}

function centre(points: readonly Point[]): Point {
  const mean = (coordinate: 'x' | 'y'): number => points.reduce((sum, point) => sum + point[coordinate], 0) / points.length
  return { x: mean('x'), y: mean('y') }
}

/** Adds the bilinearly interpolated colour at a point. */
function addColour({ width, height, data }: Pixels, x: number, y: number, sum: Float64Array): void {
  const left = Math.floor(x)
  const top = Math.floor(y)
  for (let corner = 0; corner < 4; corner++) {
    const px = left + (corner & 1)
    const py = top + (corner >> 1)
    if (px < 0 || py < 0 || px >= width || py >= height) continue
    const weight = (1 - Math.abs(x - px)) * (1 - Math.abs(y - py))
    const at = (py * width + px) * 3
    sum[0] = (sum[0] ?? 0) + weight * (data[at] ?? 0)
    sum[1] = (sum[1] ?? 0) + weight * (data[at + 1] ?? 0)
    sum[2] = (sum[2] ?? 0) + weight * (data[at + 2] ?? 0)
  }
}
