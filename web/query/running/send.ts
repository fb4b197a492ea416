import { createClient } from 'graphql-ws'
import { ProblemError } from '../words/problem.ts'
import { merged } from './merged.ts'
import { partsOf } from './parts.ts'
import type { PreparedOperation, Request } from './prepared.ts'

/** A response, an incremental part of it, or an event. */
export interface ReceivedResult {
  /** parsed JSON; a string when the body is not JSON */
  readonly value: unknown
  readonly bytes: number
  /** HTTP status, where there is one */
  readonly status?: number
}

/**
 * Sends an operation by POST, or a subscription over graphql-ws.
 * @throws {ProblemError} when the response is not GraphQL
 */
export function send({ request, kind, headers }: PreparedOperation, signal: AbortSignal): AsyncGenerator<ReceivedResult> {
  return kind === 'subscription' ? subscribe(request, headers, signal) : post(request, headers, signal)
}

async function* post(request: Request, headers: PreparedOperation['headers'], signal: AbortSignal): AsyncGenerator<ReceivedResult> {
  const inParts = /@\s*(?:defer|stream)\b/.test(request.query)
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: `${inParts ? 'multipart/mixed;deferSpec=20220824, ' : ''}application/graphql-response+json, application/json`,
      ...headers,
    },
    body: JSON.stringify(request),
    signal,
  })
  const { status } = response
  const [, boundary] = /^multipart\/mixed\b.*?boundary="?([^";]+)/i.exec(response.headers.get('content-type') ?? '') ?? []
  if (boundary !== undefined && response.body !== null) {
    let [whole, bytes]: [Record<string, unknown>, number] = [{}, 0]
    for await (const part of partsOf(response.body, boundary)) {
      whole = merged(whole, JSON.parse(part))
      bytes += bytesOf(part)
      yield { value: whole, bytes, status }
    }
    return
  }
  const content = await response.arrayBuffer()
  yield { value: readAsJson(new TextDecoder().decode(content)), bytes: content.byteLength, status }
}

function readAsJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function* subscribe(request: Request, headers: PreparedOperation['headers'], signal: AbortSignal): AsyncGenerator<ReceivedResult> {
  const url = new URL('/graphql', location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  // one client per subscription: headers may have changed, and the connection starts with them
  const client = createClient({ url: url.href, connectionParams: headers, retryAttempts: 0 })
  const events = client.iterate({ ...request, variables: { ...request.variables } })
  const stop = (): void => void events.return?.()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const value of events) yield { value, bytes: bytesOf(JSON.stringify(value)) }
  } catch (error) {
    // the subscription was refused
    if (Array.isArray(error)) yield { value: { errors: error }, bytes: bytesOf(JSON.stringify(error)) }
    else
      throw isClosing(error)
        ? new ProblemError({ key: 'problem.closed', values: { code: String(error.code), reason: error.reason } })
        : error
  } finally {
    signal.removeEventListener('abort', stop)
    void client.dispose()
  }
}

const isClosing = (error: unknown): error is CloseEvent =>
  typeof error === 'object' && error !== null && 'code' in error && 'reason' in error
const bytesOf = (text: string): number => new TextEncoder().encode(text).length
