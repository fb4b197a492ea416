import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import { anonymousRequest, exceededRequestLimit } from '../../admission/request-limits.ts'
import { parseCursor } from '../../operation/cursor.ts'
import type { NamedOperation } from '../../pipeline/persisted-operations.ts'
import type { StreamFormat } from './stream-format.ts'

/** The members of a GraphQL request over HTTP that have the right type. */
export interface GraphqlRequest extends NamedOperation {
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
  /** whether the response contains the estimated cost */
  readonly cost: boolean
  /** cursor of the last event of an interrupted subscription */
  readonly cursor: unknown
  /** whether the response contains the query plan */
  readonly queryPlan: boolean
}

/** Reads the members of a request: parameters of GET, or the parsed body. */
export function graphqlRequest(request: FastifyRequest): GraphqlRequest {
  if (request.method === 'GET') {
    const { query, documentId, operationName, variables, extensions } = request.query as Record<string, unknown>
    const more = record(parsed(text(extensions)))
    return {
      query: text(query),
      operationName: text(operationName),
      variables: record(parsed(text(variables))) ?? {},
      documentId,
      persistedQuery: more?.persistedQuery,
      cost: more?.cost === true,
      cursor: more?.cursor,
      queryPlan: more?.queryPlan === true,
    }
  }
  const body = record(request.body) ?? {}
  const more = record(body.extensions)
  return {
    query: text(body.query),
    operationName: text(body.operationName),
    variables: record(body.variables) ?? {},
    documentId: body.documentId,
    persistedQuery: more?.persistedQuery,
    cost: more?.cost === true,
    cursor: more?.cursor,
    queryPlan: more?.queryPlan === true,
  }
}

/** Prefers the header, which reconnecting clients of server-sent events send: it is newer than the cursor in the request. */
export function cursorFrom(cursor: unknown, { name }: StreamFormat, headers: FastifyRequest['headers']): string | undefined {
  const last = name === 'sse' ? headers['last-event-id'] : undefined
  return parseCursor(typeof last === 'string' && last !== '' ? last : cursor)
}

/** Whether a body contains nothing that Apollo Server would refuse. */
export function isPlain(body: unknown): boolean {
  const { variables, extensions, operationName } = record(body) ?? { variables: 0 }
  return (
    absentOr(variables, 'object') &&
    !Array.isArray(variables) &&
    absentOr(extensions, 'object') &&
    !Array.isArray(extensions) &&
    absentOr(operationName, 'string')
  )
}

/** Replaces a persisted query by its text for Apollo Server. */
export function withText(request: FastifyRequest, query: string): void {
  if (request.method === 'POST') {
    const { extensions: _, ...body } = record(request.body) ?? {}
    request.body = { ...body, query }
    return
  }
  const url = new URL(request.raw.url ?? '/', 'http://localhost')
  url.searchParams.set('query', query)
  url.searchParams.delete('extensions')
  request.raw.url = `${url.pathname}${url.search}`
}

export const traceparentIn = ({ headers }: FastifyRequest): string | undefined => text(headers.traceparent)

const absentOr = (value: unknown, type: 'object' | 'string'): boolean => value === undefined || value === null || typeof value === type
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
function record(value: unknown): Record<string, unknown> | undefined {
  // the check makes it a record of unknown members
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
}
/** @throws {GraphQLError} LIMIT_EXCEEDED before parsing a text beyond the limits */
function parsed(json: string | undefined): unknown {
  if (json === undefined) return undefined
  const exceeded = exceededRequestLimit(json, anonymousRequest)
  if (exceeded !== undefined) throw new GraphQLError(exceeded, { extensions: { code: 'LIMIT_EXCEEDED', http: { status: 400 } } })
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

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
