import { createRequire } from 'node:module'
import { workerModule } from '../../foundation/concurrency/worker-module.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import type { Log } from '../../foundation/log.ts'
import { InvalidImage } from '../inference/images/invalid-image.ts'
import { InferenceThreads } from '../inference/inference-threads.ts'
import type { DocumentReader } from './document-reader.ts'
import type { DocumentAnswer, DocumentTask, DocumentThreadData } from './document-worker.ts'
import { type LinkedLanguageData, linkLanguageData } from './text-language-data.ts'

export interface DocumentReaderOptions {
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
export function tesseractDocumentReader({ threads, timeoutMs = 30_000, log }: DocumentReaderOptions): DocumentReader {
  let pool: InferenceThreads<DocumentTask, DocumentAnswer, DocumentThreadData> | undefined
  let languages: LinkedLanguageData | undefined
  return {
    name: 'document reader',
    models: modelVersions(),
    async start() {
      languages = linkLanguageData()
      pool = new InferenceThreads({
        worker: workerModule('document-worker', import.meta.url),
        threads,
        engine: 'document reader',
        timeoutMs,
        terminable: true,
        data: { dataFolder: languages.folder },
      })
      pool.ready.catch((error: unknown) => log.error({ err: error }, 'the document reader could not be loaded'))
    },
    async stop() {
      await pool?.stop()
      languages?.remove()
      pool = languages = undefined
    },
    async ready() {
      if (pool === undefined) throw new EngineUnavailable('document reader')
      return pool.ready
    },
    async readDocument(image, signal, effort = 'usual') {
      if (pool === undefined) throw new EngineUnavailable('document reader')
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
