import { toBuffer } from 'bwip-js/node'
import sharp from 'sharp'

/**
 * The back of a drawn card with a barcode at the top, on an empty area.
 * @param content - as UTF-8, or the bytes to encode   @param bcid - symbology in bwip-js   @param scale - pixels per module   @returns PNG
 */
export async function withBarcode(
  back: Uint8Array,
  content: string | Uint8Array,
  { bcid = 'pdf417', scale = 2 }: { readonly bcid?: 'pdf417' | 'datamatrix' | 'qrcode'; readonly scale?: number } = {},
): Promise<Buffer> {
  // one character per byte: otherwise the encoder chooses a character set
  const text = Buffer.from(content).toString('latin1')
  const barcode = await toBuffer({ bcid, text, binarytext: true, scale, padding: 6, backgroundcolor: 'FFFFFF' })
  return sharp(back)
    .composite([{ input: barcode, top: 20, left: 480 }])
    .png()
    .toBuffer()
}
