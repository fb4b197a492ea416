import type { Part } from '../../foundation/lifecycle.ts'
import type { MrzReading } from './mrz/mrz-reading.ts'

/** A two-dimensional barcode found on a page. Its content is untrusted and may contain any character. */
export interface Barcode {
  readonly symbology: 'PDF417' | 'QRCode' | 'DataMatrix'
  /** bytes as UTF-8, or in the character set that the decoder guessed; at most 4,096 characters, more than any document barcode has */
  readonly text: string
  /** raw bytes, over which a seal is computed */
  readonly bytes: Uint8Array
}

export const symbologies = ['PDF417', 'QRCode', 'DataMatrix'] as const satisfies readonly Barcode['symbology'][]

/** Pixels of the upright page from its top left corner: the rectified document if its corners were found, else the picture. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface TextWord {
  readonly text: string
  /** confidence of the reader, 0 to 1 */
  readonly confidence: number
  readonly box: Box
}

export interface TextLine {
  readonly text: string
  readonly confidence: number
  readonly box: Box
  /** left to right */
  readonly words: readonly TextWord[]
}

/** Quality of the page, independent of its text. Shares and brightness are 0 to 1. */
export interface PageQuality {
  /**
   * variance of the Laplacian over ink, normalised to white paper; synthetic pages: clean from 13,000, photographed 4,000, blurred by 2 px 2,000, by
   * 4 px 100
   */
  readonly sharpness: number
  /** brightness of the paper: the 90th percentile of the page */
  readonly brightness: number
  /** share of the page in overexposed spots brighter than its paper */
  readonly glare: number
  /** number of sides of the picture that cut the document off */
  readonly cutSides: number
  /** share of the page that carries ink; near 0 for a blank page */
  readonly ink: number
}

export interface DocumentText {
  /** width of the upright page, the unit of boxes */
  readonly width: number
  readonly height: number
  /** clockwise turn after EXIF that made the page upright */
  readonly rotation: 0 | 90 | 180 | 270
  /** remaining skew that was corrected, degrees */
  readonly skew: number
  /** the visual zone in reading order, without the machine-readable zone; at most 200 lines */
  readonly lines: readonly TextLine[]
  /** mean confidence of printed words, weighted by length; 0 without words */
  readonly confidence: number
  readonly mrz?: MrzReading
  /** at most four; absent without barcodes */
  readonly barcodes?: readonly Barcode[]
  readonly quality: PageQuality
  /** share of the page with a colour beyond the tint of paper and light; 0 for a black-and-white copy */
  readonly colour?: number
  /** how much shorter the more distant of two opposite sides appears, 0 to 1; absent if the four corners were not found */
  readonly foreshortening?: number
  /**
   * A fine periodic pattern over the document, caused by the pixels of a screen (level) or the dots of a printer (diagonal); absent if the document
   * is too small. `strength`: decades above other patterns of that frequency; `angle`: degrees from level or upright, 0 to 45
   */
  readonly raster?: { readonly strength: number; readonly angle: number }
  /** share of the height or width of the picture that is black bars at its edges, as in a screenshot */
  readonly blackBars?: number
  /** name and version of the reader; with several, that of the first opinion comes first */
  readonly reader?: string
}

export type ReadingEffort = 'usual' | 'thorough'

/** Reads the text of one side of an identity document. */
export interface DocumentReader extends Part {
  /** Resolves when the language data is loaded. @throws if loading fails */
  ready(): Promise<unknown>
  /**
   * Reads one side of a document.
   * @param image - JPEG, PNG or WebP of at most 40 megapixels; EXIF orientation is applied
   * @param effort - thorough: reads the visual zone a second time, larger, without layout analysis, and for Arabic script; up to four times as long
   * @returns the reading; a page without text has no lines and no machine-readable zone
   * @throws {InvalidInput} if the bytes are not such an image
   * @throws {DeadlineExceeded} after the time limit of one read
   * @throws {EngineUnavailable} if the reader cannot be started
   * @throws the reason of an aborted signal
   */
  readDocument(image: Uint8Array, signal: AbortSignal, effort?: ReadingEffort): Promise<DocumentText>
  /** versions by name, for GET /version */
  readonly models: Readonly<Record<string, string>>
}
