import type { AnalysedImage, Turn } from '../../../engines/face-analyser/face-analyser.ts'
import type { ImageMember } from '../submission/submission.ts'

/** The place of a face as shares (0 to 1) of the width and height of the image, upright by its EXIF orientation. */
export interface FaceArea {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** clockwise turn of the image, in degrees, that makes the face upright */
  readonly turn: Turn
}

/** The compared face of each image, for reviewers: sealed with the images and erased with them. */
export type FaceAreas = Partial<Readonly<Record<ImageMember, FaceArea>>>

/** Returns the place of the first face of an image; undefined without a face. */
export function faceAreaOf({ width, height, faces: [face] }: Pick<AnalysedImage, 'width' | 'height' | 'faces'>): FaceArea | undefined {
  if (face === undefined) return undefined
  const { box, turn } = face
  return { x: share(box.x / width), y: share(box.y / height), width: share(box.width / width), height: share(box.height / height), turn }
}

/** @returns a share with four digits: a tenth of a pixel of a photograph */
const share = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000
