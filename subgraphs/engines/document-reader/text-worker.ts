import { workerData } from 'node:worker_threads'
import { decodeImage } from '../images/image-decoder.ts'
import { type ImageProblem, InvalidImage } from '../images/invalid-image.ts'
import { yieldToOthers } from '../inference/background-thread.ts'
import type { DocumentText, ReadingEffort } from './document-reader.ts'
import { readPage } from './page/page.ts'
import { TextEngine } from './text-engine.ts'

/** Runs in a worker thread, also straight from its TypeScript: nothing it imports may need more than types stripped. */

export interface TextTask {
  readonly image: Uint8Array
  readonly effort: ReadingEffort
  /** Four shared bytes: not zero once nobody waits for the answer any more. */
  readonly givenUp: SharedArrayBuffer
}

/** A thrown error loses its class between threads, so a refusal is an answer. `undefined`: given up, or nothing was asked. */
export type TextAnswer = { readonly text: DocumentText } | { readonly problem: ImageProblem } | undefined

export interface TextThreadData {
  /** Holds the language data */
  readonly dataFolder: string
}

class GivenUp extends Error {}

// The image library inside the reader writes remarks on every odd page to standard error; what really fails is thrown.
process.stderr.write = () => true

/** Text of two millimetres on a passport page is then about twenty pixels tall. */
const longestEdge = 2000

/** @returns what answers a task; without one it does nothing, which shows that the language is loaded */
async function start(): Promise<(task: TextTask | undefined) => Promise<TextAnswer>> {
  yieldToOthers()
  // the pool hands its threads what their type says
  const engine = new TextEngine((workerData as TextThreadData).dataFolder)
  await engine.open('fra')
  return async (task) => {
    if (task === undefined) return undefined
    const givenUp = new Int32Array(task.givenUp)
    const goOn = (): void => {
      if (Atomics.load(givenUp, 0) !== 0) throw new GivenUp()
    }
    try {
      goOn()
      const { pixels } = await decodeImage(task.image, longestEdge)
      return { text: await readPage(engine, pixels, task.effort, goOn) }
    } catch (error) {
      if (error instanceof InvalidImage) return { problem: error.problem }
      if (error instanceof GivenUp) return undefined
      throw error
    }
  }
}

/** The pool waits for it: a thread takes work once its language is loaded. */
export default start()
