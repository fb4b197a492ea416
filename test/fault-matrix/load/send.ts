import { z } from 'zod'
import type { Access } from '../platform.ts'
import type { Answer } from './kind.ts'

/** Timeout of a client: longer than the platform's request timeout. */
const patienceMs = 30_000

/** HTTP status that corresponds to a GraphQL error code. */
const statusOfCode: Readonly<Record<string, number>> = {
  ENGINE_UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 503,
  OVERLOADED: 503,
  OUTCOME_UNKNOWN: 504,
  RATE_LIMITED: 429,
  NOT_FOUND: 404,
  INTERNAL: 500,
  INTERNAL_SERVER_ERROR: 500,
}

export interface TimedAnswer extends Answer {
  readonly body: unknown
  readonly headers: Headers
}

/** @returns status 0 without a response in time: `detail` has the cause */
export async function send(
  url: string,
  init: { readonly headers?: Readonly<Record<string, string>>; readonly json?: object } = {},
): Promise<TimedAnswer> {
  const { headers = {}, json } = init
  try {
    const response = await fetch(url, {
      method: json === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      signal: AbortSignal.timeout(patienceMs),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: parsed(text), detail: text.slice(0, 300) }
  } catch (error) {
    const silent = error instanceof DOMException && error.name === 'TimeoutError'
    return { status: 0, headers: new Headers(), body: undefined, detail: silent ? 'silence' : 'no connection' }
  }
}

const GraphQL = z.object({
  data: z.unknown().optional(),
  errors: z.array(z.object({ message: z.string(), extensions: z.object({ code: z.string() }).loose() }).loose()).optional(),
})

/** Sends an operation to the gateway. An error has its REST status. */
export async function sendGraphql(
  { graphql, apiKey }: Access,
  query: string,
  variables: object,
): Promise<TimedAnswer & { readonly data: unknown }> {
  const answer = await send(graphql, { headers: { 'X-Service-API-Key': apiKey }, json: { query, variables } })
  const { success, data: response } = GraphQL.safeParse(answer.body)
  if (!success) return { ...answer, data: undefined }
  const code = response.errors?.[0]?.extensions.code
  return { ...answer, ...(code === undefined ? {} : { status: statusOfCode[code] ?? 400 }), data: response.data }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Members of a body that is an object. */
export const memberOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>)[name] : undefined

export const textOf = (body: unknown, name: string): string | undefined => {
  const value = memberOf(body, name)
  return typeof value === 'string' ? value : undefined
}
