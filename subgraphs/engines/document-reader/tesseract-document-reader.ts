import { createRequire } from 'node:module'
import { EngineUnavailable } from '../../foundation/fault.ts'
import type { Log } from '../../foundation/log.ts'
import { InvalidImage } from '../images/invalid-image.ts'
import type { TextReader } from './document-reader.ts'
import { TextThreads } from './text-threads.ts'

export interface TextReaderOptions {
  /** Documents read side by side; about 250 MB each */
  readonly threads: number
  /** For one document side, waiting for a free thread included; default 30,000 */
  readonly timeoutMs?: number
  readonly log: Log
}

/**
 * Reads documents with tesseract.js in threads of their own. `start` fails when language data is not installed and returns while it loads (about
 * half a second); `readDocument` waits for it.
 */
export function createTextReader({ threads, timeoutMs = 30_000, log }: TextReaderOptions): TextReader {
  let pool: TextThreads | undefined
  return {
    name: 'text reader',
    models: modelVersions(),
    async start() {
      pool = new TextThreads(threads, timeoutMs)
      pool.ready.catch((error: unknown) => log.error({ err: error }, 'the text reader could not be loaded'))
    },
    async stop() {
      await pool?.stop()
      pool = undefined
    },
    async ready() {
      if (pool === undefined) throw new EngineUnavailable('text reader')
      return pool.ready
    },
    async readDocument(image, signal, effort = 'usual') {
      if (pool === undefined) throw new EngineUnavailable('text reader')
      const answer = await pool.run({ image, effort }, signal)
      if ('problem' in answer) throw new InvalidImage(answer.problem)
      return answer.text
    },
  }
}

function modelVersions(): Readonly<Record<string, string>> {
  const require = createRequire(import.meta.url)
  const version = (name: string): string => {
    const manifest: unknown = require(`${name}/package.json`)
    return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown'
  }
  return {
    text_reader: `tesseract.js ${version('tesseract.js')}`,
    text_language_fra: `4.0.0 best, integer (@tesseract.js-data/fra ${version('@tesseract.js-data/fra')})`,
    text_language_eng: `4.0.0 best, integer (@tesseract.js-data/eng ${version('@tesseract.js-data/eng')})`,
  }
}
