import { readFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { Tokenizer } from '@huggingface/tokenizers'
import ort from 'onnxruntime-node'
import { inferenceWorker, native } from '../inference/inference-thread.ts'
import { pooled } from './token-pooling.ts'

/** Runs in a worker thread, also directly from TypeScript: its imports must work with type stripping alone. */

export interface EncoderTask {
  readonly text: string
}

export interface EncoderAnswer {
  readonly vector: Float32Array
}

export interface EncoderThreadData {
  /** paths of files */
  readonly graph: string
  readonly tokenizer: string
  readonly tokenizerConfig: string | undefined
  readonly pooling: 'mean' | 'cls' | 'none'
  readonly maxTokens: number
  readonly size: number
  readonly executionProviders: readonly string[]
}

// the creator of the thread passes this type
const options = workerData as EncoderThreadData

const int64 = (values: readonly number[]): ort.Tensor => new ort.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])

/** Without a configuration file, the unknown token is the one that the vocabulary names. */
function openTokenizer(): Tokenizer {
  const json = (file: string): Record<string, unknown> => JSON.parse(readFileSync(file, 'utf8'))
  const tokenizer = json(options.tokenizer)
  if (options.tokenizerConfig !== undefined) return new Tokenizer(tokenizer, json(options.tokenizerConfig))
  const { model } = tokenizer
  const unknown = typeof model === 'object' && model !== null && 'unk_token' in model ? { unk_token: model.unk_token } : {}
  return new Tokenizer(tokenizer, unknown)
}

/** Truncates a long text but keeps the last token, which marks the end. */
function cut(ids: readonly number[]): readonly number[] {
  return ids.length <= options.maxTokens ? ids : [...ids.slice(0, options.maxTokens - 1), ...ids.slice(-1)]
}

export default inferenceWorker<EncoderTask, EncoderAnswer>(async () => {
  const tokenizer = openTokenizer()
  const session = await native(() =>
    ort.InferenceSession.create(options.graph, { executionProviders: [...options.executionProviders], logSeverityLevel: 3 }),
  )
  const encode = async (text: string, cancelFlag?: Int32Array): Promise<Float32Array> => {
    const ids = cut(tokenizer.encode(text).ids)
    // the tokenizer returns undefined if it has no unknown token
    if (ids.some((id) => !Number.isInteger(id))) throw new Error('The tokenizer has no token for a part of the text')
    const mask = ids.map(() => 1)
    const inputs: Record<string, ort.Tensor> = {
      input_ids: int64(ids),
      attention_mask: int64(mask),
      token_type_ids: int64(ids.map(() => 0)),
    }
    const feeds = Object.fromEntries(Object.entries(inputs).filter(([name]) => session.inputNames.includes(name)))
    const outputs = await native(() => session.run(feeds), cancelFlag)
    const output = outputs[session.outputNames[0] ?? '']
    if (!(output?.data instanceof Float32Array)) throw new Error('The encoder did not return 32-bit floats')
    return pooled(output.data, output.dims, mask, options.pooling, options.size)
  }
  // fails at the start instead of at the first text if graph, tokenizer and pooling do not match
  await encode('a')
  return async ({ text }, cancelFlag) => ({ vector: await encode(text, cancelFlag) })
})
