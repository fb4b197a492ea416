import { z } from 'zod'
import { InvalidInput } from '../../../foundation/fault.ts'
import { readStreamFilter, type StreamFilter } from './filter.ts'

/** Frames of a client. */
export type ClientFrame =
  | { readonly type: 'subscribe'; readonly filter: StreamFilter }
  | { readonly type: 'resume'; readonly fromSeq: number }

/** Frames of a client by type. */
export const clientFrames = {
  subscribe: z
    .object({
      type: z.literal('subscribe'),
      filters: z.record(z.string(), z.unknown()).nullish().meta({ description: 'The query parameters of the address, except the token' }),
    })
    .meta({ description: 'Replaces the filter; the server replies with a new `welcome`' }),
  resume: z
    .object({ type: z.literal('resume'), from_seq: z.int().min(0).meta({ description: 'The last seq that the client received' }) })
    .meta({ description: 'Requests the messages after this seq, followed by new ones' }),
}
const Frame = z.discriminatedUnion('type', [clientFrames.subscribe, clientFrames.resume])

/** @throws {InvalidInput} with one sentence */
export function readClientFrame(text: string): ClientFrame {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new InvalidInput('a frame must be JSON')
  }
  const read = Frame.safeParse(content)
  if (!read.success) {
    const [member] = read.error.issues[0]?.path ?? []
    if (member === 'from_seq') throw new InvalidInput('from_seq must be the seq of a frame, a whole number')
    if (member === 'filters') throw new InvalidInput('filters must be an object')
    throw new InvalidInput('a frame must be {"type":"subscribe","filters":{…}} or {"type":"resume","from_seq":…}')
  }
  if (read.data.type === 'resume') return { type: 'resume', fromSeq: read.data.from_seq }
  return { type: 'subscribe', filter: readStreamFilter(read.data.filters ?? {}) }
}
