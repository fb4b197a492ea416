import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { EngineUnavailable } from '../../foundation/fault.ts'
import type { Log } from '../../foundation/log.ts'
import { workerModule } from '../../foundation/process/build-info.ts'
import { wordsOf } from '../../foundation/text/words.ts'
import { InferenceThreads } from '../inference/inference-threads.ts'
import type { InstalledModel } from '../inference/installed-models.ts'
import type { EncoderManifest } from '../inference/model-manifest.ts'
import type { EncoderAnswer, EncoderTask, EncoderThreadData } from './encoder-worker.ts'
import { embeddingSize, type RunningEncoder } from './sentence-encoder.ts'

export interface OnnxSentenceEncoderOptions {
  readonly model: InstalledModel<EncoderManifest>
  readonly executionProviders: readonly string[]
  readonly log: Log
}

const timeoutMs = 30_000
/** 3 KB each; both training and indexing need the phrases of the taxonomy */
const maxCached = 2000

/** Returns an identifier of comparable vectors: same graph, tokenizer and pooling, whatever the folder name. */
export function nameOf({ manifest: { name, version, files, encoder } }: InstalledModel<EncoderManifest>): string {
  const graph = files.find(({ path }) => path === encoder.graph)
  return `${name} ${version} ${graph?.sha256.slice(0, 12) ?? ''} ${encoder.pooling}`
}

/**
 * Runs an installed multilingual transformer on onnxruntime in a worker thread, so that neither tokenisation nor inference blocks the event loop.
 * `start` returns while it loads; `encode` waits for it.
 */
export function onnxSentenceEncoder({ model, executionProviders, log }: OnnxSentenceEncoderOptions): RunningEncoder {
  const { folder, manifest } = model
  const { graph, tokenizer, tokenizer_config, pooling, prefixes, most_tokens } = manifest.encoder
  const cache = new LRUCache<string, Float32Array>({ max: maxCached })
  let threads: InferenceThreads<EncoderTask, EncoderAnswer, EncoderThreadData> | undefined
  return {
    name: 'sentence encoder',
    model: nameOf(model),
    async start() {
      threads = new InferenceThreads({
        worker: workerModule('encoder-worker', import.meta.url),
        threads: 1,
        engine: 'sentence encoder',
        timeoutMs,
        terminable: false,
        data: {
          graph: join(folder, graph),
          tokenizer: join(folder, tokenizer),
          tokenizerConfig: tokenizer_config && join(folder, tokenizer_config),
          pooling,
          maxTokens: most_tokens,
          size: embeddingSize,
          executionProviders,
        },
        onUnloadable: (error) => log.error({ err: error, model: manifest.name }, 'could not load the encoder'),
      })
      threads.load().catch(() => undefined)
    },
    async stop() {
      await threads?.stop()
      threads = undefined
    },
    async encode(text, signal, role = 'passage') {
      // the start and end tokens alone would give a meaningless vector
      if (wordsOf(text).length === 0) return new Float32Array(embeddingSize)
      const prefixed = prefixes[role] + text
      const cached = cache.get(prefixed)
      if (cached !== undefined) return cached
      if (threads === undefined) throw new EngineUnavailable('sentence encoder')
      const { vector } = await threads.run({ text: prefixed }, signal)
      cache.set(prefixed, vector)
      return vector
    },
  }
}
