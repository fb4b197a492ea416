import { toBuffer } from 'bwip-js/node'
import sharp from 'sharp'

/**
 * The back of a drawn card with a barcode at the top, where nothing else is.
 * @param bcid - as bwip-js names symbologies   @param scale - pixels of a module   @returns PNG
 */
export async function withBarcode(
  back: Uint8Array,
  text: string,
  { bcid = 'pdf417', scale = 2 }: { readonly bcid?: 'pdf417' | 'datamatrix' | 'qrcode'; readonly scale?: number } = {},
): Promise<Buffer> {
  const barcode = await toBuffer({ bcid, text, scale, padding: 6, backgroundcolor: 'FFFFFF' })
  return sharp(back)
    .composite([{ input: barcode, top: 20, left: 480 }])
    .png()
    .toBuffer()
}
