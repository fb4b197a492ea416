import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { installedEncoder, verifyModel } from '../../../../engines/inference/installed-models.ts'
import type { EncoderManifest } from '../../../../engines/inference/model-manifest.ts'
import { pullModel } from '../../../../engines/inference/pull-model.ts'
import { type SeenRequest, StubServer, sendJson } from '../../../support/engines/stub-server.ts'
import { installTiny, tinyEncoder, tinyManifest } from '../../../support/samples/tiny-encoder.ts'

const tiny = tinyEncoder()
let server: StubServer
let folder: string
let manifest: unknown

beforeAll(async () => {
  server = await StubServer.open(() => undefined)
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'models-'))
  server.seen.length = 0
  server.answer = serve
  manifest = tinyManifest(tiny)
})
afterEach(() => rmSync(folder, { recursive: true }))

const fileAt = (url: string): Uint8Array => (url.endsWith('.onnx') ? tiny.graph : tiny.tokenizer)

function serve({ url, headers }: SeenRequest, response: ServerResponse): void {
  if (url === '/tiny/manifest.json') {
    sendJson(response, manifest)
    return
  }
  const bytes = fileAt(url)
  const [, from] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? []
  if (from === undefined) response.end(bytes)
  else response.writeHead(206, { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }).end(bytes.subarray(Number(from)))
}

const pull = (signal = new AbortController().signal, onProgress: (file: string, bytes: number, of: number) => void = () => undefined) =>
  pullModel({ source: `${server.url}/tiny/manifest.json`, modelsFolder: folder, signal, onProgress })
function broken(change: (manifest: EncoderManifest) => unknown): void {
  manifest = change(tinyManifest(tiny))
}

describe('pulling a model', () => {
  it('installs every file, reports its progress, and leaves no other file', async () => {
    const progressEvents: [string, number, number][] = []
    await pull(undefined, (...progress) => progressEvents.push(progress))
    expect(installedEncoder(folder)?.manifest).toMatchObject({ name: 'tiny', licence: 'CC0-1.0' })
    expect(readFileSync(join(folder, 'tiny/onnx/model.onnx'))).toEqual(Buffer.from(tiny.graph))
    expect(progressEvents.at(-1)).toEqual(['tokenizer.json', tiny.tokenizer.length, tiny.tokenizer.length])
    expect(readdirSync(folder)).toEqual(['tiny'])
    const model = installedEncoder(folder)
    expect(model && (await verifyModel(model))).toEqual([])
  })

  it('resumes after a broken connection, within one pull and in the next', async () => {
    const half = Math.floor(tiny.graph.length / 2)
    let cut: (() => void) | undefined
    server.answer = (request, response) => {
      if (request.url.endsWith('.onnx') && cut === undefined) {
        response.writeHead(200, { 'content-length': tiny.graph.length })
        response.write(tiny.graph.subarray(0, half))
        cut = () => response.destroy()
      } else serve(request, response)
    }
    await pull(undefined, (_, bytes) => {
      if (bytes === half) cut?.()
    })
    const ranges = server.seen.filter(({ url }) => url.endsWith('.onnx')).map(({ headers }) => headers.range)
    expect(ranges[0]).toBeUndefined()
    expect(ranges[1]).toBe(`bytes=${half}-`)
    expect(installedEncoder(folder)?.manifest.name).toBe('tiny')

    rmSync(join(folder, 'tiny'), { recursive: true })
    server.seen.length = 0
    const interrupted = new AbortController()
    server.answer = (request, response) => {
      if (!request.url.endsWith('.onnx')) return serve(request, response)
      response.writeHead(200, { 'content-length': tiny.graph.length })
      response.write(tiny.graph.subarray(0, half))
    }
    await expect(
      pull(interrupted.signal, (_, bytes) => {
        if (bytes >= half) interrupted.abort(new Error('stopped by hand'))
      }),
    ).rejects.toThrow('stopped by hand')
    expect(installedEncoder(folder)).toBeUndefined()
    server.answer = serve
    await pull()
    expect(server.seen.at(-2)?.headers.range).toBe(`bytes=${half}-`)
    expect(installedEncoder(folder)?.manifest.name).toBe('tiny')
  })

  it('restarts the download when the server does not support ranges', async () => {
    let breaks = 1
    server.answer = (request, response) => {
      if (request.url.endsWith('.onnx') && breaks-- > 0) response.write(tiny.graph.subarray(0, 1000), () => response.destroy())
      else if (request.url === '/tiny/manifest.json') serve(request, response)
      else response.end(fileAt(request.url))
    }
    await pull()
    expect(installedEncoder(folder)).toBeDefined()
  })

  it('installs nothing with another sha256, and retains the installed model', async () => {
    const old = tinyManifest(tiny)
    installTiny(folder, tiny, { ...old, version: 'before' })
    broken((manifest) => ({ ...manifest, files: manifest.files.map((file) => ({ ...file, sha256: 'f'.repeat(64) })) }))
    await expect(pull()).rejects.toThrow(/model.onnx from .* has another SHA-256/)
    expect(installedEncoder(folder)?.manifest.version).toBe('before')
    manifest = old
    await pull()
    expect(installedEncoder(folder)?.manifest.version).toBe('1')
    expect(readdirSync(folder)).toEqual(['tiny'])
  })

  it('stops at a file that is longer than stated, and at a missing file', async () => {
    broken((manifest) => ({ ...manifest, files: manifest.files.map((file) => ({ ...file, bytes: 100 })) }))
    await expect(pull()).rejects.toThrow('is longer than 100 bytes')
    manifest = tinyManifest(tiny)
    server.answer = (request, response) => (request.url.endsWith('.json') ? serve(request, response) : sendJson(response, {}, 404))
    await expect(pull()).rejects.toThrow(/model.onnx .*HTTP 404/)
    expect(installedEncoder(folder)).toBeUndefined()
  })

  it.each([
    [
      'a path out of the folder',
      (manifest: EncoderManifest) => ({ ...manifest, files: manifest.files.map((file) => ({ ...file, path: '../../x' })) }),
      /files.0.path/,
    ],
    ['a name that is a path', (manifest: EncoderManifest) => ({ ...manifest, name: '../x' }), /name must consist of/],
    [
      'no sha256',
      (manifest: EncoderManifest) => ({ ...manifest, files: manifest.files.map(({ sha256: _, ...file }) => file) }),
      /files.0.sha256/,
    ],
    [
      'a graph that is no file of it',
      (manifest: EncoderManifest) => ({ ...manifest, encoder: { ...manifest.encoder, graph: 'other.onnx' } }),
      /lacks other.onnx/,
    ],
  ])('refuses a manifest with %s before it downloads a file', async (_, change, problem) => {
    broken(change)
    await expect(pull()).rejects.toThrow(problem)
    expect(server.seen).toHaveLength(1)
    expect(readdirSync(folder)).toEqual([])
  })

  it('reports why a server cannot be reached', async () => {
    const source = 'http://127.0.0.1:1/manifest.json'
    const pulled = pullModel({ source, modelsFolder: folder, signal: new AbortController().signal, onProgress: () => undefined })
    await expect(pulled).rejects.toThrow(/^http:\/\/127\.0\.0\.1:1\/manifest\.json cannot be reached: (?!fetch failed)\S/)
  })

  it('detects files changed after the installation', async () => {
    await pull()
    const model = installedEncoder(folder)
    const file = join(folder, 'tiny/tokenizer.json')
    const changed = readFileSync(file)
    changed[10] = (changed[10] ?? 0) ^ 1
    writeFileSync(file, changed)
    expect(model && (await verifyModel(model))).toEqual(['tokenizer.json has a wrong SHA-256'])
    rmSync(file)
    expect(model && (await verifyModel(model))).toEqual(['tokenizer.json is missing'])
    expect(existsSync(join(folder, 'tiny'))).toBe(true)
  })
})
