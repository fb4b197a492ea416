import type { Barcode } from '../../../../engines/document-reader/barcode/barcode.ts'
import { readAamva } from './aamva.ts'
import type { BarcodeContent } from './barcode-content.ts'
import { read2dDoc } from './two-d-doc.ts'

/** What a barcode says by a standard that we know; undefined for every other one: what those hold is not looked at. */
export const contentOf = (barcode: Barcode, now: number): BarcodeContent | undefined => read2dDoc(barcode, now) ?? readAamva(barcode.text)
