import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { stallMs } from '../../../foundation/http/slow-readers.ts'
import type { Answer } from '../../execution/incremental/answer.ts'
import { payloadsOf } from '../../execution/incremental/payloads.ts'
import type { PartsFormat } from './incremental-format.ts'

/**
 * Streams the incremental results of a response. Resolves when all are written, or the client has disconnected or stopped reading. @param headers - in
 * addition to those of the format
 */
export async function answerInParts(
  response: ServerResponse,
  headers: Readonly<Record<string, number | string | readonly string[] | undefined>>,
  answer: Answer,
  { frames, payloads }: PartsFormat,
): Promise<void> {
  const { opening, result, closing, contentType } = frames
  const framed = async function* (): AsyncGenerator<string> {
    let before = opening
    for await (const payload of payloadsOf(answer, payloads)) {
      // limits the time that the client takes to read, not the time it waits
      response.setTimeout(stallMs)
      yield `${before}${result(JSON.stringify(payload))}`
      response.setTimeout(0)
      before = ''
    }
    response.setTimeout(stallMs)
    yield closing
  }
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value)
  // proxies must not buffer
  response.writeHead(200, { 'content-type': contentType, 'x-accel-buffering': 'no' })
  // a disconnected client needs no error
  await pipeline(framed(), response).catch(() => undefined)
}
