import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import { stallMs } from '../../../foundation/http/slow-readers.ts'
import type { Answer } from '../../execution/incremental/answer.ts'
import { payloadsOf } from '../../execution/incremental/payloads.ts'
import type { PartsFormat } from './parts-format.ts'

/** Streams the incremental results of a response. Resolves when all are written, or the client has disconnected or stopped reading. */
export async function answerInParts(reply: FastifyReply, answer: Answer, { frames, payloads }: PartsFormat): Promise<void> {
  const { opening, result, closing, contentType } = frames
  const { raw } = reply
  const framed = async function* (): AsyncGenerator<string> {
    let before = opening
    for await (const payload of payloadsOf(answer, payloads)) {
      // limits the time that the client takes to read, not the time it waits
      raw.setTimeout(stallMs)
      yield `${before}${result(JSON.stringify(payload))}`
      raw.setTimeout(0)
      before = ''
    }
    raw.setTimeout(stallMs)
    yield closing
  }
  const headers = reply.getHeaders()
  reply.hijack()
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.setHeader(name, value)
  // proxies must not buffer
  raw.writeHead(200, { 'content-type': contentType, 'x-accel-buffering': 'no' })
  // a disconnected client needs no error
  await pipeline(framed(), raw).catch(() => undefined)
}
