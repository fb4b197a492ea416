import { mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messageOf } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import { installModel } from './install-model.ts'
import { sha256Of } from './installed-models.ts'
import { type EncoderManifest, readManifest } from './model-manifest.ts'

type WantedFile = EncoderManifest['files'][number]

export interface PullOptions {
  /** path or HTTP(S) URL of a manifest */
  readonly source: string
  readonly modelsFolder: string
  readonly signal: AbortSignal
  readonly onProgress: (file: string, bytes: number, of: number) => void
}

const maxManifestBytes = 1_000_000
const maxTries = 5
const retryMs = 1000
/** timeout without received bytes */
const silenceLimitMs = 30_000

/**
 * Downloads a model and installs it atomically; an interrupted download is resumed. @throws {Error} one sentence: the manifest is invalid, or a file
 * cannot be downloaded or does not match the manifest
 */
export async function pullModel({ source, modelsFolder, signal, onProgress }: PullOptions): Promise<EncoderManifest> {
  const isRemote = /^https?:\/\//.test(source)
  const content = isRemote ? await fetchManifest(source, signal) : await readFile(source, 'utf8')
  const manifest = readManifest(content, source)
  if (manifest.task !== 'sentence-encoder') throw new Error(`${source}: only encoders can be pulled by manifest`)
  const partial = join(modelsFolder, `.partial-${manifest.name}`)
  for (const file of manifest.files) {
    const url = addressOf(file.url, isRemote ? source : undefined)
    const target = join(partial, file.path)
    await mkdir(dirname(target), { recursive: true })
    await download(url, target, file, signal, (bytes) => onProgress(file.path, bytes, file.bytes))
  }
  await installModel(partial, manifest, modelsFolder)
  return manifest
}

async function fetchManifest(source: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(source, { signal: AbortSignal.any([signal, AbortSignal.timeout(silenceLimitMs)]) }).catch(
    (error: unknown) => {
      signal.throwIfAborted()
      throw new Error(`${source} cannot be reached: ${reasonOf(error)}`, { cause: error })
    },
  )
  if (!response.ok) throw new Error(`GET ${source} returned HTTP ${response.status}`)
  const text = await response.text()
  if (text.length > maxManifestBytes) throw new Error(`${source} is too long for a manifest`)
  return text
}

function addressOf(url: string, base: string | undefined): string {
  if (!URL.canParse(url, base)) throw new Error(`${url} is not a URL; a manifest on disk needs absolute URLs`)
  const address = new URL(url, base)
  if (!['http:', 'https:'].includes(address.protocol)) throw new Error(`${url} is not an http URL`)
  return address.href
}

/** Downloads a file of the manifest with several attempts, each resuming the previous one. */
async function download(
  url: string,
  target: string,
  file: WantedFile,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await fetchRest(url, target, file, signal, onBytes)
      break
    } catch (error) {
      signal.throwIfAborted()
      if (tries === maxTries || error instanceof PermanentFailure)
        throw new Error(`${file.path} from ${url}: ${reasonOf(error)}`, { cause: error })
      await pause(retryMs * tries, signal)
    }
  }
  if ((await sha256Of(target)) === file.sha256) return
  // corrupt content would stay corrupt: the next pull starts from the beginning
  await rm(target)
  throw new Error(`${file.path} from ${url} has another SHA-256 than the manifest states`)
}

/** fetch reports only that it failed; its cause has the reason. */
const reasonOf = (error: unknown): string => messageOf(error instanceof TypeError && error.cause !== undefined ? error.cause : error)

/** An error that a retry cannot solve. */
class PermanentFailure extends Error {}

async function fetchRest(
  url: string,
  target: string,
  file: WantedFile,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  let receivedBytes = (await stat(target).catch(() => undefined))?.size ?? 0
  if (receivedBytes === file.bytes) return onBytes(receivedBytes)
  if (receivedBytes > file.bytes) receivedBytes = 0
  const silence = new AbortController()
  let silenceTimer = setTimeout(() => undefined, 0)
  const restartTimer = (): void => {
    clearTimeout(silenceTimer)
    silenceTimer = setTimeout(() => silence.abort(new Error(`the server sent no data for ${silenceLimitMs / 1000} s`)), silenceLimitMs)
  }
  restartTimer()
  try {
    const endSignal = AbortSignal.any([signal, silence.signal])
    const response = await fetch(url, { signal: endSignal, headers: receivedBytes > 0 ? { range: `bytes=${receivedBytes}-` } : {} })
    if (response.status >= 400 && response.status < 500) throw new PermanentFailure(`the server returned HTTP ${response.status}`)
    if (!response.ok || response.body === null) throw new Error(`the server returned HTTP ${response.status}`)
    const isResumed = response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${receivedBytes}-`) === true
    if (!isResumed) receivedBytes = 0
    const written = await open(target, isResumed ? 'a' : 'w')
    try {
      for await (const chunk of response.body) {
        restartTimer()
        if (receivedBytes + chunk.byteLength > file.bytes) throw new PermanentFailure(`is longer than ${file.bytes} bytes`)
        await written.writeFile(chunk)
        receivedBytes += chunk.byteLength
        onBytes(receivedBytes)
      }
    } finally {
      await written.close()
    }
  } finally {
    clearTimeout(silenceTimer)
  }
  if (receivedBytes !== file.bytes) throw new Error(`ended after ${receivedBytes} of ${file.bytes} bytes`)
}
