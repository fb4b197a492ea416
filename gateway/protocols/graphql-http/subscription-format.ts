import type { IncomingHttpHeaders } from 'node:http'
import { parseCursor } from '../../operation/cursor.ts'

/** A format of consecutive results in one HTTP response. */
export interface StreamFormat {
  readonly name: 'sse' | 'multipart'
  readonly contentType: string
  readonly opening: string
  /**
   * @param result - a GraphQL result as JSON
   * @param cursor - its cursor
   */
  result(result: string, cursor?: string): string
  /** @param result - the final result of an interrupted stream, with errors only */
  broken(result: string): string
  /** keeps proxies from closing an idle response */
  readonly heartbeat: string
  readonly closing: string
}

/** Server-sent events, "distinct connections" of GraphQL over SSE. @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md */
export const serverSentEvents: StreamFormat = {
  name: 'sse',
  contentType: 'text/event-stream; charset=utf-8',
  opening: ':\n\n',
  // reconnecting clients send it as Last-Event-ID
  result: (result, cursor) => `${cursor === undefined ? '' : `id: ${cursor}\n`}event: next\ndata: ${result}\n\n`,
  broken: (result) => `event: next\ndata: ${result}\n\n`,
  heartbeat: ':\n\n',
  closing: 'event: complete\ndata: \n\n',
}

/** Ends with the next boundary, which readers need to recognise a complete part. */
const part = (body: string): string => `\r\ncontent-type: application/json\r\n\r\n${body}\r\n--graphql`

/** A multipart response whose parts are results. @param specification - parameter of its media type */
export const multipartOf = (specification: string): Pick<StreamFormat, 'contentType' | 'opening' | 'result' | 'closing'> => ({
  contentType: `multipart/mixed;boundary="graphql";${specification}`,
  opening: '\r\n--graphql',
  result: part,
  closing: '--\r\n',
})

/**
 * Parts of a multipart response, each a payload. @see https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
 */
const multipart: StreamFormat = {
  name: 'multipart',
  ...multipartOf('subscriptionSpec=1.0'),
  result: (result) => part(`{"payload":${result}}`),
  // a final error is next to the payload, not in it
  broken: (result) => part(`{"payload":null,${result.slice(1)}`),
  heartbeat: part('{}'),
}

/** Returns the media ranges of an Accept header; none if no stream is among them, as in most requests. */
export const streamTypes = (accept = ''): readonly string[] => (/event-stream|multipart/i.test(accept) ? accept.split(',') : [])

/** Selects the stream format of an Accept header; undefined: a single result. */
export function streamFormat(accept: string | undefined): StreamFormat | undefined {
  for (const wanted of streamTypes(accept)) {
    const [type = '', ...parameters] = wanted.split(';').map((each) => each.trim().toLowerCase())
    if (type === 'text/event-stream') return serverSentEvents
    if (type === 'multipart/mixed' && parameters.some((each) => /^subscriptionspec="?1\.0"?$/.test(each))) return multipart
  }
  return undefined
}

/** Prefers the header, which reconnecting clients of server-sent events send: it is newer than the cursor in the request. */
export function cursorFrom(cursor: unknown, { name }: StreamFormat, headers: IncomingHttpHeaders): string | undefined {
  const last = name === 'sse' ? headers['last-event-id'] : undefined
  return parseCursor(typeof last === 'string' && last !== '' ? last : cursor)
}
