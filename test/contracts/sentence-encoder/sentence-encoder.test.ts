import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installedEncoder } from '../../../engines/inference/installed-models.ts'
import { onnxSentenceEncoder } from '../../../engines/sentence-encoder/onnx-sentence-encoder.ts'
import type { RunningEncoder } from '../../../engines/sentence-encoder/sentence-encoder.ts'
import { silentLog } from '../../../foundation/log.ts'
import { indexGeneration } from '../../../subgraphs/classification/index.ts'
import { expectedVector, installTiny, tinyEncoder, tinyManifest } from '../../support/samples/tiny-encoder.ts'

const { signal } = new AbortController()
let folder: string
const running: RunningEncoder[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'models-'))
})
afterEach(async () => {
  for (const encoder of running.splice(0)) await encoder.stop()
  rmSync(folder, { recursive: true })
})

async function start(): Promise<RunningEncoder> {
  const model = installedEncoder(folder)
  if (model === undefined) throw new Error('nothing is installed')
  const encoder = onnxSentenceEncoder({ model, executionProviders: ['cpu'], log: silentLog })
  running.push(encoder)
  await encoder.start(signal)
  return encoder
}
const close = (a: Float32Array, b: Float32Array): void => {
  expect(a).toHaveLength(b.length)
  expect(Math.max(...a.map((value, place) => Math.abs(value - (b[place] ?? 0))))).toBeLessThan(1e-5)
}

describe('an installed encoder', () => {
  it('tokenises, runs the graph and averages the tokens, with the prefix of the role', async () => {
    const tiny = tinyEncoder()
    installTiny(folder, tiny, tinyManifest(tiny))
    const encoder = await start()
    close(await encoder.encode('No Water', signal), expectedVector(['<s>', 'passage:', 'no', 'water', '</s>'], 'mean'))
    close(await encoder.encode('water', signal, 'query'), expectedVector(['<s>', 'query:', 'water', '</s>'], 'mean'))
    close(await encoder.encode('the unheard-of', signal), expectedVector(['<s>', 'passage:', 'the', '<unk>', '</s>'], 'mean'))
    expect(Math.hypot(...(await encoder.encode('road', signal)))).toBeCloseTo(1, 5)
  })

  it('uses the first token if the model was trained that way', async () => {
    const tiny = tinyEncoder()
    installTiny(folder, tiny, tinyManifest(tiny, { pooling: 'cls' }))
    const encoder = await start()
    close(await encoder.encode('the road', signal), expectedVector(['<s>'], 'cls'))
  })

  it('truncates a long text, and keeps the end token', async () => {
    const tiny = tinyEncoder()
    installTiny(folder, tiny, tinyManifest(tiny, { maxTokens: 8 }))
    const encoder = await start()
    const truncated = ['<s>', 'passage:', 'road', 'road', 'road', 'road', 'road', '</s>']
    close(await encoder.encode('road '.repeat(3000), signal), expectedVector(truncated, 'mean'))
  })

  it('returns a zero vector for a text without words', async () => {
    const tiny = tinyEncoder()
    installTiny(folder, tiny, tinyManifest(tiny))
    const encoder = await start()
    expect(Math.hypot(...(await encoder.encode('😀 !!!', signal)))).toBe(0)
  })

  it('is named by everything its vectors depend on, as is the index with the vectors', async () => {
    const tiny = tinyEncoder()
    installTiny(folder, tiny, tinyManifest(tiny))
    const mean = (await start()).model
    installTiny(folder, tiny, tinyManifest(tiny, { pooling: 'cls' }))
    const cls = (await start()).model
    expect(mean).toMatch(/^tiny 1 [0-9a-f]{12} mean$/)
    expect(indexGeneration(cls)).not.toBe(indexGeneration(mean))
  })

  it('with vectors of another length is refused on use, not truncated', async () => {
    const tiny = tinyEncoder(384)
    installTiny(folder, tiny, tinyManifest(tiny))
    const encoder = await start()
    const failure = await encoder.encode('water', signal).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    expect(String(failure instanceof Error && failure.cause)).toContain('384')
  })

  it('is aborted with the request, and its threads end during work', async () => {
    const tiny = tinyEncoder()
    installTiny(folder, tiny, tinyManifest(tiny))
    const encoder = await start()
    await expect(encoder.encode('water', AbortSignal.abort(new Error('client disconnected')))).rejects.toThrow('client disconnected')
    const pending = Promise.allSettled(Array.from({ length: 20 }, (_, n) => encoder.encode(`water ${n}`, signal)))
    await encoder.stop()
    await pending
    await expect(encoder.encode('route', signal)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
  })
})

describe('the models folder', () => {
  it('has no encoder when it is empty or missing', () => {
    expect(installedEncoder(folder)).toBeUndefined()
    expect(installedEncoder(join(folder, 'nowhere'))).toBeUndefined()
  })
  it('with two encoders is refused, because the meaning of a vector would be ambiguous', () => {
    const tiny = tinyEncoder()
    installTiny(folder, tiny, tinyManifest(tiny, { name: 'one' }))
    installTiny(folder, tiny, tinyManifest(tiny, { name: 'two' }))
    expect(() => installedEncoder(folder)).toThrow(/several encoders \(one, two\)/)
  })
  it('with a truncated file is refused', () => {
    const tiny = tinyEncoder()
    installTiny(folder, tiny, tinyManifest(tiny))
    writeFileSync(join(folder, 'tiny/tokenizer.json'), '{}')
    expect(() => installedEncoder(folder)).toThrow(/tokenizer.json has 2 bytes instead of/)
  })
})
