import type { Part } from '../../foundation/lifecycle.ts'
import type { Barcode } from './barcode/barcode.ts'
import type { MrzReading } from './mrz/mrz-reading.ts'

/** Pixels of the upright page, from its left upper corner: the document as seen from straight above where its corners were found, else the picture. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface TextWord {
  readonly text: string
  /** 0 to 1, how sure the reader is */
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

/** What the pixels of the page say, independent of any text. Shares and brightness 0 to 1. */
export interface PageQuality {
  /** variance of the Laplacian where there is ink, as on white paper; made pages: clean from 13,000, photographed 4,000, blurred by 2 px 2,000, by 4 px 100 */
  readonly sharpness: number
  /** of the paper: what nine tenths of the page stay below */
  readonly brightness: number
  /** share of the page that is burnt out in spots brighter than its paper */
  readonly glare: number
  /** sides of the picture that the document runs out of */
  readonly cutSides: number
  /** share of the page that carries ink; a blank sheet has next to none */
  readonly ink: number
}

export interface DocumentText {
  /** of the upright page in which boxes are counted */
  readonly width: number
  readonly height: number
  /** clockwise turn that made the page upright, after EXIF */
  readonly rotation: 0 | 90 | 180 | 270
  /** degrees that were left and taken out */
  readonly skew: number
  /** the visual zone in reading order, without the lines of the machine-readable zone; at most 200 */
  readonly lines: readonly TextLine[]
  /** mean over the printed words, weighted by their length; 0 without any */
  readonly confidence: number
  readonly mrz?: MrzReading
  /** at most four; absent where there is none */
  readonly barcodes?: readonly Barcode[]
  readonly quality: PageQuality
  /** share of the page that has a colour of its own, beyond the tint of paper and light; a copy in black and white has none */
  readonly colour?: number
  /** how much shorter the farther of two opposite sides of the document looks, 0 to 1; absent where its four corners were not found */
  readonly foreshortening?: number
  /**
   * a fine pattern all over the document, as the pixels of a screen (in its rows) and the dots of a printer (aslant) make one; absent where the document is too small to
   * tell. `strength`: decades above other patterns as fine; `angle`: degrees from level or upright, 0 to 45
   */
  readonly raster?: { readonly strength: number; readonly angle: number }
  /** share of the picture's height or width that is bars of even black at its edges, as around a screenshot */
  readonly blackBars?: number
  /** name and version of what read it; of several, the first opinion first */
  readonly reader?: string
}

export type ReadingEffort = 'usual' | 'thorough'

/** Reads the text of one side of an identity document. */
export interface DocumentReader extends Part {
  /** Resolves once the language data is loaded. @throws when it cannot be */
  ready(): Promise<unknown>
  /**
   * @param image - JPEG, PNG or WebP of at most 40 megapixels; EXIF orientation is honoured
   * @param effort - thorough: the visual zone is read a second time, larger and without regard to its layout, and for lines in Arabic script; up to four times the time
   * @returns what was found; a page without text has no lines and no machine-readable zone
   * @throws {InvalidInput} when the bytes are no such image   @throws {DeadlineExceeded} after the time for one read   @throws {EngineUnavailable} when the reader
   * cannot be started   @throws the signal's reason when it is aborted
   */
  readDocument(image: Uint8Array, signal: AbortSignal, effort?: ReadingEffort): Promise<DocumentText>
  /** name -> version, for GET /version */
  readonly models: Readonly<Record<string, string>>
}
