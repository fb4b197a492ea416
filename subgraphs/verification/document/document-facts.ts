import type { Barcode, DocumentText } from '../../../engines/document-reader/document-reader.ts'
import { readAamva } from './aamva.ts'
import type { BarcodeContent } from './barcode-content.ts'
import { countryCode } from './countries.ts'
import { dayOf, findDates } from './dates.ts'
import { centuryOf, type TrustedMrz, trusted } from './trusted-mrz.ts'
import { read2dDoc } from './two-d-doc.ts'
import { readVisualZone, type VisualZone } from './visual-zone.ts'

/** Data from both sides of the document. */
export interface DocumentFacts {
  /** both sides combined, front first */
  readonly visual: VisualZone
  /** each side */
  readonly front: VisualZone
  readonly back: VisualZone
  readonly mrz: TrustedMrz | undefined
  /** second machine-readable zone, as on some cards */
  readonly otherMrz: TrustedMrz | undefined
  /** content of barcodes of supported standards, both sides */
  readonly barcodes: readonly BarcodeContent[]
  /** number of barcodes of any kind */
  readonly barcodesFound: number
  /** whether text was read */
  readonly readable: boolean
}

const emptyZone: VisualZone = { dates: [], lines: [], confidence: 0 }

/** The text of a document and the declared data that resolves ambiguous dates. */
export interface ReadDocument {
  /** absent when no text was read */
  readonly frontText?: DocumentText
  readonly backText?: DocumentText
  /** as submitted */
  readonly countryCode: string
  readonly dateOfBirth: string | null
  /** milliseconds since the epoch */
  readonly now: number
}

/** Combines both sides, with the accepted repairs of the machine-readable zone. */
export function documentFacts({ frontText, backText, countryCode: declaredCountry, dateOfBirth, now }: ReadDocument): DocumentFacts {
  const country = countryCode(declaredCountry)
  const born = findDates(dateOfBirth ?? '', country, dayOf(now).year)
  const read = (text: DocumentText | undefined): VisualZone => (text === undefined ? emptyZone : readVisualZone(text, country, now))
  const [front, back] = [read(frontText), read(backText)]
  const visual = together(back, front)
  const mrzs = (['front', 'back'] as const).flatMap((side) => {
    const reading = (side === 'front' ? frontText : backText)?.mrz
    if (reading === undefined) return []
    const mrz = trusted(reading, side, visual, now)
    return [{ ...mrz, content: centuryOf(mrz.content, visual, born) }]
  })
  const [mrz, otherMrz] = mrzs.sort((a, b) => share(b) - share(a) || b.confidence - a.confidence)
  const barcodes = [frontText, backText].flatMap((text) => text?.barcodes ?? [])
  return {
    visual,
    front,
    back,
    mrz,
    otherMrz,
    barcodes: barcodes.flatMap((barcode) => contentOf(barcode, now) ?? []),
    barcodesFound: barcodes.length,
    readable: mrz !== undefined || [...visual.lines, ...(visual.arabic ?? [])].some((line) => line.length > 3),
  }
}

const share = ({ content, failed }: TrustedMrz): number => 1 - failed.length / content.checks.length

/** Merges two sides; the first has precedence. */
function together(back: VisualZone, front: VisualZone): VisualZone {
  const length = ({ lines, arabic = [] }: VisualZone): number => [...lines, ...arabic].join('').length
  const all = length(front) + length(back)
  return {
    ...back,
    ...front,
    dates: [...front.dates, ...back.dates],
    lines: [...front.lines, ...back.lines],
    arabic: [...(front.arabic ?? []), ...(back.arabic ?? [])],
    confidence: all === 0 ? 0 : (front.confidence * length(front) + back.confidence * length(back)) / all,
  }
}

/** Reads a barcode of a supported standard; undefined for any other, whose content is ignored. */
export const contentOf = (barcode: Barcode, now: number): BarcodeContent | undefined => read2dDoc(barcode, now) ?? readAamva(barcode.text)
