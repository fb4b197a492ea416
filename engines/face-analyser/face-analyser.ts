import type { ImageFormat } from '../inference/images/image-format.ts'
import type { Point } from './face-chip.ts'

/** What an image should show: a person; a person in one of many pictures taken behind one another, upright; the side of a document that has the photograph; the other side; the portrait that a chip holds, JPEG 2000 too. */
export type ImageKind = 'selfie' | 'frame' | 'document' | 'back' | 'chip'

/** How far the image had to be turned clockwise for its faces to stand upright. */
export type Turn = 0 | 90 | 180 | 270

/** Measured on the inner 90 x 90 pixels of the aligned face, so that size and framing of the photograph do not matter. */
export interface FaceQuality {
  /** Variance of the Laplacian: sharp photographs from 254 (median 548), blurred by 2 pixels at most 60 */
  readonly sharpness: number
  /** Mean grey, 0..255: normal photographs 96..191 */
  readonly brightness: number
  /** Grey that 98 of 100 pixels stay below, 0..255: the whites of the eyes and the shine of skin, whatever its colour */
  readonly highlight: number
  /** Shares of pixels below 20 and above 240, 0..1 */
  readonly shareDark: number
  readonly shareBright: number
}

export interface FacePose {
  /** Degrees that the line of the eyes is turned clockwise, -180..180 */
  readonly roll: number
  /** Where the nose lies between the outer corners of the eyes: 0 in the middle (frontal), -1 and 1 at a corner (profile) */
  readonly yaw: number
}

/** What hides a part of a face, as far as colours tell; natural logarithms. */
export interface FaceCovering {
  /** dark or mirrored glasses: ordinary faces have mostly -0.3 to 0.1, faces in sunglasses 0.4 to 1.2 */
  readonly eyes: number
  /** a mask or scarf before mouth and nose: ordinary faces have mostly -0.4 to 0.1, masked ones 0.3 to 1 */
  readonly mouth: number
}

export interface DetectedFace extends FaceQuality {
  /** Pixels of the upright image */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  /** How sure the detector is, 0..1 */
  readonly score: number
  /** Degrees that the image must be turned clockwise for the face to stand upright: 0 unless it was photographed sideways */
  readonly turn: Turn
  /** 128 numbers, to be compared with `faceDistance`; biometric data, never to be stored or logged */
  readonly descriptor: Float32Array
  /** the same by SFace, where it is installed: 128 numbers of length 1 */
  readonly recognised?: Float32Array | undefined
  readonly pose: FacePose
  readonly covering: FaceCovering
  /** years that the face seems to have; of people whose age is known, within 5 of it in the mean */
  readonly apparentAge: number
  /** the person's right and left one, to be compared with `eyesLikeness`; never to be stored or logged */
  readonly eyes: readonly Float32Array[]
  /** 68 of them, in pixels of the image turned by `turn`: chin line, brows, nose, eyes, mouth; of the person's own right before the left */
  readonly landmarks: readonly Point[]
}

export interface AnalysedImage {
  /** Pixels of the upright image as sent */
  readonly width: number
  readonly height: number
  readonly format: ImageFormat
  /** At most ten: on a selfie, a frame and a chip's portrait the largest first, on a document the surest */
  readonly faces: readonly DetectedFace[]
}

/** Finds and describes the faces of an image. */
export interface FaceAnalyser {
  /** Resolves once the models are loaded. @throws when they cannot be */
  ready(): Promise<unknown>
  /**
   * @param kind - where a face is expected: large in a selfie, a frame or a chip's portrait, small somewhere on a document
   * @param upright - the clockwise turn that makes the picture upright, where its text has told; otherwise the surest face tells
   * @throws {InvalidImage} when the bytes are not an image that can be looked at
   * @throws {EngineUnavailable} when the models could not be loaded, or too much is waiting already
   */
  analyse(image: Uint8Array, kind: ImageKind, signal: AbortSignal, upright?: Turn): Promise<AnalysedImage>
  /** Which model does what, for the version endpoint */
  readonly versions: Readonly<Record<string, string>>
  /** Which of them say how alike two faces are, for the result */
  readonly judge: string
}

/** How alike two faces are, by each of the networks that looked at both. */
export interface FaceLikeness {
  /** Euclidean, as of `faceDistance` */
  readonly distance: number
  /** by SFace: -1 to 1, the more the likelier it is one person; absent where it is not installed */
  readonly cosine?: number | undefined
}

export function faceLikeness(a: DetectedFace, b: DetectedFace): FaceLikeness {
  const distance = faceDistance(a.descriptor, b.descriptor)
  const { recognised } = b
  if (a.recognised === undefined || recognised === undefined) return { distance }
  return { distance, cosine: a.recognised.reduce((sum, value, place) => sum + value * (recognised[place] ?? 0), 0) }
}

/**
 * Euclidean distance of two face descriptors: 0 (the same image) to about 1.4; same person mean 0.38, different persons mean 0.88
 * (300 pairs of photographs).
 */
export function faceDistance(a: Float32Array, b: Float32Array): number {
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0))
}
