import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import { stallMs } from '../http/slow-readers.ts'
import type { Answer } from '../incremental/answer.ts'
import { payloadsOf } from '../incremental/payloads.ts'
import type { PartsFormat } from './parts-format.ts'

/** Writes an answer in parts, each as soon as it is there. Resolves when it has been written, or its reader is gone or takes nothing more. */
export async function answerInParts(reply: FastifyReply, answer: Answer, { frames, payloads }: PartsFormat): Promise<void> {
  const { opening, result, closing, contentType } = frames
  const { raw } = reply
  const framed = async function* (): AsyncGenerator<string> {
    let before = opening
    for await (const payload of payloadsOf(answer, payloads)) {
      // what the reader takes is timed, not what it waits for
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
  // proxies pass each part on as it comes
  raw.writeHead(200, { 'content-type': contentType, 'x-accel-buffering': 'no' })
  // a reader that is gone has no use for an error
  await pipeline(framed(), raw).catch(() => undefined)
}
