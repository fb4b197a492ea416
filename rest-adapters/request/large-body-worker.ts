import { Fault } from '../../foundation/fault.ts'
import { echoOf } from '../json/echo.ts'
import { type InvalidEntry, InvalidRequest } from '../response/invalid-request.ts'
import { type BodyLimits, decodeBody } from './request-body.ts'

/** A task of the thread that decodes large bodies. */
export interface BodyTask {
  readonly contentType: string | undefined
  readonly bytes: Uint8Array
  readonly limits: BodyLimits
  /** whether to return the text to echo in a refusal instead of the value */
  readonly isForEcho?: true
}

export type DecodedBody =
  | {
      readonly kind: 'decoded'
      readonly value?: unknown
      readonly refusals?: readonly InvalidEntry[] | undefined
      /** JSON with long strings cut as in a refusal; undefined if it is too large */
      readonly echo?: string | undefined
    }
  | { readonly kind: 'invalid'; readonly entries: readonly InvalidEntry[]; readonly echo?: undefined }
  | { readonly kind: 'malformed'; readonly echo?: undefined }
  | { readonly kind: 'too large'; readonly sentence: string; readonly echo?: undefined }

const maxEchoLength = 1024 * 1024
const noImages: ReadonlySet<string> = new Set()

/** Decodes a large body. */
export default function decode({ contentType, bytes, limits, isForEcho }: BodyTask): DecodedBody {
  try {
    const body = decodeBody(contentType, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { ...limits, images: noImages })
    if (isForEcho === undefined) return { kind: 'decoded', value: body?.value, refusals: body?.refusals }
    const written = body?.written()
    return { kind: 'decoded', echo: written === undefined ? undefined : echoOf(written, maxEchoLength) }
  } catch (error) {
    if (error instanceof InvalidRequest) return { kind: 'invalid', entries: error.entries }
    if (error instanceof Fault) return error.code === 'TOO_LARGE' ? { kind: 'too large', sentence: error.message } : { kind: 'malformed' }
    throw error
  }
}
