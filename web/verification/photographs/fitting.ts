import { headerBytes, readImageHeader } from './image-header.ts'

/** of a photograph that the service takes */
export const largestBytes = 5 * 1024 * 1024
const largestPixels = 40_000_000

/** what is tried one after the other: longest side in pixels, quality of the JPEG */
const steps = [
  [4000, 0.9],
  [3000, 0.85],
  [2000, 0.8],
] as const

/** A photograph as the service takes it: upright, a JPEG, PNG or WebP of at most 5 MB. */
export interface Fitted {
  readonly content: Blob
  /** what was done to it; nothing where it was as it should be */
  readonly changes: readonly ('turned' | 'smaller' | 'converted')[]
}

/** Why a file is no photograph that can be sent. */
export class UnfitPhotograph extends Error {
  readonly problem: 'unreadable' | 'too-large'

  constructor(problem: UnfitPhotograph['problem'], cause?: unknown) {
    super(problem, { cause })
    this.problem = problem
  }
}

/**
 * Makes of a file what the service takes. A file that is so already stays as it is, byte for byte.
 * @throws {UnfitPhotograph} when the browser cannot read it, or has no room for it
 */
export async function fitting(file: Blob): Promise<Fitted> {
  const header = readImageHeader(new Uint8Array(await file.slice(0, headerBytes).arrayBuffer()))
  const changes = [
    ...(header.orientation === 1 ? [] : (['turned'] as const)),
    ...(file.size > largestBytes || (header.pixels ?? 0) > largestPixels ? (['smaller'] as const) : []),
    ...(header.type === undefined ? (['converted'] as const) : []),
  ]
  if (changes.length === 0) {
    // what is no picture in spite of its beginning is told now, and not by a result
    ;(await pictureOf(file)).close()
    return { content: file, changes }
  }
  const picture = await pictureOf(file)
  try {
    for (const [side, quality] of steps) {
      const content = await drawn(picture, Math.min(1, side / Math.max(picture.width, picture.height)), quality)
      if (content.size <= largestBytes) return { content, changes }
    }
  } finally {
    picture.close()
  }
  throw new UnfitPhotograph('too-large')
}

/** Upright, as its camera says. */
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
  // JPEG knows no transparency
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas.convertToBlob({ type: 'image/jpeg', quality })
}
