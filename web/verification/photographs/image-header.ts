/** Properties of an image from the first bytes of its file. */
export interface ImageHeader {
  /** undefined: a type that the service does not accept */
  readonly type: 'image/jpeg' | 'image/png' | 'image/webp' | undefined
  /** Exif orientation (tag 0x0112), 1 to 8; 1: upright */
  readonly orientation: number
  /** width times height; undefined when it is not near the start of the header */
  readonly pixels: number | undefined
}

/** cameras write Exif data with a thumbnail before the size */
export const headerBytes = 256 * 1024

/**
 * Parses an image header.
 * @param bytes - start of a file: {@link headerBytes} or all of it
 * @see ITU-T T.81, annex B (JPEG); CIPA DC-008 (Exif); W3C PNG, section 11.2.1; RFC 9649 (WebP)
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.byteLength < 24) return { type: undefined, orientation: 1, pixels: undefined }
  if (view.getUint16(0) === 0xffd8) return jpegHeader(view)
  if (view.getUint32(0) === 0x89504e47) return { type: 'image/png', orientation: 1, pixels: view.getUint32(16) * view.getUint32(20) }
  // RIFF….WEBP
  const isWebp = view.getUint32(0) === 0x52494646 && view.getUint32(8) === 0x57454250
  return { type: isWebp ? 'image/webp' : undefined, orientation: 1, pixels: undefined }
}

function jpegHeader(view: DataView): ImageHeader {
  let orientation = 1
  for (let at = 2; at + 9 < view.byteLength; ) {
    const marker = view.getUint16(at)
    if (marker >> 8 !== 0xff) break
    const length = view.getUint16(at + 2)
    if (marker === 0xffe1) orientation = exifOrientation(view, at + 4, length) ?? orientation
    // start of frame: C0 to CF except tables and arithmetic conditioning
    if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker))
      return { type: 'image/jpeg', orientation, pixels: view.getUint16(at + 5) * view.getUint16(at + 7) }
    at += 2 + length
  }
  return { type: 'image/jpeg', orientation, pixels: undefined }
}

/** @param start - position of "Exif\0\0"   @returns undefined without an orientation */
function exifOrientation(view: DataView, start: number, length: number): number | undefined {
  const end = Math.min(start + length, view.byteLength)
  const tiff = start + 6
  if (tiff + 8 > end || view.getUint32(start) !== 0x45786966) return undefined
  const isLittle = view.getUint16(tiff) === 0x4949
  const directory = tiff + view.getUint32(tiff + 4, isLittle)
  if (directory + 2 > end) return undefined
  const entries = view.getUint16(directory, isLittle)
  for (let index = 0; index < entries; index++) {
    const entry = directory + 2 + 12 * index
    if (entry + 12 > end) return undefined
    if (view.getUint16(entry, isLittle) !== 0x0112) continue
    const value = view.getUint16(entry + 8, isLittle)
    return value >= 1 && value <= 8 ? value : undefined
  }
  return undefined
}
