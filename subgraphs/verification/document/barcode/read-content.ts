import type { Barcode } from '../../../../engines/document-reader/document-reader.ts'
import { readAamva } from './aamva.ts'
import type { BarcodeContent } from './barcode-content.ts'
import { read2dDoc } from './two-d-doc.ts'

/** Reads a barcode of a supported standard; undefined for any other, whose content is ignored. */
export const contentOf = (barcode: Barcode, now: number): BarcodeContent | undefined => read2dDoc(barcode, now) ?? readAamva(barcode.text)
