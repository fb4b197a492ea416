import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prepareZXingModule, purgeZXingModule, readBarcodes as readWithZxing } from 'zxing-wasm/reader'
import { type Grey, toPgm } from '../page/pixels.ts'
import { type Barcode, symbologies } from './barcode.ts'

/** Identity documents carry one or two; more is a sheet of stickers. */
const maxBarcodes = 4
const maxCharacters = 4096

const wasmBinary = new Uint8Array(readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))).buffer

/** The decoder of this machine's package: without its bytes the library would ask a host for them. */
const overrides = { wasmBinary }

/**
 * Finds PDF417, QR and DataMatrix codes however they lie, at most four.
 * @param page - as large as pages are read
 * @returns those whose error correction holds; none where the decoder gives up: a document is read without its barcode, too
 */
export async function readBarcodes(page: Grey): Promise<Barcode[]> {
  prepareZXingModule({ overrides })
  try {
    const found = await readWithZxing(new Uint8Array(toPgm(page)), {
      formats: [...symbologies],
      maxNumberOfSymbols: maxBarcodes,
      tryInvert: false,
      textMode: 'Plain',
    })
    return found.flatMap(({ format, text, bytes, isValid }) => {
      const symbology = symbologies.find((each) => each === format)
      return isValid && symbology !== undefined && text.length <= maxCharacters
        ? [{ symbology, text: utf8Of(bytes) ?? text, bytes: Uint8Array.from(bytes) }]
        : []
    })
  } catch {
    // a decoder that has aborted answers nothing any more: the next page gets a new one
    purgeZXingModule()
    return []
  }
}

/** The decoder guesses a character set from what bytes are usual: what is UTF-8 throughout is hardly anything else. */
function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
