import type { Pixels } from '../../inference/images/image-format.ts'
import type { DocumentText, ReadingEffort } from '../document-reader.ts'
import { blackBars } from '../page/black-bars.ts'
import { colourShare } from '../page/colour.ts'
import { findDocument } from '../page/outline/find-document.ts'
import { rectified } from '../page/outline/perspective.ts'
import { documentText, type PageReading } from '../page/page-reading.ts'
import { toGrey } from '../page/pixels.ts'
import { lettersOf } from '../page/printed-lines.ts'
import { foreshortening } from '../page/quadrilateral.ts'
import { rasterOf } from '../page/raster.ts'
import { readWithTesseract } from '../tesseract/tesseract-page.ts'
import type { TextEngine } from '../text-engine/text-engine.ts'
import { readWithNetworks } from '../text-networks/networks-page.ts'
import type { TextNetworks } from '../text-networks/text-networks.ts'

export interface TextReaders {
  readonly tesseract: TextEngine
  /** absent if not installed */
  readonly networks?: TextNetworks | undefined
}

/** Minimum plausibility of a document; below it the corners may belong to something else, such as a portrait with a line of the title. */
const sense = { confidence: 0.6, letters: 24, lines: 3 } as const

/**
 * Reads one side of a document, rectified if its four corners are found, else as it is. @param checkCancelled - called between steps; throws when the request
 * is cancelled
 */
export async function readPage(
  readers: TextReaders,
  pixels: Pixels,
  effort: ReadingEffort,
  checkCancelled: () => void,
): Promise<DocumentText> {
  const picture = toGrey(pixels)
  const corners = findDocument(pixels, picture)
  const raster = rasterOf(picture, corners)
  const shown = { ...(raster && { raster }), blackBars: blackBars(picture) }
  checkCancelled()
  if (corners !== undefined) {
    const page = rectified(pixels, corners)
    const reading = await readWith(readers, page, effort, checkCancelled)
    if (makesSense(reading))
      return { ...documentText(reading), ...shown, colour: colourShare(page), foreshortening: foreshortening(corners) }
  }
  return { ...documentText(await readWith(readers, pixels, effort, checkCancelled)), ...shown, colour: colourShare(pixels) }
}

function readWith(
  { tesseract, networks }: TextReaders,
  pixels: Pixels,
  effort: ReadingEffort,
  checkCancelled: () => void,
): Promise<PageReading> {
  const picture = toGrey(pixels)
  return networks === undefined
    ? readWithTesseract(tesseract, picture, effort, checkCancelled)
    : readWithNetworks({ tesseract, networks }, picture, effort, checkCancelled)
}

const makesSense = ({ mrz, confidence, lines }: PageReading): boolean =>
  mrz !== undefined || (confidence > sense.confidence && lettersOf(lines) > sense.letters && lines.length >= sense.lines)
