import type { Route } from '../route/route.ts'
import type { OpenApiOperation, OpenApiResponse, Parameter } from './openapi-document.ts'

type Headers = NonNullable<OpenApiResponse['headers']>

const text = { type: 'string' } as const
const tagHeader: Headers = { ETag: { description: 'Entity tag of exactly these bytes', schema: text } }

/** Headers of every 503 and 429. */
export const retryHeaders: Headers = {
  'Retry-After': { description: 'Seconds to wait before the next attempt', schema: { type: 'integer', minimum: 1 } },
}

/** Headers of every 405. */
export const allowHeader: Headers = { Allow: { description: 'The method that the path supports', schema: text } }

/** Headers of every response of a rate-limited operation. */
export const limitHeaders: Headers = {
  'RateLimit-Policy': { description: 'The limit: its name, quota (q) and window in seconds (w)', schema: text },
  RateLimit: { description: 'The remaining quota (r), and the seconds until it is replenished (t)', schema: text },
}

/** Request header of operations whose responses may be cached. */
export const conditionalTag: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETag of a response that the caller has stored; 304 when it is still current',
  schema: text,
}

/** Returns whether responses of the route may be cached and have an ETag. */
export function isTagged(route: Route): boolean {
  if (route.kind === 'operation' || route.kind === 'fixed') return route.isPublic
  return (route.kind === 'pages' && !route.isExport) || (route.kind === 'file' && route.caller === 'anyone')
}

/** Adds response headers and, for cacheable routes, the response 304. */
export function withHeaders(route: Route, responses: OpenApiOperation['responses']): OpenApiOperation['responses'] {
  const described = Object.entries(route.answerHeaders ?? {}).map(([name, description]) => [name, { description, schema: text }])
  const isLimited = route.kind === 'operation' && route.limit !== undefined
  const headers: Headers = { ...Object.fromEntries(described), ...(isTagged(route) && tagHeader), ...(isLimited && limitHeaders) }
  if (Object.keys(headers).length === 0) return responses
  const answers = Object.entries(responses).map(([status, response]): [string, OpenApiResponse] => [
    status,
    Number(status) < 300 ? { ...response, headers: { ...response.headers, ...headers } } : response,
  ])
  return { ...Object.fromEntries(answers), ...(isTagged(route) && { 304: { description: 'Not Modified', headers: tagHeader } }) }
}
