import { workerData } from 'node:worker_threads'
import { decodeImage } from '../../inference/images/image-decoder.ts'
import { type ImageProblem, InvalidImage } from '../../inference/images/invalid-image.ts'
import { inferenceWorker, native, throwIfCancelled } from '../../inference/inference-thread.ts'
import type { DocumentText, ReadingEffort } from '../document-reader.ts'
import { toGrey } from '../page/pixels.ts'
import { TextEngine } from '../text-engine/text-engine.ts'
import type { Language } from '../text-engine/text-language-data.ts'
import { openTextNetworks, type TextNetworks } from '../text-networks/text-networks.ts'
import { readBarcodes } from './read-barcodes.ts'
import { readPage } from './read-page.ts'

/** Runs in a worker thread, also directly from TypeScript: its imports must work with type stripping alone. */

export interface DocumentTask {
  readonly image: Uint8Array
  readonly effort: ReadingEffort
}

/** Errors lose their class between threads, so a refusal is returned as a value. */
export type DocumentAnswer = { readonly text: DocumentText } | { readonly problem: ImageProblem }

export interface DocumentThreadData {
  /** folder of the language data */
  readonly dataFolder: string
  /** installed languages */
  readonly languages: readonly Language[]
  readonly executionProviders: readonly string[]
  /** folder of the networks; undefined if they are not installed */
  readonly networksFolder: string | undefined
}

// The image library of the reader prints warnings about unusual pages to standard error; real failures are thrown.
process.stderr.write = () => true

/** Text of 2 mm on a passport page is then about 20 pixels tall. */
const maxEdge = 2000

/** Wraps the networks so that each call first checks for cancellation. */
function interruptible(networks: TextNetworks, cancelFlag: Int32Array): TextNetworks {
  return {
    detect: (page) => native(() => networks.detect(page), cancelFlag),
    recognise: (lines) => native(() => networks.recognise(lines), cancelFlag),
    orientation: (page) => native(() => networks.orientation(page), cancelFlag),
  }
}

export default inferenceWorker<DocumentTask, DocumentAnswer>(async () => {
  // the pool passes its threads data of this type
  const { dataFolder, languages, networksFolder, executionProviders } = workerData as DocumentThreadData
  const tesseract = new TextEngine(dataFolder, languages)
  // as the second opinion it is rarely needed, and then loaded on demand
  if (networksFolder === undefined) await tesseract.open('fra')
  const networks =
    networksFolder === undefined ? undefined : await native(() => openTextNetworks({ folder: networksFolder, executionProviders }))
  return async ({ image, effort }, cancelFlag) => {
    try {
      const { pixels } = await decodeImage(image, maxEdge)
      const text = await readPage({ tesseract, networks: networks && interruptible(networks, cancelFlag) }, pixels, effort, () =>
        throwIfCancelled(cancelFlag),
      )
      throwIfCancelled(cancelFlag)
      const barcodes = await readBarcodes(toGrey(pixels))
      return { text: { ...text, ...(barcodes.length > 0 && { barcodes }) } }
    } catch (error) {
      if (error instanceof InvalidImage) return { problem: error.problem }
      throw error
    }
  }
})
