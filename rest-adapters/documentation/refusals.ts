import { z } from 'zod'
import type { Route } from '../route/route.ts'
import type { JsonSchemas } from './json-schemas.ts'
import type { OpenApiResponse } from './openapi-document.ts'
import { allowHeader, limitHeaders, retryHeaders } from './response-headers.ts'

const ValidationError = z
  .object({
    loc: z.array(z.union([z.string(), z.int()])),
    msg: z.string(),
    type: z.string(),
    input: z.unknown().optional(),
    ctx: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'ValidationError' })
const HttpValidationError = z.object({ detail: z.array(ValidationError).optional() }).meta({ id: 'HTTPValidationError' })
const HttpError = z.object({ detail: z.string() }).meta({ id: 'Refusal' })

const sentences: Readonly<Record<number, readonly [description: string, sentence: string]>> = {
  400: ['The request, its body or its cursor is malformed', 'There was an error parsing the body'],
  401: ['Credentials are missing or invalid', 'Not authenticated'],
  403: ['The caller lacks the required permission', 'Not permitted'],
  404: ['The resource does not exist', 'Not Found'],
  405: ['The path does not support this method; `Allow` names the supported one', 'Method Not Allowed'],
  408: ['The request was not received in time', 'Request Timeout'],
  409: ['The request conflicts with the current state', 'Another node has this external_id: use a different one, or update that node'],
  413: ['The body is too large', 'The body is larger than 25165824 bytes'],
  415: ['The media type or content encoding of the body is not supported', 'Content-Encoding must be identity or gzip'],
  417: ['`Expect` has a value other than `100-continue`', 'Expectation Failed'],
  426: ['The path requires an upgrade to WebSocket', 'This path requires a WebSocket connection'],
  429: ['Too many attempts', 'Too many attempts; try again later'],
  431: ['The request header is larger than 16 KB', 'Request Header Fields Too Large'],
  500: ['Internal error; the log has an entry with the X-Request-Id of the response', 'Internal Server Error'],
  503: ['Not processed: a required service is unavailable, or the server is overloaded', 'The database is not available; try again'],
  504: ['It is unknown whether the request was processed', 'It was lost whether this was done; look before you send it again'],
}

/** paths that return 409: for existing content that differs, and for work that runs once at a time */
const mayContradict = /^\/api\/v1\/(?:admin\/|expressions$)/
/** paths with a rate limit */
const isLimited = /^\/(?:auth\/login|api\/v1\/expressions)$/

/** refusals of the listener, before it has found the operation */
const ofListener = [400, 405, 408, 417, 431]
const headersOf: Readonly<Record<number, OpenApiResponse['headers']>> = {
  405: allowHeader,
  429: { ...retryHeaders, ...limitHeaders },
  503: retryHeaders,
}

/** Returns the documented error responses of a route, by status; `default` is any other. */
export function refusalsOf(route: Route, isGuarded: boolean, schemas: JsonSchemas): Readonly<Record<string, OpenApiResponse>> {
  const refusal = schemas.of(HttpError, 'output')
  const described = [...ofListener, ...statusesOf(route, isGuarded)].map((status): [number, OpenApiResponse] => {
    const [description, detail] = sentences[status] ?? ['', '']
    const headers = headersOf[status]
    return [status, { description, ...(headers && { headers }), content: { 'application/json': { schema: refusal, example: { detail } } } }]
  })
  if (route.kind === 'fixed' || route.kind === 'readiness') return Object.fromEntries(described)
  return {
    ...Object.fromEntries(described),
    ...(route.kind !== 'socket' && isChecked(route) ? { 422: invalid(schemas) } : {}),
    default: {
      description: 'The request was refused',
      content: { 'application/json': { schema: refusal, example: { detail: 'Internal Server Error' } } },
    },
  }
}

type RequestRoute = Exclude<Route, { readonly kind: 'fixed' | 'readiness' | 'socket' }>

function statusesOf(route: Route, isGuarded: boolean): readonly number[] {
  if (route.kind === 'fixed' || route.kind === 'readiness') return []
  if (route.kind === 'socket') return [426, 503]
  const takesBody = route.kind === 'upload' || route.rules.body !== undefined
  const writes = route.method === 'POST'
  return [
    ...(takesBody ? [413, 415] : []),
    // invalid credentials are refused even where none are required
    401,
    ...(isGuarded ? [403] : []),
    ...(route.kind === 'file' || route.rules.params !== undefined || route.path.endsWith('/root') ? [404] : []),
    ...(mayContradict.test(route.path) && (writes || route.path !== '/api/v1/expressions') ? [409] : []),
    ...(isLimited.test(route.path) ? [429] : []),
    ...[500, 503],
    ...(writes ? [504] : []),
  ]
}

const isChecked = ({ rules, extension }: RequestRoute): boolean => Object.keys(rules).length > 0 || extension === true

const invalid = (schemas: JsonSchemas): OpenApiResponse => ({
  description: 'Validation Error',
  content: {
    'application/json': {
      schema: schemas.of(HttpValidationError, 'output'),
      example: { detail: [{ type: 'missing', loc: ['body', 'text'], msg: 'Field required', input: {} }] },
    },
  },
})
