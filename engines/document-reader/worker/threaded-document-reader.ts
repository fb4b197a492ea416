import { createRequire } from 'node:module'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import type { Log } from '../../../foundation/log.ts'
import { workerModule } from '../../../foundation/process/build-info.ts'
import { InvalidImage } from '../../inference/images/invalid-image.ts'
import { InferenceThreads } from '../../inference/inference-threads.ts'
import type { InstalledModel } from '../../inference/installed-models.ts'
import type { PackagedManifest } from '../../inference/model-manifest.ts'
import type { DocumentReader } from '../document-reader.ts'
import { type LinkedLanguageData, linkLanguageData } from '../text-engine/text-language-data.ts'
import type { DocumentAnswer, DocumentTask, DocumentThreadData } from './document-worker.ts'

export interface DocumentReaderOptions {
  /** Maximum number of document sides read concurrently, one thread each with its own models, started on demand */
  readonly threads: number
  readonly executionProviders: readonly string[]
  /** the PP-OCR networks; undefined: tesseract.js only */
  readonly ocr?: InstalledModel<PackagedManifest> | undefined
  /** time limit of one side including the wait for a free thread, ms; default 30,000 */
  readonly timeoutMs?: number
  readonly log: Log
}

/**
 * Reads documents in worker threads, with the PP-OCR networks if installed and tesseract.js as the second opinion, else with tesseract.js only.
 * `start` fails if language data is missing; models load on first use or by `ready`.
 */
export function threadedDocumentReader({
  threads,
  executionProviders,
  ocr,
  timeoutMs = 30_000,
  log,
}: DocumentReaderOptions): DocumentReader {
  let pool: InferenceThreads<DocumentTask, DocumentAnswer, DocumentThreadData> | undefined
  let languages: LinkedLanguageData | undefined
  return {
    name: 'document reader',
    models: { ...modelVersions(), ...(ocr && { text_networks: nameOf(ocr) }) },
    async start() {
      languages = linkLanguageData()
      pool = new InferenceThreads({
        worker: workerModule('document-worker', import.meta.url),
        threads,
        engine: 'document reader',
        timeoutMs,
        // onnxruntime crashes if its thread is terminated during a call
        terminable: ocr === undefined,
        data: { dataFolder: languages.folder, languages: languages.languages, executionProviders, networksFolder: ocr?.folder },
        onUnloadable: (error) => log.error({ err: error }, 'could not load the document reader'),
      })
    },
    async stop() {
      await pool?.stop()
      languages?.remove()
      pool = languages = undefined
    },
    async ready() {
      if (pool === undefined) throw new EngineUnavailable('document reader')
      return pool.load()
    },
    async readDocument(image, signal, effort = 'usual') {
      if (pool === undefined) throw new EngineUnavailable('document reader')
      const answer = await pool.run({ image, effort }, signal)
      if ('problem' in answer) throw new InvalidImage(answer.problem)
      return { ...answer.text, reader: ocr === undefined ? alone() : `${nameOf(ocr)} and ${alone()}` }
    },
  }
}

const nameOf = ({ manifest: { name, version } }: InstalledModel): string => `${name} ${version}`
const alone = (): string => `tesseract.js ${versionOf('tesseract.js')}`

const modelVersions = (): Readonly<Record<string, string>> => ({
  text_reader: alone(),
  text_language_fra: `4.0.0 best, integer (@tesseract.js-data/fra ${versionOf('@tesseract.js-data/fra')})`,
  text_language_eng: `4.0.0 best, integer (@tesseract.js-data/eng ${versionOf('@tesseract.js-data/eng')})`,
})

function versionOf(name: string): string {
  const manifest: unknown = createRequire(import.meta.url)(`${name}/package.json`)
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown'
}
