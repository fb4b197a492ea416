import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EncoderManifest } from '../../../engines/inference/model-manifest.ts'
import { OnnxGraph } from '../../../engines/inference/onnx-writer.ts'

const words = ['<s>', '</s>', '<unk>', 'passage:', 'query:', 'water', 'eau', 'road', 'route', 'no', 'the']
const idOf = (word: string): number => words.indexOf(words.includes(word) ? word : '<unk>')

/** A number for a token and a position: deterministic, without a pattern. */
const weight = (token: number, place: number): number => Math.sin(token * 7919 + place * 104_729 + 1)

/** The expected output for these tokens, computed separately. */
export function expectedVector(tokens: readonly string[], pooling: 'mean' | 'cls', size = 768): Float32Array {
  const ids = tokens.map(idOf)
  const counted = pooling === 'cls' ? ids.slice(0, 1) : ids
  const sum = Float32Array.from({ length: size }, (_, place) => counted.reduce((all, id) => all + weight(id, place), 0))
  const length = Math.hypot(...sum)
  return sum.map((value) => value / length)
}

/**
 * A sentence encoder that a test can generate, with every part of a large one: a tokenizer of words with marks
 * around the text, and an ONNX graph (a table of vectors, one for each token).
 */
export function tinyEncoder(size = 768): { readonly tokenizer: Uint8Array; readonly graph: Uint8Array } {
  const special = (word: string) => ({
    id: idOf(word),
    content: word,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  })
  const mark = (word: string) => ({ SpecialToken: { id: word, type_id: 0 } })
  const text = { Sequence: { id: 'A', type_id: 0 } }
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: ['<s>', '</s>', '<unk>'].map(special),
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'WhitespaceSplit' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [mark('<s>'), text, mark('</s>')],
      pair: [mark('<s>'), text, mark('</s>')],
      special_tokens: Object.fromEntries(['<s>', '</s>'].map((word) => [word, { id: word, ids: [idOf(word)], tokens: [word] }])),
    },
    decoder: null,
    model: { type: 'WordLevel', vocab: Object.fromEntries(words.map((word, id) => [word, id])), unk_token: '<unk>' },
  }
  const graph = new OnnxGraph()
  const ids = graph.input('input_ids', 'int64', ['batch', 'tokens'])
  graph.input('attention_mask', 'int64', ['batch', 'tokens'])
  const table = Float32Array.from({ length: words.length * size }, (_, n) => weight(Math.floor(n / size), n % size))
  graph.operator('Gather', [graph.floats(table, [words.length, size]), ids], { axis: 0 }, 'last_hidden_state')
  graph.output('last_hidden_state', ['batch', 'tokens', size])
  return { tokenizer: new TextEncoder().encode(JSON.stringify(tokenizer)), graph: graph.toModel('tiny encoder') }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export function tinyManifest(
  { tokenizer, graph }: ReturnType<typeof tinyEncoder>,
  more: { readonly name?: string; readonly pooling?: 'mean' | 'cls'; readonly maxTokens?: number } = {},
): EncoderManifest {
  return {
    name: more.name ?? 'tiny',
    version: '1',
    task: 'sentence-encoder',
    licence: 'CC0-1.0',
    languages: ['en', 'fr'],
    source: 'https://models.example/tiny',
    files: [
      { path: 'onnx/model.onnx', url: 'files/model.onnx', bytes: graph.length, sha256: sha256(graph) },
      { path: 'tokenizer.json', url: 'files/tokenizer.json', bytes: tokenizer.length, sha256: sha256(tokenizer) },
    ],
    encoder: {
      graph: 'onnx/model.onnx',
      tokenizer: 'tokenizer.json',
      pooling: more.pooling ?? 'mean',
      prefixes: { passage: 'passage: ', query: 'query: ' },
      most_tokens: more.maxTokens ?? 512,
    },
  }
}

/** Installed like a downloaded model. */
export function installTiny(modelsFolder: string, encoder: ReturnType<typeof tinyEncoder>, manifest: EncoderManifest): void {
  const folder = join(modelsFolder, manifest.name)
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  writeFileSync(join(folder, 'onnx/model.onnx'), encoder.graph)
  writeFileSync(join(folder, 'tokenizer.json'), encoder.tokenizer)
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
}
