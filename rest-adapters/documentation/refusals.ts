import { z } from 'zod'
import type { Route } from '../route/route.ts'
import type { JsonSchemas } from './json-schemas.ts'
import type { OpenApiResponse } from './openapi-document.ts'
import { limitHeaders, retryHeaders } from './response-headers.ts'

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
  400: ['The body or the cursor cannot be read', 'There was an error parsing the body'],
  401: ['No credentials, or wrong ones', 'Not authenticated'],
  403: ['The caller may not do this', 'Not permitted'],
  404: ['There is no such thing', 'Not Found'],
  409: ['It contradicts what is there', 'There is another node with this external_id'],
  413: ['The body is too large', 'The body is larger than 25165824 bytes'],
  415: ['The body is in another format or encoding', 'Content-Encoding must be identity or gzip'],
  426: ['This is a WebSocket', 'This is a WebSocket'],
  429: ['Too many attempts', 'Too many attempts; try again later'],
  503: ['Not taken in: an engine is away, or there is too much to do', 'The database is not available; try again'],
  504: ['It is not known whether it was done', 'It was lost whether this was done; look before you send it again'],
}

/** what is there already with another content, work that one caller of all does at a time */
const mayContradict = /^\/api\/v1\/(?:admin\/|expressions$)/
/** how often a password may be wrong, how much one address may say */
const isLimited = /^\/(?:auth\/login|api\/v1\/expressions)$/

/** What a route may answer instead of its answer, by status; `default` stands for what can be meant by none of them. */
export function refusalsOf(route: Route, isGuarded: boolean, schemas: JsonSchemas): Readonly<Record<string, OpenApiResponse>> {
  if (route.kind === 'fixed' || route.kind === 'readiness') return {}
  const statuses = route.kind === 'socket' ? [426, 503] : statusesOf(route, isGuarded)
  const refusal = schemas.of(HttpError, 'output')
  const described = statuses.map((status): [number, OpenApiResponse] => {
    const [description, detail] = sentences[status] ?? ['', '']
    const waits = status === 429 || status === 503
    return [
      status,
      {
        description,
        ...(waits && { headers: status === 429 ? { ...retryHeaders, ...limitHeaders } : retryHeaders }),
        content: { 'application/json': { schema: refusal, example: { detail } } },
      },
    ]
  })
  return {
    ...Object.fromEntries(described),
    ...(route.kind !== 'socket' && isChecked(route) ? { 422: invalid(schemas) } : {}),
    default: { description: 'Refused', content: { 'application/json': { schema: refusal, example: { detail: 'Method Not Allowed' } } } },
  }
}

type Asked = Exclude<Route, { readonly kind: 'fixed' | 'readiness' | 'socket' }>

function statusesOf(route: Asked, isGuarded: boolean): readonly number[] {
  const takesBody = route.kind === 'upload' || route.rules.body !== undefined
  const takesCursor = route.rules.query?.shape.after !== undefined
  const writes = route.method === 'POST'
  return [
    ...(takesBody || takesCursor ? [400] : []),
    ...(takesBody ? [413, 415] : []),
    // who needs no credentials is refused, too, with wrong ones
    401,
    ...(isGuarded ? [403] : []),
    ...(route.kind === 'file' || route.rules.params !== undefined || route.path.endsWith('/root') ? [404] : []),
    ...(mayContradict.test(route.path) ? [409] : []),
    ...(isLimited.test(route.path) ? [429] : []),
    503,
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
