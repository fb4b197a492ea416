import type { ImageFormat } from '../inference/images/image-format.ts'
import type { Point } from './face-chip.ts'

/**
 * The expected content: a selfie; one upright frame of a sequence; the document side with the photograph; the other side; the portrait from a chip,
 * which may be JPEG 2000.
 */
export type ImageKind = 'selfie' | 'frame' | 'document' | 'back' | 'chip'

/** Clockwise turn that makes the faces upright. */
export type Turn = 0 | 90 | 180 | 270

/** Measured on the inner 90 x 90 pixels of the aligned face, independent of the size and framing of the photograph. */
export interface FaceQuality {
  /** Variance of the Laplacian: sharp photographs from 254 (median 548), blurred by 2 pixels at most 60 */
  readonly sharpness: number
  /** Mean grey, 0..255: normal photographs 96..191 */
  readonly brightness: number
  /** 98th percentile of grey, 0..255: the whites of the eyes and highlights of the skin, whatever its colour */
  readonly highlight: number
  /** Shares of pixels below 20 and above 240, 0..1 */
  readonly shareDark: number
  readonly shareBright: number
}

export interface FacePose {
  /** Clockwise roll of the line of the eyes, degrees, -180..180 */
  readonly roll: number
  /** Horizontal position of the nose between the outer eye corners: 0 centred (frontal), -1 and 1 at a corner (profile) */
  readonly yaw: number
}

/** Coverings of a face, estimated from colours; natural logarithms. */
export interface FaceCovering {
  /** dark or mirrored glasses: ordinary faces have mostly -0.3 to 0.1, faces in sunglasses 0.4 to 1.2 */
  readonly eyes: number
  /** a mask or scarf over mouth and nose: ordinary faces have mostly -0.4 to 0.1, masked ones 0.3 to 1 */
  readonly mouth: number
}

export interface DetectedFace extends FaceQuality {
  /** Pixels of the upright image */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  /** Detector confidence, 0..1 */
  readonly score: number
  /** Clockwise turn of the image that makes the face upright: 0 unless it was photographed sideways */
  readonly turn: Turn
  /** 128 numbers for `faceDistance`; biometric data, never to be stored or logged */
  readonly descriptor: Float32Array
  /** SFace embedding, if installed: 128 numbers, unit length */
  readonly recognised?: Float32Array | undefined
  readonly pose: FacePose
  readonly covering: FaceCovering
  /** apparent age in years; mean error about 5 years */
  readonly apparentAge: number
  /** patches of the right and the left eye for `eyesLikeness`; never to be stored or logged */
  readonly eyes: readonly Float32Array[]
  /** 68 points in pixels of the image turned by `turn`: chin line, brows, nose, eyes, mouth; the person's right side first */
  readonly landmarks: readonly Point[]
}

export interface AnalysedImage {
  /** Pixels of the upright image as sent */
  readonly width: number
  readonly height: number
  readonly format: ImageFormat
  /** At most ten: by size on a selfie, a frame and a chip portrait, by confidence on a document */
  readonly faces: readonly DetectedFace[]
}

/** Detects and describes the faces of an image. */
export interface FaceAnalyser {
  /** Resolves when the models are loaded. @throws if loading fails */
  ready(): Promise<unknown>
  /**
   * @param kind - expected content: a large face in a selfie, a frame or a chip portrait, a small one on a document
   * @param upright - the turn known from the text of the picture; by default the most confident face decides
   * @throws {InvalidImage} if the bytes are not a supported image
   * @throws {EngineUnavailable} if the models could not be loaded or the queue is full
   */
  analyse(image: Uint8Array, kind: ImageKind, signal: AbortSignal, upright?: Turn): Promise<AnalysedImage>
  /** Model versions by purpose, for the version endpoint */
  readonly versions: Readonly<Record<string, string>>
  /** The models that compare faces, for the result */
  readonly comparisonModel: string
}

/** The similarity of two faces by each network that processed both. */
export interface FaceLikeness {
  /** Euclidean, see `faceDistance` */
  readonly distance: number
  /** SFace cosine similarity, -1 to 1, higher is more similar; absent if not installed */
  readonly cosine?: number | undefined
}

export function faceLikeness(a: DetectedFace, b: DetectedFace): FaceLikeness {
  const distance = faceDistance(a.descriptor, b.descriptor)
  const { recognised } = b
  if (a.recognised === undefined || recognised === undefined) return { distance }
  return { distance, cosine: a.recognised.reduce((sum, value, place) => sum + value * (recognised[place] ?? 0), 0) }
}

/**
 * Returns the Euclidean distance of two face descriptors: 0 (the same image) to about 1.4; mean of same person 0.38, of different persons 0.88 (300
 * pairs of photographs).
 */
export function faceDistance(a: Float32Array, b: Float32Array): number {
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0))
}
