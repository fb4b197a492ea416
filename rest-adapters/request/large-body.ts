import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { Fault } from '../../foundation/fault.ts'
import { malformedBody } from '../../foundation/http/read-body.ts'
import { workerModule } from '../../foundation/process/build-info.ts'
import { parsePythonJson, type WrittenJson } from '../json/python-json.ts'
import { InvalidRequest } from '../response/invalid-request.ts'
import { extractImagesInSteps } from './extracted-images.ts'
import type { BodyTask, DecodedBody } from './large-body-worker.ts'
import { type BodyLimits, decodeBody, isJson, type RequestBody } from './request-body.ts'

/** Shorter texts are decoded within a few milliseconds. */
const minBytes = 512 * 1024
const idleMs = 30_000

/** Decodes large texts outside the event loop. */
export interface BodyThread {
  decode(task: BodyTask): Promise<DecodedBody>
}

/** Creates a thread that starts with the first large body, ends when idle, and does not keep the process alive. */
export function bodyThread(): BodyThread {
  let pool: Piscina<BodyTask, DecodedBody> | undefined
  return {
    decode(task) {
      pool ??= new Piscina({
        filename: fileURLToPath(workerModule('large-body-worker', import.meta.url)),
        minThreads: 0,
        maxThreads: 1,
        idleTimeout: idleMs,
        recordTiming: false,
      })
      return pool.run(task)
    },
  }
}

/**
 * Decodes a body as `decodeBody` does without blocking other requests: extracts images in steps, and decodes a remaining large text in a thread.
 * @param thread - absent: a large text is decoded on the event loop
 */
export async function decodeLargeBody(
  contentType: string | undefined,
  bytes: Buffer,
  limits: BodyLimits,
  thread?: BodyThread,
): Promise<RequestBody | undefined> {
  if (bytes.length < minBytes) return decodeBody(contentType, bytes, limits)
  const extracted = limits.images.size === 0 || !isJson(contentType) ? undefined : await extractImagesInSteps(bytes, limits.images)
  if (thread === undefined || (extracted !== undefined && extracted.json.length < minBytes))
    return decodeBody(contentType, bytes, limits, extracted)
  return await decodeInThread({ contentType, bytes, limits }, thread)
}

async function decodeInThread(task: BodyTask, thread: BodyThread): Promise<RequestBody> {
  const decoded = await thread.decode(task)
  if (decoded.kind === 'invalid') throw new InvalidRequest(decoded.entries)
  if (decoded.kind === 'malformed') throw malformedBody()
  if (decoded.kind === 'too large') throw new Fault('TOO_LARGE', decoded.sentence)
  let written: WrittenJson | undefined
  return {
    value: decoded.value,
    ...(decoded.refusals && { refusals: decoded.refusals }),
    written: () => written,
    async prepareWritten() {
      const { echo } = await thread.decode({ ...task, isForEcho: true })
      written = echo === undefined ? undefined : parsePythonJson(echo)
    },
  }
}
