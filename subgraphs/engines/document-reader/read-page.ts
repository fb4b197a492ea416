import type { Pixels } from '../inference/images/pixels.ts'
import type { DocumentText, ReadingEffort } from './document-reader.ts'
import { documentText } from './page/page-reading.ts'
import { toGrey } from './page/pixels.ts'
import { readWithTesseract } from './tesseract/tesseract-page.ts'
import type { TextEngine } from './tesseract/text-engine.ts'
import { readWithNetworks } from './text-networks/networks-page.ts'
import type { TextNetworks } from './text-networks/text-networks.ts'

export interface TextReaders {
  readonly tesseract: TextEngine
  /** absent where they are not installed */
  readonly networks?: TextNetworks | undefined
}

/**
 * Reads one side of a document.
 * @param goOn - called between steps; throws when nobody waits any more
 */
export async function readPage(
  { tesseract, networks }: TextReaders,
  pixels: Pixels,
  effort: ReadingEffort,
  goOn: () => void,
): Promise<DocumentText> {
  const picture = toGrey(pixels)
  const reading =
    networks === undefined
      ? await readWithTesseract(tesseract, picture, effort, goOn)
      : await readWithNetworks({ tesseract, networks }, picture, effort, goOn)
  return documentText(reading)
}
