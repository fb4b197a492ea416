import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prepareZXingModule, purgeZXingModule, readBarcodes as readWithZxing } from 'zxing-wasm/reader'
import { type Barcode, symbologies } from '../document-reader.ts'
import { type Grey, toPgm } from '../page/pixels.ts'

/** Identity documents have one or two barcodes; more is a sheet of stickers. */
const maxBarcodes = 4
const maxCharacters = 4096

const wasmBinary = new Uint8Array(readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))).buffer

/** The bundled decoder; without its bytes the library would download it. */
const overrides = { wasmBinary }

/**
 * Finds at most four PDF417, QR and DataMatrix codes in any orientation.
 * @param page - at the size of page reading
 * @returns those whose error correction succeeds; empty if the decoder aborts, since the document is readable without them
 */
export async function readBarcodes(page: Grey): Promise<Barcode[]> {
  prepareZXingModule({ overrides })
  try {
    const decoded = await readWithZxing(new Uint8Array(toPgm(page)), {
      formats: [...symbologies],
      maxNumberOfSymbols: maxBarcodes,
      tryInvert: false,
      textMode: 'Plain',
    })
    return decoded.flatMap(({ format, text, bytes, isValid }) => {
      const symbology = symbologies.find((each) => each === format)
      return isValid && symbology !== undefined && text.length <= maxCharacters
        ? [{ symbology, text: utf8Of(bytes) ?? text, bytes: Uint8Array.from(bytes) }]
        : []
    })
  } catch {
    // an aborted decoder is unusable: the next page loads a new one
    purgeZXingModule()
    return []
  }
}

/** Returns the text if the bytes are valid UTF-8; the decoder would guess the character set from frequencies. */
function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
