import { createRequire } from 'node:module'
import { workerModule } from '../../foundation/concurrency/worker-module.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import type { Log } from '../../foundation/log.ts'
import { InvalidImage } from '../inference/images/invalid-image.ts'
import { InferenceThreads } from '../inference/inference-threads.ts'
import type { InstalledModel } from '../inference/installed-models.ts'
import type { PackagedManifest } from '../inference/model-manifest.ts'
import type { DocumentReader } from './document-reader.ts'
import type { DocumentAnswer, DocumentTask, DocumentThreadData } from './document-worker.ts'
import { type LinkedLanguageData, linkLanguageData } from './tesseract/text-language-data.ts'

export interface DocumentReaderOptions {
  /** Sides of documents read side by side at most: a thread each, with models of its own, begun when there is work for it */
  readonly threads: number
  readonly executionProviders: readonly string[]
  /** the networks of PP-OCR; undefined: tesseract.js reads alone */
  readonly ocr?: InstalledModel<PackagedManifest> | undefined
  /** For one document side, waiting for a free thread included; default 30,000 */
  readonly timeoutMs?: number
  readonly log: Log
}

/**
 * Reads documents in threads of their own: with tesseract.js, or where they are installed with the networks of PP-OCR, which tesseract.js is the second opinion of.
 * `start` fails when language data is not installed; models are loaded by what needs them first, `ready` or `readDocument`.
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
        // onnxruntime does not bear that its thread ends while it works
        terminable: ocr === undefined,
        data: { dataFolder: languages.folder, languages: languages.languages, executionProviders, networksFolder: ocr?.folder },
        onUnloadable: (error) => log.error({ err: error }, 'the document reader could not be loaded'),
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
