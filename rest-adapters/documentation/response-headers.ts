import type { Route } from '../route/route.ts'
import type { OpenApiOperation, OpenApiResponse, Parameter } from './openapi-document.ts'

type Headers = NonNullable<OpenApiResponse['headers']>

const text = { type: 'string' } as const
const tagHeader: Headers = { ETag: { description: 'stands for exactly these bytes', schema: text } }

/** Of every 503 and 429. */
export const retryHeaders: Headers = { 'Retry-After': { description: 'seconds to wait', schema: { type: 'integer', minimum: 1 } } }

/** Of every 405. */
export const allowHeader: Headers = { Allow: { description: 'the method that the path has', schema: text } }

/** Of a 429 besides, where the limit has a name, and of what a limited operation answers. */
export const limitHeaders: Headers = {
  'RateLimit-Policy': { description: 'the limit: its name, how often (q), in how many seconds (w)', schema: text },
  RateLimit: { description: 'what is left of it (r), and the seconds until there is more (t)', schema: text },
}

/** Of a request for what may be kept. */
export const knownTag: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'the ETag of an answer that the caller has: 304 while it is the same',
  schema: text,
}

/** Whether its answers may be kept, and asked for again by their tag. */
export function isTagged(route: Route): boolean {
  if (route.kind === 'operation' || route.kind === 'fixed') return route.isPublic
  return route.kind === 'pages' || (route.kind === 'file' && route.caller === 'anyone')
}

/** The answers with what they say beside their bodies, and the one that says that nothing has changed. */
export function withHeaders(route: Route, responses: OpenApiOperation['responses']): OpenApiOperation['responses'] {
  const described = Object.entries(route.answerHeaders ?? {}).map(([name, description]) => [name, { description, schema: text }])
  const isLimited = route.kind === 'operation' && route.limit !== undefined
  const headers: Headers = { ...Object.fromEntries(described), ...(isTagged(route) && tagHeader), ...(isLimited && limitHeaders) }
  if (Object.keys(headers).length === 0) return responses
  const answers = Object.entries(responses).map(([status, response]): [string, OpenApiResponse] => [
    status,
    Number(status) < 300 ? { ...response, headers: { ...response.headers, ...headers } } : response,
  ])
  return { ...Object.fromEntries(answers), ...(isTagged(route) && { 304: { description: 'Unchanged', headers: tagHeader } }) }
}
