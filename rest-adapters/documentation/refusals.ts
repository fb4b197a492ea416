import { z } from 'zod'
import type { Route } from '../route/route.ts'
import type { JsonSchemas } from './json-schemas.ts'
import type { OpenApiResponse } from './openapi-document.ts'
import { allowHeader, limitHeaders, retryHeaders } from './response-headers.ts'

/** The documented refusals. */
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
  400: ['The request, its body or its cursor cannot be read', 'There was an error parsing the body'],
  401: ['No credentials, or wrong ones', 'Not authenticated'],
  403: ['The caller may not do this', 'Not permitted'],
  404: ['There is no such thing', 'Not Found'],
  405: ['The path has another method, which `Allow` names', 'Method Not Allowed'],
  408: ['The request did not come in time', 'Request Timeout'],
  409: ['It contradicts what is there', 'There is another node with this external_id'],
  413: ['The body is too large', 'The body is larger than 25165824 bytes'],
  415: ['The body is in another format or encoding', 'Content-Encoding must be identity or gzip'],
  417: ['Nothing but `100-continue` can be expected', 'Expectation Failed'],
  426: ['This is a WebSocket', 'This is a WebSocket'],
  429: ['Too many attempts', 'Too many attempts; try again later'],
  431: ['The head of the request is larger than 16 KB', 'Request Header Fields Too Large'],
  500: ['A mistake of ours; the log has it by the X-Request-Id', 'Internal Server Error'],
  503: ['Not taken in: an engine is away, or there is too much to do', 'The database is not available; try again'],
  504: ['It is not known whether it was done', 'It was lost whether this was done; look before you send it again'],
}

/** what is there already with another content, work that one caller of all does at a time */
const mayContradict = /^\/api\/v1\/(?:admin\/|expressions$)/
/** how often a password may be wrong, how much one address may say */
const isLimited = /^\/(?:auth\/login|api\/v1\/expressions)$/

/** what a listener refuses before it knows which operation is meant */
const ofListener = [400, 405, 408, 417, 431]
const headersOf: Readonly<Record<number, OpenApiResponse['headers']>> = {
  405: allowHeader,
  429: { ...retryHeaders, ...limitHeaders },
  503: retryHeaders,
}

/** What a route may answer instead of its answer, by status; `default` stands for what can be meant by none of them. */
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
    default: { description: 'Refused', content: { 'application/json': { schema: refusal, example: { detail: 'Internal Server Error' } } } },
  }
}

type Asked = Exclude<Route, { readonly kind: 'fixed' | 'readiness' | 'socket' }>

function statusesOf(route: Route, isGuarded: boolean): readonly number[] {
  if (route.kind === 'fixed' || route.kind === 'readiness') return []
  if (route.kind === 'socket') return [426, 503]
  const takesBody = route.kind === 'upload' || route.rules.body !== undefined
  const writes = route.method === 'POST'
  return [
    ...(takesBody ? [413, 415] : []),
    // who needs no credentials is refused, too, with wrong ones
    401,
    ...(isGuarded ? [403] : []),
    ...(route.kind === 'file' || route.rules.params !== undefined || route.path.endsWith('/root') ? [404] : []),
    ...(mayContradict.test(route.path) ? [409] : []),
    ...(isLimited.test(route.path) ? [429] : []),
    ...[500, 503],
    ...(writes ? [504] : []),
  ]
}

const isChecked = ({ rules, extension }: Asked): boolean => Object.keys(rules).length > 0 || extension === true

const invalid = (schemas: JsonSchemas): OpenApiResponse => ({
  description: 'Validation Error',
  content: {
    'application/json': {
      schema: schemas.of(HttpValidationError, 'output'),
      example: { detail: [{ type: 'missing', loc: ['body', 'text'], msg: 'Field required', input: {} }] },
    },
  },
})
