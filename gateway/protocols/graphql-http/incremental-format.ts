import { deferSpec20220824, type IncrementalFormat, incrementalSpecV02 } from '../../execution/incremental/payloads.ts'
import { multipartOf, type StreamFormat, serverSentEvents, streamTypes } from './subscription-format.ts'

/** A format of incremental results in one HTTP response. */
export interface PartsFormat {
  readonly frames: Pick<StreamFormat, 'contentType' | 'opening' | 'result' | 'closing'>
  readonly payloads: IncrementalFormat
}

const olderParts: PartsFormat = { frames: multipartOf('deferSpec=20220824'), payloads: deferSpec20220824 }
const newerParts: PartsFormat = { frames: multipartOf('incrementalSpec=v0.2'), payloads: incrementalSpecV02 }
const events: PartsFormat = { frames: serverSentEvents, payloads: deferSpec20220824 }

/**
 * Selects the incremental format of an Accept header; undefined: a single response. A client that accepts any `multipart/mixed`, as urql does, gets
 * the older multipart format, and server-sent events only without multipart.
 */
export function partsFormat(accept: string | undefined): PartsFormat | undefined {
  let format: PartsFormat | undefined
  for (const wanted of streamTypes(accept)) {
    const [type = '', ...parameters] = wanted.split(';').map((each) => each.trim().toLowerCase().replaceAll('"', ''))
    if (type === 'text/event-stream') format = events
    if (type !== 'multipart/mixed') continue
    const specification = parameters.find((each) => /^\w+spec=/.test(each))
    if (specification === 'incrementalspec=v0.2') return newerParts
    if (specification === undefined || specification === 'deferspec=20220824') return olderParts
  }
  return format
}
