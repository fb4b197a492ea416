/** How results follow one another in one HTTP response. */
export interface StreamFormat {
  readonly name: 'sse' | 'multipart'
  readonly contentType: string
  readonly opening: string
  /** @param result - a GraphQL result as JSON   @param cursor - the one in it */
  result(result: string, cursor?: string): string
  /** @param result - the last result of a stream that is broken off, with nothing but errors */
  broken(result: string): string
  /** keeps proxies from taking the response for dead */
  readonly heartbeat: string
  readonly closing: string
}

/**
 * Server-sent events, "distinct connections" of GraphQL over SSE.
 * @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
export const serverSentEvents: StreamFormat = {
  name: 'sse',
  contentType: 'text/event-stream; charset=utf-8',
  opening: ':\n\n',
  // what a client that comes back gives as Last-Event-ID
  result: (result, cursor) => `${cursor === undefined ? '' : `id: ${cursor}\n`}event: next\ndata: ${result}\n\n`,
  broken: (result) => `event: next\ndata: ${result}\n\n`,
  heartbeat: ':\n\n',
  closing: 'event: complete\ndata: \n\n',
}

/** Ends with the next boundary: a reader takes a part for complete only then. */
const part = (body: string): string => `\r\ncontent-type: application/json\r\n\r\n${body}\r\n--graphql`

/** A multipart response whose parts are results. @param specification - of what they hold, a parameter of its type */
export const multipartOf = (specification: string): Pick<StreamFormat, 'contentType' | 'opening' | 'result' | 'closing'> => ({
  contentType: `multipart/mixed;boundary="graphql";${specification}`,
  opening: '\r\n--graphql',
  result: part,
  closing: '--\r\n',
})

/**
 * Parts of a multipart response, each a payload.
 * @see https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
 */
const multipart: StreamFormat = {
  name: 'multipart',
  ...multipartOf('subscriptionSpec=1.0'),
  result: (result) => part(`{"payload":${result}}`),
  // what ends a stream stands beside the payload, not in it
  broken: (result) => part(`{"payload":null,${result.slice(1)}`),
  heartbeat: part('{}'),
}

/** The way to answer that an Accept header asks for; undefined: one result alone. */
export function streamFormat(accept: string | undefined): StreamFormat | undefined {
  for (const wanted of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = wanted.split(';').map((each) => each.trim().toLowerCase())
    if (type === 'text/event-stream') return serverSentEvents
    if (type === 'multipart/mixed' && parameters.some((each) => /^subscriptionspec="?1\.0"?$/.test(each))) return multipart
  }
  return undefined
}
