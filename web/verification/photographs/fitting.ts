import { headerBytes, readImageHeader } from './image-header.ts'

/** size limit of the service in bytes */
export const maxBytes = 5 * 1024 * 1024
const maxPixels = 40_000_000

/** attempts in order: longest side in pixels, JPEG quality */
const steps = [
  [4000, 0.9],
  [3000, 0.85],
  [2000, 0.8],
] as const

/** A photo that the service accepts: upright, and a JPEG, PNG or WebP of at most 5 MB. */
export interface FittedPhotograph {
  readonly content: Blob
  /** changes made; empty for an unchanged file */
  readonly changes: readonly ('turned' | 'smaller' | 'converted')[]
}

/** The reason a file cannot be sent as a photo. */
export class UnfitPhotograph extends Error {
  readonly problem: 'unreadable' | 'too-large'

  constructor(problem: UnfitPhotograph['problem'], cause?: unknown) {
    super(problem, { cause })
    this.problem = problem
  }
}

/**
 * Converts a file to what the service accepts; returns a suitable file unchanged.
 * @throws {UnfitPhotograph} when the browser cannot read it, or lacks memory
 */
export async function fitting(file: Blob): Promise<FittedPhotograph> {
  const header = readImageHeader(new Uint8Array(await file.slice(0, headerBytes).arrayBuffer()))
  const changes = [
    ...(header.orientation === 1 ? [] : (['turned'] as const)),
    ...(file.size > maxBytes || (header.pixels ?? 0) > maxPixels ? (['smaller'] as const) : []),
    ...(header.type === undefined ? (['converted'] as const) : []),
  ]
  if (changes.length === 0) {
    // decodes it now, so that a damaged image is reported before it is sent
    ;(await pictureOf(file)).close()
    return { content: file, changes }
  }
  const picture = await pictureOf(file)
  try {
    for (const [side, quality] of steps) {
      const content = await drawn(picture, Math.min(1, side / Math.max(picture.width, picture.height)), quality)
      if (content.size <= maxBytes) return { content, changes }
    }
  } finally {
    picture.close()
  }
  throw new UnfitPhotograph('too-large')
}

/** Draws it upright, by its Exif orientation. */
async function pictureOf(file: Blob): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' })
  } catch (error) {
    throw new UnfitPhotograph('unreadable', error)
  }
}

async function drawn(picture: ImageBitmap, scale: number, quality: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(picture.width * scale)), Math.max(1, Math.round(picture.height * scale)))
  const context = canvas.getContext('2d')
  if (context === null) throw new UnfitPhotograph('too-large')
  context.imageSmoothingQuality = 'high'
  // JPEG has no transparency
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas.convertToBlob({ type: 'image/jpeg', quality })
}
