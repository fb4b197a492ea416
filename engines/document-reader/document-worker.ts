import { workerData } from 'node:worker_threads'
import { decodeImage } from '../inference/images/image-decoder.ts'
import { type ImageProblem, InvalidImage } from '../inference/images/invalid-image.ts'
import { answering, goOn, native } from '../inference/inference-thread.ts'
import { readBarcodes } from './barcode/read-barcodes.ts'
import type { DocumentText, ReadingEffort } from './document-reader.ts'
import { toGrey } from './page/pixels.ts'
import { readPage } from './read-page.ts'
import { TextEngine } from './tesseract/text-engine.ts'
import type { Language } from './tesseract/text-language-data.ts'
import { openTextNetworks, type TextNetworks } from './text-networks/text-networks.ts'

/** Runs in a worker thread, also straight from its TypeScript: nothing it imports may need more than types stripped. */

export interface DocumentTask {
  readonly image: Uint8Array
  readonly effort: ReadingEffort
}

/** A thrown error loses its class between threads, so a refusal is an answer. */
export type DocumentAnswer = { readonly text: DocumentText } | { readonly problem: ImageProblem }

export interface DocumentThreadData {
  /** Holds the language data */
  readonly dataFolder: string
  /** whose data there is */
  readonly languages: readonly Language[]
  readonly executionProviders: readonly string[]
  /** holds the networks; undefined where they are not installed */
  readonly networksFolder: string | undefined
}

// The image library inside the reader writes remarks on every odd page to standard error; what really fails is thrown.
process.stderr.write = () => true

/** Text of two millimetres on a passport page is then about twenty pixels tall. */
const longestEdge = 2000

/** The networks, each call of which first looks whether the task was given up. */
function interruptible(networks: TextNetworks, givenUp: Int32Array): TextNetworks {
  return {
    detect: (page) => native(() => networks.detect(page), givenUp),
    recognise: (lines) => native(() => networks.recognise(lines), givenUp),
    wayUp: (page) => native(() => networks.wayUp(page), givenUp),
  }
}

export default answering<DocumentTask, DocumentAnswer>(async () => {
  // the pool hands its threads what their type says
  const { dataFolder, languages, networksFolder, executionProviders } = workerData as DocumentThreadData
  const tesseract = new TextEngine(dataFolder, languages)
  // as a second opinion it is seldom asked, and then loaded
  if (networksFolder === undefined) await tesseract.open('fra')
  const networks =
    networksFolder === undefined ? undefined : await native(() => openTextNetworks({ folder: networksFolder, executionProviders }))
  return async ({ image, effort }, givenUp) => {
    try {
      const { pixels } = await decodeImage(image, longestEdge)
      const text = await readPage({ tesseract, networks: networks && interruptible(networks, givenUp) }, pixels, effort, () =>
        goOn(givenUp),
      )
      goOn(givenUp)
      const barcodes = await readBarcodes(toGrey(pixels))
      return { text: { ...text, ...(barcodes.length > 0 && { barcodes }) } }
    } catch (error) {
      if (error instanceof InvalidImage) return { problem: error.problem }
      throw error
    }
  }
})
