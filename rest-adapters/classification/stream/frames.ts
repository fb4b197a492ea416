import { z } from 'zod'
import { InvalidInput } from '../../../foundation/fault.ts'
import { readStreamFilter, type StreamFilter } from './filter.ts'

/** Frames of a client. */
export type ClientFrame =
  | { readonly type: 'subscribe'; readonly filter: StreamFilter }
  | { readonly type: 'resume'; readonly fromSeq: number }
  | { readonly type: 'token'; readonly token: string }

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
  token: z
    .object({ type: z.literal('token'), token: z.string().min(1).meta({ description: 'Access token of the same user' }) })
    .meta({ description: 'Renews the token, so that the connection continues; a token of another user closes it with 4401' }),
}
const Frame = z.discriminatedUnion('type', [clientFrames.subscribe, clientFrames.resume, clientFrames.token])

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
    if (member === 'from_seq') throw new InvalidInput('from_seq must be the seq of a frame: an integer of 0 or more')
    if (member === 'filters') throw new InvalidInput('filters must be an object')
    if (member === 'token') throw new InvalidInput('token must be a string: an access token')
    throw new InvalidInput(
      'a frame must be {"type":"subscribe","filters":{…}}, {"type":"resume","from_seq":…} or {"type":"token","token":…}',
    )
  }
  if (read.data.type === 'resume') return { type: 'resume', fromSeq: read.data.from_seq }
  if (read.data.type === 'token') return { type: 'token', token: read.data.token }
  return { type: 'subscribe', filter: readStreamFilter(read.data.filters ?? {}) }
}
