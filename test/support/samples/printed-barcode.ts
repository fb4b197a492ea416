import { toBuffer } from 'bwip-js/node'
import sharp from 'sharp'

/**
 * The back of a drawn card with a barcode at the top, where nothing else is.
 * @param content - as UTF-8, or the bytes that shall stand in it   @param bcid - as bwip-js names symbologies   @param scale - pixels of a module   @returns PNG
 */
export async function withBarcode(
  back: Uint8Array,
  content: string | Uint8Array,
  { bcid = 'pdf417', scale = 2 }: { readonly bcid?: 'pdf417' | 'datamatrix' | 'qrcode'; readonly scale?: number } = {},
): Promise<Buffer> {
  // a character for each byte: the printer would choose a character set of its own
  const text = Buffer.from(content).toString('latin1')
  const barcode = await toBuffer({ bcid, text, binarytext: true, scale, padding: 6, backgroundcolor: 'FFFFFF' })
  return sharp(back)
    .composite([{ input: barcode, top: 20, left: 480 }])
    .png()
    .toBuffer()
}
