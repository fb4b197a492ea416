import type { IncomingHttpHeaders } from 'node:http'
import { GraphQLError } from 'graphql'

const simple = new Set(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'])
const preflighted = ['x-apollo-operation-name', 'apollo-require-preflight', 'graphql-require-preflight']

/**
 * Refuses requests that a page of another origin could send without a preflight (CSRF). A request passes with a content type or a header that
 * requires a preflight. @see https://fetch.spec.whatwg.org/#cors-safelisted-request-header
 * @throws {GraphQLError} BAD_REQUEST (400)
 */
export function refuseForgery(headers: IncomingHttpHeaders): void {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== undefined && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type) && !simple.has(type)) return
  if (preflighted.some((name) => (headers[name] ?? '') !== '')) return
  throw new GraphQLError(
    `This request could be a cross-site request forgery. Send a content-type other than ${[...simple].join(', ')}, or one of the headers ${preflighted.join(', ')}.`,
    { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } },
  )
}
