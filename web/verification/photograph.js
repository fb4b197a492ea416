/** A photograph as the service takes it: upright, and of at most 5 MB. */

export const largestImage = 5 * 1024 * 1024

/** what is tried one after the other: longest side in pixels, quality of the JPEG */
const steps = [
  [4000, 0.9],
  [3000, 0.85],
  [2000, 0.8],
]

/**
 * @param {Blob} photograph - as it was chosen
 * @returns {Promise<Blob>} the same where it is small enough, else a JPEG of it, turned as its camera says
 * @throws when it is no picture
 */
export async function fitting(photograph) {
  if (photograph.size <= largestImage) return photograph
  const picture = await createImageBitmap(photograph, { imageOrientation: 'from-image' })
  try {
    for (const [side, quality] of steps) {
      const smaller = await drawn(picture, Math.min(1, side / Math.max(picture.width, picture.height)), quality)
      if (smaller.size <= largestImage) return smaller
    }
  } finally {
    picture.close()
  }
  throw new Error('it cannot be made small enough')
}

function drawn(picture, scale, quality) {
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale))
  const context = canvas.getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas.convertToBlob({ type: 'image/jpeg', quality })
}
